package keyedstate

import "github.com/flk-byo/de/stages/stream"

// An answer is what must come of one record.
type answer struct {
	first  bool  // it is the first of its key
	acc    int64 // before it, if it is not the first
	result int64 // the new acc
}

// oracle is the batch answer for the i-th record: the history of its key,
// folded from the left. It is worked out from the records alone.
func oracle(records []stream.Record, i int, p parameters) answer {
	history := p.history(records, i)
	a := answer{first: len(history) == 0, result: records[i].Value}
	if a.first {
		return a
	}
	a.acc = history[0]
	for _, v := range history[1:] {
		a.acc = p.function.apply(a.acc, v)
	}
	a.result = p.function.apply(a.acc, records[i].Value)
	return a
}

// history returns the values that the acc of the i-th record is made of: those
// of the same key before it, in the same state, since the key was last deleted.
func (p parameters) history(records []stream.Record, i int) []int64 {
	start := i
	var n int
	for start > 0 {
		j := start - 1
		if p.meet(records, i, j) {
			if p.forgets(j) {
				break
			}
			n++
		}
		start = j
	}
	values := make([]int64, 0, n)
	for j := start; j < i; j++ {
		if p.meet(records, i, j) {
			values = append(values, records[j].Value)
		}
	}
	return values
}

// meet tells whether two records have one acc.
func (p parameters) meet(records []stream.Record, i, j int) bool {
	return records[i].Key == records[j].Key && p.stateOf(i) == p.stateOf(j)
}
