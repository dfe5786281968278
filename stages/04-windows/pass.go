package windows

import (
	"cmp"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/04-windows/contract"
	"github.com/flk-byo/de/stages/04-windows/wire"
	"github.com/flk-byo/de/stages/stream"
)

// A failure is a finding, and what the solution returned when it showed.
type failure struct {
	grading.Finding
	seen string
}

// An operator is one of the solution's, here or in a guest.
type operator interface {
	ProcessAs(r stream.Record, how wire.Reading) wire.Answer
	AdvanceAs(w stream.Watermark, how wire.Reading) wire.Answer
	KeptIntact() bool
}

// An assigner is one of the solution's, here or in a guest.
type assigner interface {
	contract.Assigner
	AssignAs(t int64, change bool) []contract.Window
	KeptIntact() bool
}

// A pass takes the solution through a plan once.
type pass struct {
	subject
	manner
	plan      *plan
	now       int // index of the step that is carried out
	assigner  contract.Assigner
	made      []contract.Assigner
	operators []operator
}

// pass carries out p in the manner how, up to the first failure.
func (s subject) pass(p *plan, how manner) (found *failure) {
	run := &pass{subject: s, manner: how, plan: p}
	death := fault.Guard(func() {
		for i := range p.steps {
			run.now = i
			if found = run.step(&p.steps[i]); found != nil {
				return
			}
		}
		found = run.intact()
	})
	run.release()
	if death != nil {
		return &failure{Finding: grading.Died(run.died(), death, run.now)}
	}
	return found
}

// died is the check that a death at the present step breaks.
func (r *pass) died() string {
	if s := r.plan.steps[r.now]; s.answer.check != "" && !r.plan.several() {
		return s.answer.check
	}
	return r.plan.check()
}

func (r *pass) step(s *step) *failure {
	switch s.op.Name {
	case opTumbling, opSliding, opCustom:
		r.choose(s.op)
	case opOperator:
		r.operators = append(r.operators, owned(r.solution.NewWindowOperator(r.assigner, s.op.Args[0])))
	case opSession:
		r.operators = append(r.operators, owned(r.solution.NewSessionOperator(s.op.Args[0], s.op.Args[1])))
	case opAssign:
		return r.compareWindows(s, ownedAssigner(r.assigner).AssignAs(s.op.Args[0], r.reading.Change))
	case opRecord:
		return r.compare(s, r.operators[s.operator].ProcessAs(s.record, r.howToRead(s)))
	case opAdvance:
		return r.compare(s, r.operators[s.operator].AdvanceAs(stream.Watermark(s.op.Args[0]), r.howToRead(s)))
	}
	return nil
}

// choose makes the assigner of what follows: the solution's where it is asked
// for windows itself, or where operators are given its own.
func (r *pass) choose(op schedule.Op) {
	own := r.own || len(r.plan.operators) == 0
	switch {
	case own && op.Name == opTumbling:
		r.assigner = r.solution.Tumbling(op.Args[0], op.Args[1])
	case own && op.Name == opSliding:
		r.assigner = r.solution.Sliding(op.Args[0], op.Args[1], op.Args[2])
	default:
		r.assigner = &ours{windows: windowsOf(op), left: mostCalls(len(r.plan.steps))}
		return
	}
	if len(r.plan.operators) == 0 {
		r.assigner = ownedAssigner(r.assigner)
	}
	r.made = append(r.made, r.assigner)
}

// ours is an assigner that the host holds.
type ours struct {
	windows func(t int64) []contract.Window
	left    int // calls still allowed; beyond them the solution has no end
}

// mostCalls leaves room for asking again of every record at every step, and more.
func mostCalls(steps int) int { return 1000 + 20*(steps+1)*(steps+1) }

