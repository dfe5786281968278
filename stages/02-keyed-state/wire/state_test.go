package wire

import (
	"slices"
	"strconv"
	"testing"

	reference "github.com/flk-byo/de/stages/02-keyed-state/reference"

	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/stages/02-keyed-state/contract"
)

// A counted state counts the lookups.
type counted struct {
	contract.State
	lookups int
}

func (s *counted) Get(key string) (int64, bool) {
	s.lookups++
	return s.State.Get(key)
}

// A look at many keys takes several calls, and shows what one would.
func TestLookAtManyKeys(t *testing.T) {
	s := &counted{State: reference.Solution{}.NewState()}
	var asked []string
	for i := range 5 * atOnce / 2 {
		asked = append(asked, strconv.Itoa(1000+i))
		s.Put(asked[i], int64(i))
	}
	most := 0
	var guest *rpc.Peer
	host := rpc.NewHost(func(ref rpc.Ref, method uint32, args []byte) []byte {
		s.lookups = 0
		defer func() { most = max(most, s.lookups) }()
		return guest.Serve(ref, method, args)
	})
	guest = rpc.NewGuest(nil)
	v := State{Object: rpc.Object{Peer: host, Ref: ExportState(guest, s)}}.Look(asked, false, false)
	if most == 0 || most > 2*atOnce {
		t.Errorf("%d lookups in one call", most)
	}
	if !slices.Equal(v.Keys, asked) || len(v.Values) != len(asked) || len(v.Snapshot) != len(asked) || !v.Steady {
		t.Errorf("%d keys, %d values and %d entries of %d; steady: %t", len(v.Keys), len(v.Values), len(v.Snapshot), len(asked), v.Steady)
	}
	for i, value := range v.Values {
		if value != (Value{int64(i), true}) {
			t.Errorf("value %d is %v", i, value)
		}
	}
}
