package schedule

import (
	"fmt"
	"strings"

	"github.com/flk-byo/de/harness/strict"
)

// Find returns the case with the ID. The error of an ID that isn't there names
// the nearest ones.
func Find(cases []Case, id string) (Case, error) {
	ids := make([]string, len(cases))
	for i, c := range cases {
		if c.ID == id {
			return c, nil
		}
		ids[i] = c.ID
	}
	if near := strict.Closest(id, ids, 3); len(near) > 0 {
		return Case{}, fmt.Errorf("there is no case %q; did you mean one of these?\n  %s", id, strings.Join(near, "\n  "))
	}
	return Case{}, fmt.Errorf("there is no case %q; \"de schedule show\" lists them", id)
}
