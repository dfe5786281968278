package partitionedexchange

import (
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/05-partitioned-exchange/contract"
	"github.com/flk-byo/de/stages/05-partitioned-exchange/wire"
)

// A subject runs and judges cases against one solution.
type subject struct {
	solution wire.Stage
	watched  func(function string) bool
	turn     int               // see [grading.Guest]
	restart  func() rpc.Object // that of [grading.Guest]; nil where there is none
}

func bind(g grading.Guest) grading.Subject {
	return subject{wire.Stage{Object: g.Solution}, g.Watched, g.Turn, g.Restart}
}

// Native returns the subject of a solution that runs in this process, for
// tests of the harness itself. It is called through the same wire as a guest's.
func Native(s contract.Stage) grading.Subject {
	guest := rpc.NewGuest(nil) // it calls nothing of ours
	host := rpc.NewHost(guest.Serve)
	root := rpc.Object{Peer: host, Ref: wire.ExportStage(guest, s)}
	return subject{solution: wire.Stage{Object: root}, watched: func(string) bool { return false }}
}

// A trial is one run of a case: what was found, and what it looked like.
type trial struct {
	found    []grading.Finding
	timeline func() []grading.Step // made only if it is shown
	at       int                   // index of the step under way, or -1
}

func (t *trial) broken(f *grading.Finding) {
	if f != nil {
		t.found = append(t.found, *f)
	}
}

// Run is [grading.Subject]'s. On the first turn a case that passes is run again,
// since a second call must be as right as the first.
func (s subject) Run(c schedule.Case) grading.Outcome {
	t := s.try(c)
	if t.at > 0 && len(t.found) > 0 && !died(t.found) && s.rightAlone(c.Script, t.at) {
		t.found = []grading.Finding{afterOthers(t.found[0])}
	}
	if len(t.found) == 0 && s.turn == 0 {
		if t = s.try(c); len(t.found) > 0 {
			t.found = []grading.Finding{secondRun(t.found[0])}
		}
	}
	if slept := grading.Slept(noSleep, s.watched); slept != nil && !died(t.found) {
		t.found = append(t.found, *slept)
	}
	return grading.Outcome{Findings: t.found, Steps: t.timeline, Situations: func() []string { return t.situations(c) }}
}

func (s subject) try(c schedule.Case) *trial {
	t := &trial{at: -1}
	check := checkOf(c)
	death := fault.Guard(func() {
		switch {
		case c.Script != nil:
			s.runScript(c.Script, t, &check)
		case check == partition:
			s.runExchange(c, t)
		default:
			s.runRescale(c, t)
		}
	})
	if death != nil {
		t.found = []grading.Finding{grading.Died(check, death, t.at)}
		t.found[0].Unless = s.blameDeath(death, c)
	}
	return t
}

// secondRun turns what broke only in a second run into a leak.
func secondRun(f grading.Finding) grading.Finding {
	if f.Check != isolation {
		f.Check = isolation
		f.Problem = "The first call was right, the same call a second time was not: " + f.Problem
	}
	return f
}

// rightAlone tells whether a call of a script, by its number, is answered rightly
// by a fresh guest.
func (s subject) rightAlone(script []schedule.Op, number int) bool {
	if s.restart == nil {
		return false
	}
	s.solution.Object = s.restart()
	var calls []schedule.Op
	for _, op := range script {
		calls = append(calls, expand(op)...)
	}
	t := s.try(schedule.Case{Script: calls[number : number+1]})
	return len(t.found) == 0
}

// afterOthers turns what a call breaks only after others into a leak.
func afterOthers(f grading.Finding) grading.Finding {
	f.Check, f.Unless = isolation, ""
	f.Problem = "Alone this call is right, after those before it it is not, so something is kept between calls: " + f.Problem
	return f
}

func died(found []grading.Finding) bool {
	return slices.ContainsFunc(found, func(f grading.Finding) bool { return f.Fault != nil })
}

// blame names the check that a misplaced key is better looked for in: that of
// the group or the owner, where the solution gets these wrong as well.
func (s subject) blame(key string, k keyspace) (check string) {
	check = keyGroup
	fault.Guard(func() {
		if s.solution.KeyGroup(key, k.groups) != k.group(key) {
			return
		}
		check = subtaskCheck
		if s.solution.Subtask(k.group(key), k.groups, k.subtasks) == k.owner(key) {
			check = ""
		}
	})
	return check
}

// blameDeath is blame where the solution died: of a method not yet written, or of
// an index, which may be an owner that there is not. To ask costs what it printed,
// so of other deaths nobody is asked.
func (s subject) blameDeath(death *fault.Fault, c schedule.Case) (check string) {
	switch {
	case c.Script != nil:
		return ""
	case death.Kind == fault.NotImplemented && strings.HasSuffix(death.Message, ".KeyGroup"):
		return keyGroup
	case death.Kind == fault.NotImplemented && strings.HasSuffix(death.Message, ".Subtask"):
		return subtaskCheck
	case s.restart == nil || !strings.Contains(death.Message, "index out of range"):
		return ""
	}
	groups, subtasks, rescaled := sizes(c)
	if rescaled > 0 {
		subtasks = rescaled
	}
	fault.Guard(func() {
		s.solution.Object = s.restart()
		for _, r := range c.Records {
			if check = s.blame(r.Key, keyspace{groups, subtasks}); check != "" {
				return
			}
		}
	})
	return check
}

// owned returns the finding that an owner's use of what it was given showed in
// something else. Noun is "slice" or "map".
func owned(o wire.Owned, noun, method string) *grading.Finding {
	switch a, b := o.Shared[0], o.Shared[1]; {
	case a != b:
		return grading.Broken(isolation, -1,
			"The %ss of subtasks %d and %d share memory: when the caller wrote or appended to the one, the other changed.", noun, min(a, b), max(a, b))
	case !o.Intact:
		return grading.Broken(isolation, -1,
			"A call of %s wrote to a %s that the call before it had returned; it is the caller's, so make a new one each time.", method, noun)
	}
	return nil
}
