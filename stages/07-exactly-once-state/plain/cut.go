package plain

import (
	"fmt"
	"maps"
)

// cut tells what breaks the rule: the State of a checkpoint is the sums of
// exactly the records before its Offset.
func (r *reproRun) cut() string {
	for i, c := range r.calls {
		offset := c.checkpoint.Offset
		if c.name != "Save" || offset < r.start.Offset || offset > len(r.records) {
			continue // that is another rule's
		}
		if want := r.sums(offset); !maps.Equal(c.checkpoint.State, want) {
			if r.afterCrash(i) && r.wrong() {
				return "" // the recovery was wrong before
			}
			return fmt.Sprintf("the checkpoint of offset %d holds %v, want %v", offset, c.checkpoint.State, want)
		}
	}
	return ""
}

// wrongResult tells what is wrong with the result of a run that came to its end.
func (r *reproRun) wrongResult() string {
	if !r.wrong() {
		return ""
	}
	return fmt.Sprintf("the result is %v, want %v", r.result, r.sums(len(r.records)))
}
