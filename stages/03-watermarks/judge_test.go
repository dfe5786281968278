package watermarks

import (
	"slices"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/03-watermarks/contract"
	reference "github.com/flk-byo/de/stages/03-watermarks/reference"
	"github.com/flk-byo/de/stages/stream"
)

// A wrong solution answers as the reference does, but for one call, counted
// from 1 over all its objects, where it tells something else.
type wrong struct {
	reference reference.Solution
	at        int
	tells     answer
	calls     *int
}

func (w wrong) BoundedOutOfOrderness(maxDelay int64) contract.Generator {
	return wrongObject{w, w.reference.BoundedOutOfOrderness(maxDelay), nil}
}

func (w wrong) NewMerger(channels int) contract.Merger {
	return wrongObject{w, nil, w.reference.NewMerger(channels)}
}

type wrongObject struct {
	wrong
	generator contract.Generator
	merger    contract.Merger
}

func (o wrongObject) Observe(r stream.Record) (stream.Watermark, bool) {
	return o.answer(o.generator.Observe(r))
}

func (o wrongObject) Update(ch int, w stream.Watermark) (stream.Watermark, bool) {
	return o.answer(o.merger.Update(ch, w))
}

func (o wrongObject) Idle(ch int) (stream.Watermark, bool)   { return o.answer(o.merger.Idle(ch)) }
func (o wrongObject) Finish(ch int) (stream.Watermark, bool) { return o.answer(o.merger.Finish(ch)) }

func (o wrongObject) answer(w stream.Watermark, told bool) (stream.Watermark, bool) {
	*o.calls++
	if *o.calls == o.at {
		return o.tells.watermark, o.tells.told
	}
	return w, told
}

