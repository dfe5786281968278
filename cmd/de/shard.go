package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/flk-byo/de/grading/class"
)

// shardAuto is the value of --shard that takes the part from the environment.
const shardAuto = "auto"

// shard is the part that --shard asks for; none is the whole. What was taken from
// the environment is told.
func (e *env) shard(text string) (class.Shard, error) {
	switch text {
	case "":
		return class.Shard{}, nil
	case shardAuto:
		c, err := e.engineShard()
		if err == nil {
			fmt.Fprintf(e.stderr, "part %d of %d, as %s says\n", c.Index, c.Of, c.variable)
		}
		return c.Shard, err
	}
	first, second, ok := strings.Cut(text, "/")
	index, err1 := strconv.Atoi(first)
	of, err2 := strconv.Atoi(second)
	if !ok || err1 != nil || err2 != nil || index < 1 || of < index {
		return class.Shard{}, usage("--shard 1/4, 2/4, 3/4 or 4/4, or auto", "--shard wants which part of how many, not %s", plain(text))
	}
	return class.Shard{Index: index, Of: of}, nil
}

// An engine runs the same command many times, and says by variables of the
// environment which time it is.
type engine struct {
	name         string
	index, count string // variables
	first        int    // the first index
}

// ownIndex and ownCount are for engines that set no variables of their own, or no
// count.
const (
	ownIndex = "DE_SHARD_INDEX"
	ownCount = "DE_SHARD_COUNT"
)

// engines are those that number their runs from a fixed first; Slurm, which does
// not, is dealt with apart. Where it is written:
// https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode,
// https://docs.gitlab.com/ci/variables/predefined_variables/,
// https://circleci.com/docs/variables/ and
// https://buildkite.com/docs/pipelines/configure/environment-variables.
var engines = []engine{
	{"--shard auto", ownIndex, ownCount, 0},
	{"a Kubernetes Indexed Job", "JOB_COMPLETION_INDEX", ownCount, 0}, // Kubernetes tells no count
	{"GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", 1},
	{"CircleCI", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0},
	{"Buildkite", "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0},
}

// A claim is what one engine's variables say.
type claim struct {
	class.Shard
	variable string
}

// engineShard is what the environment says. Where several engines say something,
// as when one runs inside another, they must agree.
func (e *env) engineShard() (claim, error) {
	claims, err := e.claims()
	if err != nil {
		return claim{}, err
	}
	if len(claims) == 0 {
		return claim{}, usage("--shard with the part itself, as 1/4, or set "+ownIndex+", from 0, and "+ownCount,
			"--shard auto: no variable says which part this is")
	}
	first := claims[0]
	for _, c := range claims[1:] {
		if c.Shard != first.Shard {
			return claim{}, usage("--shard with the part itself, as 1/4",
				"%s says part %d of %d, and %s says part %d of %d", first.variable, first.Index, first.Of, c.variable, c.Index, c.Of)
		}
	}
	return first, nil
}

func (e *env) claims() ([]claim, error) {
	var all []claim
	for _, engine := range engines {
		if e.getenv(engine.index) == "" {
			continue
		}
		s, err := e.numbered(engine)
		if err != nil {
			return nil, err
		}
		all = append(all, claim{s, engine.index})
	}
	if e.getenv(slurmID) == "" {
		return all, nil
	}
	s, err := e.slurmShard()
	return append(all, claim{s, slurmID}), err
}

func (e *env) numbered(g engine) (class.Shard, error) {
	index, err := e.number(g.index)
	if err != nil {
		return class.Shard{}, err
	}
	if e.getenv(g.count) == "" {
		return class.Shard{}, usage("set "+g.count+" to how many parts there are", "%s is set, and %s, which %s wants with it, is not", g.index, g.count, g.name)
	}
	count, err := e.number(g.count)
	if err != nil {
		return class.Shard{}, err
	}
	if index < g.first || index-g.first >= count {
		return class.Shard{}, usage("set both right, or say the part itself, as --shard 1/4",
			"%s is %d, which is no part of %s=%d: they are counted from %d", g.index, index, g.count, count, g.first)
	}
	return class.Shard{Index: index - g.first + 1, Of: count}, nil
}

// The variables of a Slurm array: https://slurm.schedmd.com/job_array.html.
const (
	slurmID    = "SLURM_ARRAY_TASK_ID"
	slurmCount = "SLURM_ARRAY_TASK_COUNT"
	slurmMin   = "SLURM_ARRAY_TASK_MIN"
	slurmMax   = "SLURM_ARRAY_TASK_MAX"
	slurmStep  = "SLURM_ARRAY_TASK_STEP"
)

// slurmShard is the part of a task of an array such as 0-3, 1-4 or 1-7:2. An array
// that is a mere list, or one task, is what is left of another, to be run again:
// which part its task is can't be known.
func (e *env) slurmShard() (class.Shard, error) {
	values := map[string]int{}
	for _, name := range []string{slurmID, slurmCount, slurmMin, slurmMax, slurmStep} {
		if e.getenv(name) == "" {
			return class.Shard{}, usage("--shard with the part itself, as 1/4", "%s is set, and %s, which Slurm sets with it, is not", slurmID, name)
		}
		n, err := e.number(name)
		if err != nil {
			return class.Shard{}, err
		}
		values[name] = n
	}
	count, step, ahead := values[slurmCount], values[slurmStep], values[slurmID]-values[slurmMin]
	even := count > 1 && step > 0 && values[slurmMax]-values[slurmMin] == (count-1)*step
	if !even || ahead < 0 || ahead%step != 0 || ahead/step >= count {
		return class.Shard{}, usage("say which part it is, as --shard 3/4",
			"task %d of %d, from %d to %d by %d, is of no whole array: which part it is can't be told", values[slurmID], count, values[slurmMin], values[slurmMax], step)
	}
	return class.Shard{Index: ahead/step + 1, Of: count}, nil
}

// maxShards bounds in how many parts a class may be graded.
const maxShards = 1_000_000

// number is the value of a variable that counts something.
func (e *env) number(name string) (int, error) {
	n, err := strconv.Atoi(e.getenv(name))
	if err != nil || n < 0 || n > maxShards {
		return 0, usage("--shard with the part itself, as 1/4", "%s is %s, which is no number from 0 to %d", name, plain(e.getenv(name)), maxShards)
	}
	return n, nil
}
