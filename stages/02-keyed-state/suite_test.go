package keyedstate

import (
	"fmt"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	reference "github.com/flk-byo/de/stages/02-keyed-state/reference"
	"github.com/flk-byo/de/stages/stream"
)

// reductionCase returns a case made by hand.
func reductionCase(records []stream.Record, f, state, forget, operators int) schedule.Case {
	return schedule.Case{
		ID:      fmt.Sprintf("02/test/n=%d,f=%d,state=%d,forget=%d,operators=%d", len(records), f, state, forget, operators),
		Records: records,
		Params: []schedule.Setting{
			{Name: paramFunction, Value: f}, {Name: paramState, Value: state},
			{Name: paramForget, Value: forget}, {Name: paramOperators, Value: operators},
		},
	}
}

func expectPass(t *testing.T, s grading.Subject, c schedule.Case) {
	t.Helper()
	if o := s.Run(c); len(o.Findings) > 0 {
		t.Errorf("%s: %+v", c.ID, o.Findings[0])
	}
}

// streams yields every stream of n records over two keys and two values.
func streams(n int, yield func([]stream.Record)) {
	for code := range 1 << (2 * n) {
		var rs []stream.Record
		for i := range n {
			bits := code >> (2 * i)
			rs = append(rs, stream.Record{Key: []string{"a", ""}[bits&1], Value: []int64{0, -7}[bits>>1&1], Time: int64(5 - i)})
		}
		yield(rs)
	}
}

func TestReferencePassesSmallScope(t *testing.T) {
	s := Native(reference.Solution{})
	runs := 0
	for n := range 4 {
		streams(n, func(rs []stream.Record) {
			for f := range functions {
				for code := range 3 * 3 * 3 {
					expectPass(t, s, reductionCase(rs, f, code%3, code/3%3, code/9))
					runs++
				}
			}
		})
	}
	if runs < 1000 {
		t.Errorf("only %d runs", runs)
	}
}

func TestReferencePassesSequences(t *testing.T) {
	s := Native(reference.Solution{})
	runs := 0
	for c := range sequences() {
		expectPass(t, s, c)
		runs++
	}
	t.Logf("%d sequences", runs)
	if runs < 1000 {
		t.Errorf("only %d sequences", runs)
	}
}
