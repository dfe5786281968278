package exactlyoncestate

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
	reference "github.com/flk-byo/de/stages/07-exactly-once-state/reference"
	"github.com/flk-byo/de/stages/stream"
)

// job returns a case made by hand.
func job(records []stream.Record, every, crash, saved int) schedule.Case {
	return schedule.Case{
		ID:      fmt.Sprintf("07/test/n=%d,every=%d,crash=%d,saved=%d", len(records), every, crash, saved),
		Records: records,
		Params: []schedule.Setting{
			{Name: barrierEvery, Value: every, Text: fmt.Sprint(every)},
			{Name: crashAfter, Value: crash, Text: fmt.Sprint(crash)},
			{Name: savedOffset, Value: saved, Text: fmt.Sprint(saved)},
		},
	}
}

// smallScope yields every job up to n records.
func smallScope(n int, yield func(schedule.Case)) {
	for n := range n + 1 {
		for every := 1; every <= n+1; every++ {
			for crash := contract.NoCrash; crash <= n+1; crash++ {
				for saved := noneSaved; saved <= n; saved++ {
					yield(job(scriptRecords(n), every, crash, saved))
				}
			}
		}
	}
}

func expectPass(t *testing.T, s grading.Subject, c schedule.Case) {
	t.Helper()
	o := s.Run(c)
	if len(o.Findings) > 0 {
		t.Errorf("%s: %+v", c.ID, o.Findings[0])
	}
	if len(o.Steps()) == 0 {
		t.Errorf("%s: no timeline", c.ID)
	}
}

func TestReferencePassesSmallScope(t *testing.T) {
	s := Native(reference.Solution{})
	runs := 0
	smallScope(6, func(c schedule.Case) {
		expectPass(t, s, c)
		runs++
	})
	if runs < 1000 {
		t.Errorf("only %d runs", runs)
	}
}

func TestReferencePassesHistories(t *testing.T) {
	s := Native(reference.Solution{})
	seen := map[string]bool{}
	for c := range histories() {
		expectPass(t, s, c)
		if i, problem := checkScript(c.Script); problem != "" {
			t.Errorf("%s: operation %d: %s", c.ID, i, problem)
		}
		if seen[c.ID] {
			t.Errorf("%s comes twice", c.ID)
		}
		seen[c.ID] = true
	}
	t.Logf("%d histories", len(seen))
	if len(seen) < 100 {
		t.Errorf("only %d histories", len(seen))
	}
}

// Every check sends a learner to a heading that the brief has.
func TestSectionsExist(t *testing.T) {
	src, err := os.ReadFile("STAGE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if !strings.Contains(string(src), "\n## "+c.Section+"\n") {
			t.Errorf("%s: STAGE.md has no section %q", c.Name, c.Section)
		}
		if !strings.Contains(string(src), "- **"+c.Name+"**:") {
			t.Errorf("STAGE.md does not tell of %s", c.Name)
		}
	}
}

func TestCheckScript(t *testing.T) {
	for script, refused := range map[string]bool{
		"records 3; every 1; run none":                            false,
		"records 3; every 1; kill_save 1 none; run none":          false,
		"records 3; every 1; run none; records 5; run 1":          false,
		"records 3; saved 9 2; every 2; run none; every 1; run 0": false,
		"every 1; run none":                                       true,
		"records 3; run none":                                     true,
		"records 3; every 1; run none; records 2; run none":       true,
		"records 3; every 1; kill_save 1 none":                    true,
		"records 3; every 1; run none; every 2":                   true,
		"saved 1 0; records 3; every 1; run none":                 true,
		"records 3; saved 1 4; every 1; run none":                 true,
		"records 3; every 1; run none; saved 1 3; run none":       true,
		"records 3; saved 1 1; saved 2 2; every 1; run none":      true,
	} {
		_, problem := checkScript(parse(t, script))
		if (problem != "") != refused {
			t.Errorf("%s: %q", script, problem)
		}
	}
}

// parse reads a history written on one line.
func parse(t *testing.T, script string) []schedule.Op {
	t.Helper()
	id := "07/sequence/" + strings.NewReplacer("; ", ",", " ", "-").Replace(script)
	lenient := spec
	lenient.CheckScript = nil
	c, err := schedule.ParseSequence(id, lenient)
	if err != nil {
		t.Fatal(err)
	}
	return c.Script
}
