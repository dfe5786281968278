package windows

// changesCode stands before what looks at slices, where those are changed.
const changesCode = `// Each slice that is returned is the caller's, who writes into it and keeps it.
// What is written is told apart by a number.
changes := int64(0)
var checks []func() // that they still hold what was written`

const changeCode = `changes++
own := %[1]s{%[2]s}
for i := range got {
	got[i] = own
}
checks = append(checks, func() {
	if i := slices.IndexFunc(got, func(now %[1]s) bool { return now != own }); i >= 0 {
		t.Fatalf("into a slice that was returned earlier, and is the caller's, %%+v was written", got[i])
	}
})
`

const intactCode = `for _, check := range checks {
	check()
}`

const returnsCode = `returns := func(got, want []contract.Result) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("it returns\n%+v instead of\n%+v", got, want)
	}
	// The slice is kept.
}`

const lateCode = `tellsLate := func(got, want []stream.Record) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("Late returns\n%+v instead of\n%+v", got, want)
	}
	// The slice is kept.
}`

const assignsCode = `assigns := func(got, want []contract.Window) { // in any order
	t.Helper()
	sorted := slices.SortedFunc(slices.Values(got), func(a, b contract.Window) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	if !slices.Equal(sorted, want) {
		t.Fatalf("it returns %+v instead of %+v", sorted, want)
	}
	// The slice is kept.
}`

// assignerType is an assigner that is not the solution's.
const assignerType = `// A reproAssigner is an assigner of the caller's own.
type reproAssigner func(t int64) []contract.Window

func (a reproAssigner) Assign(t int64) []contract.Window {
	if t < -1<<61 || t > 1<<61 { // no record has it
		return nil
	}
	return a(t)
}

// reproEvery has windows of a size, one begun at offset plus each multiple of
// slide. The latest comes first.
func reproEvery(size, slide, offset int64) reproAssigner {
	return func(t int64) []contract.Window {
		var all []contract.Window
		for start := t - ((t-offset)%slide+slide)%slide; start+size > t; start -= slide {
			all = append(all, contract.Window{Start: start, End: start + size})
		}
		return all
	}
}
`

// shapeCodes are the assigners of shapes, each as a function.
var shapeCodes = map[int64]string{
	shapeNested: `// reproShape has windows of 20, 10 and 5 from 0 on.
func reproShape(t int64) []contract.Window {
	return slices.Concat(reproEvery(20, 20, 0)(t), reproEvery(10, 10, 0)(t), reproEvery(5, 5, 0)(t))
}
`,
	shapeSquares: `// reproShape has windows from one square number to the next: [0,1), [1,4), [4,9).
func reproShape(t int64) []contract.Window {
	if t < 0 {
		w := reproShape(-t - 1)[0]
		return []contract.Window{{Start: -w.End, End: -w.Start}}
	}
	root := int64(math.Sqrt(float64(t)))
	for root*root > t {
		root--
	}
	for (root+1)*(root+1) <= t {
		root++
	}
	return []contract.Window{{Start: root * root, End: (root + 1) * (root + 1)}}
}
`,
	shapeGaps: `// reproShape has windows of 10, every 20, from 0 on.
func reproShape(t int64) []contract.Window { return reproEvery(10, 20, 0)(t) }
`,
	shapeFan: `// reproShape has windows of 10, 20 and 30 with one end, a multiple of 10.
func reproShape(t int64) []contract.Window {
	w := reproEvery(10, 10, 0)(t)[0]
	return []contract.Window{{Start: w.Start - 10, End: w.End}, w, {Start: w.Start - 20, End: w.End}}
}
`,
}