// sequence is the case of a script, in the words of a case ID.
func sequence(t *testing.T, words string) schedule.Case {
	t.Helper()
	c, err := schedule.ParseSequence("03/sequence/"+words, spec)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Each check is passed by the reference and broken by one wrong answer, to the
// last call of a script.
func TestJudge(t *testing.T) {
	none := answer{}
	tells := func(w stream.Watermark) answer { return answer{w, true} }
	for _, test := range []struct {
		check  string
		script string
		last   answer
	}{
		{delay, "max_delay-3,observe-10", tells(7)},
		{delay, "max_delay-3,observe-10,observe-8,observe-12", tells(9)},
		{progress, "max_delay-3,observe-10", none},
		{progress, "max_delay-3,observe-10,observe-8", tells(4)},
		{progress, "max_delay-3,observe-10,observe-11", none},
		{underflow, "max_delay-3,observe-min", tells(stream.MaxWatermark - 3)},
		{underflow, "max_delay-3,observe-min", none},
		{underflow, "max_delay-0,observe-max,observe-min", tells(stream.MaxWatermark)},
		{minimum, "channels-2,update-0-5,update-1-3", tells(5)},
		{minimum, "channels-2,update-0-5,update-1-3", none},
		{firstReport, "channels-2,update-0-5", tells(5)},
		{neverBack, "channels-1,update-0-5,update-0-3", tells(3)},
		{neverBack, "channels-1,update-0-5,update-0-5", tells(5)},
		{neverBack, "channels-2,update-0-5,update-0-3,update-1-9", tells(3)},
		{neverBack, "channels-2,update-0-2,update-1-5,idle-0,update-0-3", tells(3)},
		{idle, "channels-2,update-0-5,idle-1", none},
		{idle, "channels-2,idle-1,update-0-5", none},
		{allIdle, "channels-2,update-0-5,idle-0,idle-1", tells(5)},
		{allIdle, "channels-1,idle-0", tells(stream.MaxWatermark)},
		{resume, "channels-1,idle-0,update-0-5", none},
		{resume, "channels-2,update-0-2,update-1-5,idle-0,update-0-3,update-1-9", tells(9)},
		{finish, "channels-2,update-0-5,finish-1", none},
		{finish, "channels-2,finish-1", tells(stream.MaxWatermark)},
		{finish, "channels-2,finish-1,idle-0", tells(stream.MaxWatermark)},
		{finish, "channels-2,finish-0,update-0-3,update-1-5", tells(3)},
		{end, "channels-1,update-0-5,finish-0", none},
		{end, "channels-1,update-0-5,finish-0", tells(5)},
		{end, "channels-1,finish-0,finish-0", tells(stream.MaxWatermark)},
		{isolation, "channels-1,update-0-5,channels-1,update-0-3", none},
		{isolation, "max_delay-0,observe-9,max_delay-0,observe-3", none},
	} {
		c := sequence(t, test.script)
		if got := broken(Native(reference.Solution{}).Run(c)); got != nil {
			t.Errorf("%s: the reference breaks %v", c.ID, got)
		}
		calls := 0
		for _, o := range planOf(c).objects {
			calls += len(o.calls)
		}
		o := Native(wrong{at: calls, tells: test.last, calls: new(int)}).Run(c)
		if got := broken(o); !slices.Equal(got, []string{test.check}) {
			t.Errorf("%s: breaks %v, want %s", c.ID, got, test.check)
			continue
		}
		if rows := o.Steps(); len(rows) != len(c.Script) || rows[o.Findings[0].Step].Note == "" {
			t.Errorf("%s: step %d of the timeline does not show it: %+v", c.ID, o.Findings[0].Step, rows)
		}
	}
}

// What is wrong without another object, too, is not for want of isolation.
func TestWrongAloneIsNotShared(t *testing.T) {
	c := sequence(t, "channels-1,update-0-5,channels-2,update-0-3,update-1-1")
	calls := new(int)
	s := Native(wrong{at: 3, tells: answer{3, true}, calls: calls}).(subject)
	s.restart = func() contract.Stage { *calls = 1; return s.solution } // which is wrong at 3 again
	if got := broken(s.Run(c)); !slices.Equal(got, []string{minimum}) {
		t.Errorf("breaks %v, want %s", got, minimum)
	}
}

// A reading of the clock is no-sleep's business, and nothing else's.
func TestNoSleep(t *testing.T) {
	s := Native(reference.Solution{}).(subject)
	s.watched = func(function string) bool { return function == "time.Now" }
	if got := broken(s.Run(sequence(t, "channels-1,update-0-5"))); !slices.Equal(got, []string{noSleep}) {
		t.Errorf("breaks %v, want %s", got, noSleep)
	}
}

// A solution that dies breaks the check that the call at hand is there for.
func TestDeath(t *testing.T) {
	for script, want := range map[string]string{
		"max_delay-3,observe-1":                   delay,
		"max_delay-3,observe-min":                 underflow,
		"channels-2,update-0-5":                   minimum,
		"channels-2,idle-0":                       idle,
		"channels-2,idle-0,finish-0":              finish,
		"channels-2,idle-0,update-0-3,update-1-4": resume,
	} {
		c := sequence(t, script)
		last := len(c.Script) - 1
		o := Native(dying{last, new(int)}).Run(c)
		if got := broken(o); !slices.Equal(got, []string{want}) || o.Findings[0].Step != last {
			t.Errorf("%s: breaks %v, want %s", script, got, want)
		}
		if got := checkOf(c); got != want {
			t.Errorf("%s is there for %s, want %s", script, got, want)
		}
	}
}

// A dying solution tells nothing, and panics at its last call.
type dying struct {
	last  int
	calls *int
}

func (d dying) BoundedOutOfOrderness(int64) contract.Generator { return d }
func (d dying) NewMerger(int) contract.Merger                  { return d }

func (d dying) Observe(stream.Record) (stream.Watermark, bool)        { return d.call() }
func (d dying) Update(int, stream.Watermark) (stream.Watermark, bool) { return d.call() }
func (d dying) Idle(int) (stream.Watermark, bool)                     { return d.call() }
func (d dying) Finish(int) (stream.Watermark, bool)                   { return d.call() }

func (d dying) call() (stream.Watermark, bool) {
	if *d.calls++; *d.calls == d.last {
		panic("the end")
	}
	return 0, false
}

func broken(o grading.Outcome) []string {
	var checks []string
	for _, f := range o.Findings {
		checks = append(checks, f.Check)
	}
	return checks
}
