package stages_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages"
	operators "github.com/flk-byo/de/stages/01-operators"
	operatorsreference "github.com/flk-byo/de/stages/01-operators/reference"
	keyedstate "github.com/flk-byo/de/stages/02-keyed-state"
	keyedstatereference "github.com/flk-byo/de/stages/02-keyed-state/reference"
	watermarks "github.com/flk-byo/de/stages/03-watermarks"
	watermarksreference "github.com/flk-byo/de/stages/03-watermarks/reference"
	windows "github.com/flk-byo/de/stages/04-windows"
	windowsreference "github.com/flk-byo/de/stages/04-windows/reference"
	partitionedexchange "github.com/flk-byo/de/stages/05-partitioned-exchange"
	partitionedexchangereference "github.com/flk-byo/de/stages/05-partitioned-exchange/reference"
	checkpointbarriers "github.com/flk-byo/de/stages/06-checkpoint-barriers"
	checkpointbarriersreference "github.com/flk-byo/de/stages/06-checkpoint-barriers/reference"
	exactlyoncestate "github.com/flk-byo/de/stages/07-exactly-once-state"
	exactlyoncestatereference "github.com/flk-byo/de/stages/07-exactly-once-state/reference"
	transactionalsink "github.com/flk-byo/de/stages/08-transactional-sink"
	transactionalsinkreference "github.com/flk-byo/de/stages/08-transactional-sink/reference"
)

// references are those of the stages, run in this process.
var references = map[string]grading.Subject{
	"01": operators.Native(operatorsreference.Solution{}),
	"02": keyedstate.Native(keyedstatereference.Solution{}),
	"03": watermarks.Native(watermarksreference.Solution{}),
	"04": windows.Native(windowsreference.Solution{}),
	"05": partitionedexchange.Native(partitionedexchangereference.Solution{}),
	"06": checkpointbarriers.Native(checkpointbarriersreference.Solution{}),
	"07": exactlyoncestate.Native(exactlyoncestatereference.Solution{}),
	"08": transactionalsink.Native(transactionalsinkreference.Solution{}),
}

// Every situation of a stage comes up in some case of its schedules, and no other
// situation does. What exploration comes to does not count, so that a schedule
// which loses a case is noticed.
func TestSituationsComeUp(t *testing.T) {
	for _, suite := range stages.All() {
		t.Run(suite.ID, func(t *testing.T) {
			came := map[string]bool{}
			for _, s := range suite.Situations {
				came[s.Name] = false
			}
			for _, c := range cases(t, suite) {
				o := references[suite.ID].Run(c)
				if o.Situations == nil {
					t.Fatalf("%s does not tell which situations came up", c.ID)
				}
				for _, name := range o.Situations() {
					if _, ok := came[name]; !ok {
						t.Fatalf("%s: %s is no situation of the stage", c.ID, name)
					}
					came[name] = true
				}
			}
			for _, s := range suite.Situations {
				if !came[s.Name] {
					t.Errorf("no case comes to %s: %s", s.Name, s.Doc)
				}
			}
		})
	}
}

// cases are those of a stage's schedules.
func cases(t *testing.T, suite grading.Suite) []schedule.Case {
	t.Helper()
	var all []schedule.Case
	for _, path := range fixtures.Schedules(suite.ID) {
		src, err := fixtures.Files.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := schedule.Load(path, src, suite.Spec, fixtures.Files)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f.Cases...)
	}
	return all
}

var (
	kebabCase = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	sentence  = regexp.MustCompile(`^[A-Z].*\.$`)
)

// A situation has a name of its own, and one sentence that says what it is.
func TestSituationsAreNamed(t *testing.T) {
	for _, suite := range stages.All() {
		t.Run(suite.ID, func(t *testing.T) {
			names := map[string]bool{}
			for _, s := range suite.Situations {
				if !kebabCase.MatchString(s.Name) || names[s.Name] {
					t.Errorf("%q is no name in kebab case, or comes twice", s.Name)
				}
				names[s.Name] = true
				if !sentence.MatchString(s.Doc) || strings.Contains(s.Doc, ". ") {
					t.Errorf("%s: %q is not one sentence", s.Name, s.Doc)
				}
			}
			if len(names) == 0 {
				t.Error("there are none")
			}
		})
	}
}
