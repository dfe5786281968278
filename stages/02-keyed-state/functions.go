package keyedstate

// A function is one that a stream is reduced by. It is the host's: a solution
// can only call it.
type function struct {
	name  string
	apply func(acc, v int64) int64
}

// functions are what they are called. Sums wrap around, as Go's do.
var functions = []function{
	{"sum", func(acc, v int64) int64 { return acc + v }},
	{"mix", func(acc, v int64) int64 { return 31*acc + v }}, // neither commutative nor associative
	{"minus", func(acc, v int64) int64 { return acc - v }},
	{"max", func(acc, v int64) int64 { return max(acc, v) }},
	{"min", func(acc, v int64) int64 { return min(acc, v) }},
	{"last", func(_, v int64) int64 { return v }},
	{"first", func(acc, _ int64) int64 { return acc }},
	{"count", func(acc, _ int64) int64 { return acc + 1 }},
	{"zero", func(_, _ int64) int64 { return 0 }},
}
