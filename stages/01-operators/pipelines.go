package operators

import (
	"github.com/flk-byo/de/harness/schedule"
)

// pipelines are what the parameter of that name can be, each as the operations
// that make it.
var pipelines = []struct{ word, made string }{
	{"identity", "chain 0"},
	{"map", "map number"},
	{"filter", "filter second"},
	{"flat-map", "flat_map split"},
	{"nothing", "filter none"},
	{"own", "own echo"},
	{"chain-of-one", "flat_map pairs, chain 1"},
	{"filter-map", "filter even, map number, chain 2"},
	{"map-filter", "map number, filter even, chain 2"},
	{"map-map", "map double, map inc, chain 2"},
	{"filter-filter", "filter second, filter even, chain 2"},
	{"keys", "map rekey, filter hot, chain 2"},
	{"hot-keys", "filter hot, map rekey, chain 2"},
	{"delayed", "map previous, flat_map pairs, chain 2"},
	{"all-equal", "map zero, filter second, map number, chain 3"},
	{"map-flat-map-filter", "map inc, flat_map around, filter second, chain 3"},
	{"flat-map-map-filter", "flat_map split, map number, filter odd, chain 3"},
	{"flat-map-flat-map", "flat_map split, flat_map growing, chain 2"},
	{"drops-then-many", "flat_map growing, filter second, flat_map around, chain 3"},
	{"own-inside", "map number, own echo, filter second, chain 3"},
	{"own-last", "flat_map around, own skip, chain 2"},
	{"nested-first", "map number, filter odd, chain 2, flat_map pairs, chain 2"},
	{"nested-last", "map number, filter second, flat_map twice, chain 2, chain 2"},
	{"nested-middle", "map number, flat_map split, filter second, chain 2, map negate, chain 3"},
	{"nested-identity", "chain 0, chain 1, map rekey, chain 0, chain 2, chain 2"},
	{"used-twice", "map double, again, chain 2"},
	{"used-three-times", "flat_map twice, again, again, chain 3"},
	{"chain-used-twice", "filter positive, flat_map twice, chain 2, again, map number, chain 3"},
	{"long", "map number, flat_map twice, filter second, map inc, map rekey, filter odd, " +
		"flat_map pairs, map number, own tap, map negate, filter all, flat_map itself, chain 12"},
}

func pipelineNumbers() map[string]int {
	numbers := map[string]int{}
	for i, p := range pipelines {
		numbers[p.word] = i + 1
	}
	return numbers
}

func everyPipeline() []int {
	var all []int
	for i := range pipelines {
		all = append(all, i+1)
	}
	return all
}

// made returns the operations that make the pipeline of a case.
func made(c schedule.Case) []schedule.Op { return script(pipelines[c.Param(pipeline)-1].made) }
