package partitionedexchange

const partitionCode = `lent := slices.Clone(records)
parts := s.Partition(lent, %d, %d)
if len(parts) != len(want) {
	t.Fatalf("there are %%d slices instead of %%d", len(parts), len(want))
}
for i := range want {
	if !slices.Equal(parts[i], want[i]) {
		t.Fatalf("subtask %%d gets\n%%+v instead of\n%%+v", i, parts[i], want[i])
	}
}`

// ownerCode is what the caller needs who writes into what it is given.
const ownerCode = `// What is returned is the caller's, who writes into it what is nowhere else, and
// keeps it.
written := int64(0)
var checks []func() // that what was written is still there`

const ownSlicesCode = `for _, check := range checks {
	check()
}
outer, outside := parts, slices.Clone(parts) // one is kept empty, one is looked into
for i, part := range outside {
	written++
	own := stream.Record{Key: "written by the caller", Value: written}
	for j := range part {
		part[j] = own
	}
	if cap(part) > len(part) { // else append makes a copy
		part = append(part, own)
	}
	checks = append(checks, func() {
		for _, r := range part {
			if r != own {
				t.Fatalf("into the slice of subtask %d, which is the caller's, %+v was written: it shares memory", i, r)
			}
		}
	})
}
clear(outer)
checks = append(checks, func() {
	for i, part := range outer {
		if part != nil {
			t.Fatalf("the slice of slices is the caller's, and its entry %d was written to later", i)
		}
	}
})
for _, check := range checks {
	check()
}
if !slices.Equal(lent, records) {
	t.Fatalf("the records, which are only lent, are now\n%+v instead of\n%+v", lent, records)
}`

const intactCode = `for _, check := range checks {
	check()
}`

const cloneCode = `clone := func(all []map[string]int64) []map[string]int64 {
	copies := make([]map[string]int64, len(all))
	for i, m := range all {
		copies[i] = maps.Clone(m)
	}
	return copies
}`

const rescaleCode = `// rescale returns a copy of what Rescale returns.
rescale := func(state []map[string]int64, parallelism int, want []map[string]int64) []map[string]int64 {
	t.Helper()
	lent := clone(state)
	got := s.Rescale(lent, %d, parallelism)
	if len(got) != len(want) {
		t.Fatalf("there are %%d maps instead of %%d", len(got), len(want))
	}
	for i := range want {
		if !maps.Equal(got[i], want[i]) {
			t.Fatalf("new subtask %%d holds\n%%v instead of\n%%v", i, got[i], want[i])
		}
	}
	returned := clone(got)
	%s
	return returned
}`

const ownMapsCode = `for _, check := range checks {
		check()
	}
	for i, m := range got {
		if m == nil {
			continue
		}
		written++
		own := map[string]int64{"written by the caller": written}
		clear(m)
		maps.Copy(m, own)
		checks = append(checks, func() {
			if !maps.Equal(m, own) {
				t.Fatalf("into the map of subtask %d, which is the caller's, was written, so that it is %v: it shares memory", i, m)
			}
		})
	}
	clear(got)
	checks = append(checks, func() {
		for i, m := range got {
			if m != nil {
				t.Fatalf("the slice of maps is the caller's, and its entry %d was written to later", i)
			}
		}
	})
	for _, check := range checks {
		check()
	}
	if !slices.EqualFunc(lent, state, maps.Equal[map[string]int64]) {
		t.Fatalf("the old state, which is only lent, is now\n%v instead of\n%v", lent, state)
	}`
