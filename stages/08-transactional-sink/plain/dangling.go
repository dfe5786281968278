package plain

import "fmt"

// dangling tells what breaks the rule: at return no sink holds an open or a
// prepared transaction, not even the one that the crash left.
func (r *reproRun) dangling() string {
	for _, s := range r.sinks {
		if len(s.open) > 0 || len(s.prepared) > 0 {
			return fmt.Sprintf("sink %d is left with %v open and %v prepared", s.number, s.open, s.prepared)
		}
	}
	return ""
}
