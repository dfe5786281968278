package operators

import (
	"iter"
	"math"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/stages/stream"
)

var situations = slices.Concat(useSigns.Situations(), callSigns.Situations())

// situations returns the names of those that came up in an attempt.
func (a *attempt) situations() []string {
	return append(useSigns.During(a.usings()), callSigns.During(a.callings())...)
}

// useSigns are told by the use of an operator, and those before it.
var useSigns = grading.Signs[using]{
	{"empty-source", "A source without records is run.", func(u using) bool { return u.run() && len(u.source) == 0 }},
	{"record-without-a-key", "A record has the empty key.", func(u using) bool {
		return slices.ContainsFunc(u.source, func(r stream.Record) bool { return r.Key == "" })
	}},
	{"value-at-a-limit", "The value of a record is the least or the largest there is.", func(u using) bool {
		return slices.ContainsFunc(u.source, func(r stream.Record) bool { return r.Value == math.MinInt64 || r.Value == math.MaxInt64 })
	}},
	{"nothing-comes-out", "There are records, and nothing comes of any.", func(u using) bool {
		return u.run() && len(u.source) > 0 && len(u.due) == 0
	}},
	{"more-comes-out-than-in", "More records come out than went in.", func(u using) bool { return u.run() && len(u.due) > len(u.source) }},
	{"source-comes-out", "What comes out is the source.", func(u using) bool {
		return u.run() && len(u.due) > 0 && slices.Equal(u.due, u.source)
	}},
	{"start-of-the-source-comes-out", "What comes out is the start of the source.", func(u using) bool {
		return u.run() && 0 < len(u.due) && len(u.due) < len(u.source) && slices.Equal(u.due, u.source[:len(u.due)])
	}},
	{"more-than-a-hundred-come-out", "More than a hundred records come out.", func(u using) bool { return len(u.due) > 100 }},
	{"equal-records-come-out", "A record comes out that equals the one before it.", func(u using) bool {
		return slices.ContainsFunc(neighbours(u.due), func(p pair) bool { return p.before == p.record })
	}},
	{"times-fall", "A record comes out whose time is before that of the one before it.", func(u using) bool {
		return slices.ContainsFunc(neighbours(u.due), func(p pair) bool { return p.record.Time < p.before.Time })
	}},

	{"chain-of-none", "A record comes to a chain of no operators.", func(u using) bool {
		return u.chain() && len(u.node.parts) == 0 && len(u.source) > 0
	}},
	{"chain-of-one", "A record comes to a chain of one operator.", func(u using) bool {
		return u.chain() && len(u.node.parts) == 1 && len(u.source) > 0
	}},
	{"chain-in-a-chain", "A record comes to a chain of chains.", func(u using) bool {
		return len(u.source) > 0 && slices.ContainsFunc(u.node.parts, func(p *node) bool { return p.op.Name == opChain && len(p.parts) > 0 })
	}},
	{"chain-of-none-in-a-chain", "A record comes to a chain of which one operator is a chain of none.", func(u using) bool {
		return len(u.source) > 0 && slices.ContainsFunc(u.node.parts, func(p *node) bool { return p.op.Name == opChain && len(p.parts) == 0 })
	}},
	{"chain-of-more-than-eight", "A record comes to a chain of more than eight operators.", func(u using) bool {
		return len(u.source) > 0 && len(u.node.leaves()) > 8
	}},
	{"several-records-through-a-chain", "A source of two or more records is run through a chain of two or more operators.", func(u using) bool {
		return u.run() && len(u.source) > 1 && u.chain() && len(u.node.leaves()) > 1
	}},
	{"operator-twice-in-a-chain", "A record comes to a chain that has one operator twice.", func(u using) bool {
		leaves := u.node.leaves()
		return len(u.source) > 0 && slices.ContainsFunc(leaves, func(n *node) bool { return slices.Index(leaves, n) != lastIndex(leaves, n) })
	}},
	{"foreign-operator", "An operator of the caller's own is run.", func(u using) bool {
		return u.run() && u.node.op.Name == opOwn && len(u.source) > 0
	}},
	{"foreign-operator-in-a-chain", "A record comes to a chain with an operator of the caller's own.", func(u using) bool {
		return u.chain() && len(u.source) > 0 && slices.ContainsFunc(u.node.leaves(), func(n *node) bool { return n.op.Name == opOwn })
	}},

	{"run-again", "An operator is run that was run before.", func(u using) bool {
		return u.run() && slices.ContainsFunc(u.earlier, func(e entry) bool { return e.node == u.node && e.op.Name == opRun && len(e.due) > 0 })
	}},
	{"run-of-fewer-after-one-of-more", "A run gives fewer records than one before it.", func(u using) bool {
		return u.run() && len(u.due) > 0 && slices.ContainsFunc(u.earlier, func(e entry) bool { return e.op.Name == opRun && len(e.due) > len(u.due) })
	}},
	{"operators-in-turns", "An operator is used again, and another was used in between.", func(u using) bool {
		n := len(u.earlier)
		return n > 1 && u.earlier[n-1].node != u.node && slices.ContainsFunc(u.earlier[:n-1], func(e entry) bool { return e.node == u.node })
	}},
	{"operator-alone-and-in-a-chain", "An operator is used by itself and as part of a chain.", func(u using) bool {
		return slices.ContainsFunc(u.earlier, func(e entry) bool { return e.node != u.node && (e.node.has(u.node) || u.node.has(e.node)) })
	}},
	{"operator-in-two-chains", "Two chains are used that have an operator in common.", func(u using) bool {
		return slices.ContainsFunc(u.earlier, func(e entry) bool {
			return !e.node.has(u.node) && !u.node.has(e.node) && slices.ContainsFunc(e.node.leaves(), u.node.has)
		})
	}},
}

