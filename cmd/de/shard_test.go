package main

import (
	"strings"
	"testing"

	"github.com/flk-byo/de/grading/class"
)

// The variables are those that each engine documents; see [engines].
func TestShardAuto(t *testing.T) {
	for _, test := range []struct {
		name, variables string
		want            class.Shard
		problem         string
	}{
		{"Kubernetes", "JOB_COMPLETION_INDEX=2 DE_SHARD_COUNT=4", class.Shard{Index: 3, Of: 4}, ""},
		{"a matrix of GitHub", "DE_SHARD_INDEX=0 DE_SHARD_COUNT=4", class.Shard{Index: 1, Of: 4}, ""},
		{"GitLab", "CI_NODE_INDEX=4 CI_NODE_TOTAL=4", class.Shard{Index: 4, Of: 4}, ""},
		{"CircleCI", "CIRCLE_NODE_INDEX=3 CIRCLE_NODE_TOTAL=4", class.Shard{Index: 4, Of: 4}, ""},
		{"Buildkite", "BUILDKITE_PARALLEL_JOB=0 BUILDKITE_PARALLEL_JOB_COUNT=2", class.Shard{Index: 1, Of: 2}, ""},
		{"Slurm", slurm("0 4 0 3 1"), class.Shard{Index: 1, Of: 4}, ""},
		{"Slurm from 1", slurm("4 4 1 4 1"), class.Shard{Index: 4, Of: 4}, ""},
		{"Slurm by 2", slurm("5 4 1 7 2"), class.Shard{Index: 3, Of: 4}, ""},
		{"two that agree", "CI_NODE_INDEX=2 CI_NODE_TOTAL=4 DE_SHARD_INDEX=1 DE_SHARD_COUNT=4", class.Shard{Index: 2, Of: 4}, ""},

		{"none", "", class.Shard{}, "no variable says"},
		{"GitLab, not parallel", "CI_NODE_TOTAL=1", class.Shard{}, "no variable says"},
		{"two that differ", "CI_NODE_INDEX=2 CI_NODE_TOTAL=4 DE_SHARD_INDEX=2 DE_SHARD_COUNT=4", class.Shard{}, "DE_SHARD_INDEX says part 3 of 4, and CI_NODE_INDEX says part 2 of 4"},
		{"no count", "JOB_COMPLETION_INDEX=2", class.Shard{}, "and DE_SHARD_COUNT, which a Kubernetes Indexed Job wants with it, is not"},
		{"past the end", "JOB_COMPLETION_INDEX=4 DE_SHARD_COUNT=4", class.Shard{}, "is no part of DE_SHARD_COUNT=4"},
		{"before the first", "CI_NODE_INDEX=0 CI_NODE_TOTAL=4", class.Shard{}, "counted from 1"},
		{"no number", "CI_NODE_INDEX=two CI_NODE_TOTAL=4", class.Shard{}, "CI_NODE_INDEX is two, which is no number"},
		{"negative", "DE_SHARD_INDEX=-1 DE_SHARD_COUNT=4", class.Shard{}, "no number from 0"},
		{"none of it", "DE_SHARD_INDEX=0 DE_SHARD_COUNT=0", class.Shard{}, "is no part"},
		{"huge", "DE_SHARD_INDEX=0 DE_SHARD_COUNT=99999999999999999999", class.Shard{}, "no number"},
		{"half of Slurm", "SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=4", class.Shard{}, "SLURM_ARRAY_TASK_MIN, which Slurm sets with it, is not"},
		{"a task again", slurm("3 1 3 3 1"), class.Shard{}, "of no whole array"},
		{"a list of tasks again", slurm("2 3 1 9 1"), class.Shard{}, "of no whole array"},
		{"between two tasks", slurm("2 4 1 7 2"), class.Shard{}, "of no whole array"},
	} {
		s := newSession(t)
		for _, v := range strings.Fields(test.variables) {
			name, value, _ := strings.Cut(v, "=")
			s.variables[name] = value
		}
		got, err := s.env().shard(shardAuto)
		if test.problem == "" && (err != nil || got != test.want) {
			t.Errorf("%s: %v, %v; want %v", test.name, got, err, test.want)
		}
		if test.problem != "" && (err == nil || !strings.Contains(err.Error(), test.problem)) {
			t.Errorf("%s: %v; want %q", test.name, err, test.problem)
		}
	}
}

// slurm are the variables of an array: id, count, min, max, step.
func slurm(values string) string {
	var all []string
	for i, value := range strings.Fields(values) {
		all = append(all, []string{slurmID, slurmCount, slurmMin, slurmMax, slurmStep}[i]+"="+value)
	}
	return strings.Join(all, " ")
}
