package plain

import "fmt"

// ids tells what breaks the rule: every checkpoint's ID is positive, and larger
// than that of the latest in the store.
func (r *reproRun) ids() string {
	latest, found := r.start.ID, r.found
	for _, c := range r.calls {
		id := c.checkpoint.ID
		switch {
		case c.name != "Save":
			continue
		case id < 1:
			return fmt.Sprintf("a checkpoint was saved with ID %d, want a positive one", id)
		case found && id <= latest:
			return fmt.Sprintf("a checkpoint was saved with ID %d, and the latest in the store has ID %d", id, latest)
		}
		if c.kept {
			latest, found = id, true
		}
	}
	return ""
}