// callSigns are told by a call of a function of ours, and those before it.
var callSigns = grading.Signs[calling]{
	{"function-that-remembers", "A function gets a record again, and gives something else than before.", func(c calling) bool {
		return slices.ContainsFunc(c.earlier, func(e calling) bool { return e.record == c.record && !slices.Equal(e.gave, c.gave) })
	}},
	{"filter-keeps-after-it-dropped", "A filter keeps a record, and dropped the one before it.", func(c calling) bool {
		return c.is(opFilter) && len(c.gave) == 1 && c.before() != nil && len(c.before().gave) == 0
	}},
	{"filter-keeps-equal-records", "A filter keeps a record that equals the one before it, which it kept.", func(c calling) bool {
		return c.is(opFilter) && len(c.gave) == 1 && c.before() != nil && slices.Equal(c.before().gave, c.gave)
	}},
	{"map-returns-the-zero-record", "A map returns the zero record, and gets another.", func(c calling) bool {
		return c.is(opMap) && c.gave[0] == stream.Record{} && c.record != stream.Record{}
	}},
	{"map-returns-the-record-itself", "A map returns the record that it gets.", func(c calling) bool {
		return c.is(opMap) && c.gave[0] == c.record
	}},
	{"map-changes-key-or-time", "A map returns a record of another key or time.", func(c calling) bool {
		return c.is(opMap) && (c.gave[0].Key != c.record.Key || c.gave[0].Time != c.record.Time)
	}},
	{"flat-map-emits-nothing", "A flat-map emits nothing for a record, and emitted something for the one before.", func(c calling) bool {
		return c.is(opFlatMap) && len(c.gave) == 0 && c.before() != nil && len(c.before().gave) > 0
	}},
	{"flat-map-emits-several", "A flat-map emits records that differ for one.", func(c calling) bool {
		return c.is(opFlatMap) && len(c.gave) > 1 && c.gave[0] != c.gave[1]
	}},
	{"flat-map-emits-equal-records", "A flat-map emits the same record twice for one.", func(c calling) bool {
		return c.is(opFlatMap) && len(c.gave) > 1 && c.gave[0] == c.gave[1]
	}},
	{"several-records-within-a-chain", "An operator in a chain emits several records for one, and another operator follows.", func(c calling) bool {
		return c.follows && len(c.gave) > 1
	}},
	{"record-dropped-within-a-chain", "An operator in a chain emits nothing, and another operator follows.", func(c calling) bool {
		return c.follows && len(c.gave) == 0
	}},
}

// A using is the use of an operator, and those before it in the same attempt.
type using struct {
	entry
	earlier []entry
}

// usings are those of an attempt that came to their end.
func (a *attempt) usings() iter.Seq[using] {
	return func(yield func(using) bool) {
		var earlier []entry
		for _, e := range a.log {
			if !e.uses() || !e.over {
				continue
			}
			if !yield(using{e, earlier}) {
				return
			}
			earlier = append(earlier, e)
		}
	}
}

func (u using) run() bool   { return u.op.Name == opRun }
func (u using) chain() bool { return u.node.op.Name == opChain }

// A calling is a call of the function of a leaf.
type calling struct {
	leaf    *node
	record  stream.Record
	gave    []stream.Record
	follows bool      // the leaf is in a chain, and another comes after it, at its last place too
	earlier []calling // of the same function, in the same attempt
}

// callings are the calls of an attempt, as the trace has them.
func (a *attempt) callings() iter.Seq[calling] {
	return func(yield func(calling) bool) {
		earlier := map[*node][]calling{}
		for _, e := range a.log {
			leaves := e.node.leaves()
			for i, event := range e.trace.events {
				if event.kind != called {
					continue
				}
				c := calling{
					leaf: event.leaf, record: event.record, gave: e.trace.gave[i],
					follows: lastIndex(leaves, event.leaf) < len(leaves)-1, earlier: earlier[event.leaf],
				}
				if !yield(c) {
					return
				}
				earlier[event.leaf] = append(earlier[event.leaf], c)
			}
		}
	}
}

func (c calling) is(op string) bool { return c.leaf.op.Name == op }

// before is the last call of the same function, or nil.
func (c calling) before() *calling {
	if len(c.earlier) == 0 {
		return nil
	}
	return &c.earlier[len(c.earlier)-1]
}

// A pair is a record and the one before it.
type pair struct{ before, record stream.Record }

func neighbours(records []stream.Record) []pair {
	var all []pair
	for i := 1; i < len(records); i++ {
		all = append(all, pair{records[i-1], records[i]})
	}
	return all
}

func lastIndex(nodes []*node, n *node) int {
	at := -1
	for i, other := range nodes {
		if other == n {
			at = i
		}
	}
	return at
}
