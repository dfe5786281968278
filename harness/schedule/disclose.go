package schedule

import "github.com/flk-byo/de/harness/strict"

// A Disclosure is how much a student is told of a schedule's cases, where these are
// run by somebody else for marks. Who has the schedule is shown all.
type Disclosure string

const (
	Full       Disclosure = "full"        // as of any case; what a schedule that says nothing is
	ResultOnly Disclosure = "result-only" // a case's ID, the check that it breaks and how; nothing of what it puts in
	Hidden     Disclosure = "hidden"      // how many cases break a check, and nothing of any one
)

// disclosure reads the key "disclose", which may be absent.
func disclosure(v strict.Value) Disclosure {
	if !v.Present() {
		return Full
	}
	word, _ := v.Word(string(Full), string(ResultOnly), string(Hidden))
	return Disclosure(word)
}