// Assign returns no windows for times that no case has, and the latest first, as
// Flink does.
func (o *ours) Assign(t int64) []contract.Window {
	if o.left--; o.left < 0 {
		panic(&fault.Fault{Kind: fault.TooManyCalls, Message: "it keeps calling its assigner without an end"})
	}
	if t < -farthest || t > farthest {
		return nil
	}
	windows := o.windows(t)
	slices.Reverse(windows)
	return windows
}

// howToRead is the reading at s: late records are asked for at the last event
// of an operator in any case.
func (r *pass) howToRead(s *step) wire.Reading {
	how := r.reading
	how.Late = how.Late || s.at == len(r.plan.operators[s.operator].events)-1
	return how
}

// compare returns a failure unless the answer of an operator is as planned.
func (r *pass) compare(s *step, got wire.Answer) *failure {
	if got.Marked() {
		return r.marked(s.called())
	}
	if !slices.Equal(got.Results, s.answer.results) {
		check, problem := s.answer.check, wrongResults(s, got.Results)
		if sameResults(got.Results, s.answer.results) {
			check, problem = order, wrongOrder(s, got.Results)
		}
		return r.failure(check, problem, resultsDiff(s.answer.results, got.Results), resultList(got.Results))
	}
	if r.howToRead(s).Late && !slices.Equal(got.Late, s.answer.late) {
		check := lateRecords
		if s.answer.check == sessions {
			check = sessions
		}
		return r.failure(check, wrongLate(s, got.Late), lateDiff(s.answer.late, got.Late), "late "+recordList(got.Late))
	}
	return nil
}

func (r *pass) compareWindows(s *step, got []contract.Window) *failure {
	if slices.ContainsFunc(got, wire.MarkedWindow) {
		return r.marked("Assign")
	}
	byStart := func(a, b contract.Window) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	}
	got = slices.SortedFunc(slices.Values(got), byStart)
	if slices.Equal(got, s.windows) {
		return nil
	}
	return r.failure(r.plan.check(), wrongWindows(r.plan, r.now, got), nil, windowList(got))
}

// marked is the failure that what was returned is what a caller wrote into a
// slice that it was given before.
func (r *pass) marked(called string) *failure {
	return &failure{Finding: *grading.Broken(isolation, r.now,
		"%s returned what a caller had written into a slice that it was given earlier; that slice is the caller's, so keep no hold of it.", called)}
}

// failure is that of the present step.
func (r *pass) failure(check, problem string, diff []string, seen string) *failure {
	f := &failure{Finding: *grading.Broken(check, r.now, "%s", problem), seen: seen}
	f.Kind, f.Diff = fault.WrongOutput, diff
	if r.plan.several() {
		f.Check, f.Unless = isolation, check
	}
	return f
}

// intact returns a failure if a slice that its owner overwrote has changed since.
func (r *pass) intact() *failure {
	if !r.reading.Change {
		return nil
	}
	const problem = "A slice that %s returned, and its caller overwrote, was written to later; it is the caller's, so return a new one each time."
	for _, o := range r.operators {
		if !o.KeptIntact() {
			return &failure{Finding: *grading.Broken(isolation, r.now, problem, "an operator")}
		}
	}
	for _, a := range r.made {
		if own, ok := a.(assigner); ok && !own.KeptIntact() {
			return &failure{Finding: *grading.Broken(isolation, r.now, problem, "Assign")}
		}
	}
	return nil
}

// release gives up what was made, so that a guest can free it.
func (r *pass) release() {
	for _, o := range r.operators {
		if remote, ok := o.(wire.Operator); ok {
			fault.Guard(remote.Release) // a dead guest needs no telling
		}
	}
	for _, a := range r.made {
		if remote, ok := a.(wire.Assigner); ok {
			fault.Guard(remote.Release)
		}
	}
}

func owned(o contract.Operator) operator {
	if remote, ok := o.(wire.Operator); ok {
		return remote
	}
	return wire.OwnOperator(o)
}

func ownedAssigner(a contract.Assigner) assigner {
	if same, ok := a.(assigner); ok {
		return same
	}
	return wire.OwnAssigner(a)
}
