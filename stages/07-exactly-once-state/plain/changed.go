package plain

import (
	"cmp"
	"maps"
	"slices"

	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
)

// reproChanged is a checkpoint that differs in all its parts, so that what comes
// of it can be told from what comes of the memory of the run.
func reproChanged(c contract.Checkpoint, every int) contract.Checkpoint {
	c = reproClone(c)
	if c.State == nil {
		c.State = map[string]int64{}
	}
	if keys := slices.Sorted(maps.Keys(c.State)); len(keys) > 0 {
		switch c.Offset % 3 {
		case 0:
			c.State[keys[0]] += 1000
		case 1:
			c.State[keys[0]] = 0
		default:
			delete(c.State, keys[0])
		}
	}
	c.State["put there by the test"] = 1
	c.ID += 100
	c.Offset = max(c.Offset-every, 0)
	return c
}

// heeds tells what is wrong with what follows the call of Latest at which the
// checkpoint was changed: it must go on from that.
func (r *reproRun) heeds() string {
	at := slices.IndexFunc(r.calls, func(c reproCall) bool { return c.name == "Latest" && c.number == r.change })
	if at < 0 || !r.calls[at].found {
		return ""
	}
	rest := *r
	rest.crash, rest.start, rest.found = contract.NoCrash, r.calls[at].checkpoint, true
	rest.calls = r.calls[at+1:]
	return cmp.Or(rest.cut(), rest.barriers(), rest.wrongResult(), rest.ids())
}

// questions are the numbers of the calls of Latest by which the run may have
// recovered from the crash.
func (r *reproRun) questions() []int {
	calls, _, atStart, ok := r.window()
	if !ok || r.crash == 0 {
		return nil
	}
	var asked []int
	for _, c := range calls {
		if c.name == "Latest" {
			asked = append(asked, c.number)
		}
	}
	if atStart && len(asked) == 2 {
		return asked[1:] // the first is that of the start
	}
	if atStart {
		return nil // it can't be told which
	}
	return asked
}
