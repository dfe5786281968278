package transactionalsink

import (
	"bytes"

	"github.com/flk-byo/de/stages/08-transactional-sink/wire"
)

// together runs the sequences of a part that are no longer than length as one
// tree: each operation is carried out once for all the sequences that begin with
// it, and what the sinks hold is taken back before the next is tried. It tells
// whether all reads gave what they must; false may also mean that the solution's
// objects can't be taken back. It calls alive before each call.
func (p part) together(run runScripts, alive func(), length int) bool {
	t := tree{scope: p.scope, run: run, alive: alive, right: true}
	t.length = min(p.length, length)
	t.batch = wire.Batch{Records: exploredRecords(), IDs: exploredIDs()}
	t.scenes = make([]scene, t.length+1)
	t.scenes[0].used = 1
	t.begin()
	t.from(p.prefix)
	t.end()
	return t.right
}

// A tree is a part under way.
type tree struct {
	scope
	run    runScripts
	alive  func()
	batch  wire.Batch // up to here
	want   []byte     // what the batch's reads must give
	path   []byte     // the operations from the beginning to here
	scenes []scene    // the beginning, and what each of these came to
	right  bool       // so far
}

// maxScripts is how long the scripts of a batch become, in bytes: some 2,500
// sequences.
const maxScripts = 8 << 10

// from goes on from where the path led to: with the next of the prefix, else with
// all that may follow.
func (t *tree) from(prefix []byte) {
	n := len(t.path)
	alone := t.rarely && n > 0 && len(prefix) == 0 // it is a sequence, too
	if n == t.length {
		if alone {
			t.read(n)
		}
		return
	}
	t.add(wire.OpMark)
	if alone {
		t.read(n)
		t.add(wire.OpBack)
	}
	var space [2*wire.MaxArg + 8]byte
	ops := space[:0]
	if len(prefix) > 0 {
		ops, prefix = append(ops, prefix[0]), prefix[1:]
	} else {
		ops = t.scenes[n].next(t.scope, ops)
	}
	for i, op := range ops {
		if len(t.batch.Scripts) > maxScripts {
			t.end()
			t.begin()
			t.add(wire.OpMark)
		} else if i > 0 {
			t.add(wire.OpBack)
		}
		if !t.right {
			return
		}
		t.scenes[n+1] = t.scenes[n].after(op)
		t.path = append(t.path, op)
		t.last()
		t.from(prefix)
		t.path = t.path[:n]
	}
	t.add(wire.OpDrop)
}

func (t *tree) add(op byte) { t.batch.Scripts = append(t.batch.Scripts, op) }

// last adds the last operation of the path.
func (t *tree) last() {
	n := len(t.path)
	t.add(t.path[n-1])
	if !t.rarely {
		t.read(n)
	}
}

// read adds a read of each sink, after n operations.
func (t *tree) read(n int) {
	s := &t.scenes[n]
	for i := range s.used {
		visible := s.sinks[i].visible.all()
		t.add(wire.OpRead + i)
		t.want = append(append(t.want, byte(len(visible))), visible...)
	}
}

// begin begins a batch, with what leads to here, and a mark before each operation.
func (t *tree) begin() {
	t.batch.Scripts, t.want = append(t.batch.Scripts[:0], wire.OpNew), t.want[:0]
	path := t.path
	for n := range path {
		t.add(wire.OpMark)
		t.path = path[:n+1]
		t.last()
	}
	t.path = path
}

// end has the batch run.
func (t *tree) end() {
	t.alive()
	shown, ok := t.run(t.batch)
	t.right = t.right && ok && bytes.Equal(shown, t.want)
}
