package encore_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"runtime"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/flk-byo/de/stages"
	"github.com/flk-byo/de/stages/encore"
	"github.com/flk-byo/de/stages/stream"
)

// all tells to run all scenarios, and not a sample.
var all = os.Getenv("DE_TEST_ALL") != ""

// processLimit is far more than any process takes.
const processLimit = 2 * time.Minute

// records has keys that come again, so that sums matter, and one record twice.
var records = []stream.Record{
	{Key: "a", Value: 1, Time: 10},
	{Key: "b", Value: 2, Time: 20},
	{Key: "a", Value: 0, Time: 10},
	{Key: "ü \"", Value: -4, Time: -5},
	{Key: "b", Value: 5, Time: 30},
}

// runner is a runner of the reference, of which files were changed.
func runner(t *testing.T, store string, changed map[string]string) encore.Runner {
	t.Helper()
	r := encore.Runner{
		Program: program(t, store, changed), Dir: t.TempDir(), Server: server(t, store),
		Records: records, BarrierEvery: 2, Limit: processLimit,
	}
	if store == "kafka" {
		r.Server = broker(t, r.Program)
	}
	return r
}

func storesInFolders() []string {
	return slices.DeleteFunc(encore.Stores(), func(store string) bool { return !encore.InFolder(store) })
}

// program compiles the reference. Changed files are named from encore/ on.
func program(t *testing.T, store string, changed map[string]string) string {
	t.Helper()
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	files := courseFiles(t)
	for name, text := range changed {
		files[path.Join("encore", name)] = &fstest.MapFile{Data: []byte(text)}
	}
	job, err := fs.Sub(files, "encore/reference")
	if err != nil {
		t.Fatal(err)
	}
	b := encore.Builder{Go: goCommand, Store: store, Dir: t.TempDir(), Files: files}
	program, err := b.Build(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func courseFiles(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for _, root := range []string{"stream", "encore"} {
		err := fs.WalkDir(stages.Files, root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(stages.Files, name)
			files[name] = &fstest.MapFile{Data: text}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// some is one in n scenarios, unless all are to be run: 2,900 of a store take four
// minutes on 2 cores. What is left out is near what is run, for those that follow
// each other differ by one call of the second process.
func some(scenarios []encore.Scenario, n int) []encore.Scenario {
	if all {
		return scenarios
	}
	var chosen []encore.Scenario
	for i := 0; i < len(scenarios); i += n {
		chosen = append(chosen, scenarios[i])
	}
	return chosen
}

func TestReferenceIsExactlyOnce(t *testing.T) {
	for _, store := range encore.Stores() {
		t.Run(store, func(t *testing.T) {
			r := runner(t, store, nil)
			moments, err := r.Moments(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			n := sampled(store)
			once := run(t, r, store, encore.Once(moments))
			run(t, r, store, some(encore.Twice(once), n.twice))
			run(t, r, store, encore.Zombies(moments))
			run(t, r, store, some(encore.Held(moments), n.held))
		})
	}
}

// A sample says which part of the scenarios with two processes is run: one in so
// many.
type sample struct{ twice, held int }

// sampled has all that kill twice on the two stores that learners begin with, and
// little on servers, where processes take longer to begin.
func sampled(store string) sample {
	switch store {
	case "sqlite", "file":
		return sample{twice: 1, held: 29}
	case "sqlite-one":
		return sample{twice: 7, held: 29}
	}
	return sample{twice: 35, held: 145}
}

// run fails for outcomes that are not right, and where nothing happened. In one
// phase nothing is ever prepared, and so nothing is aborted.
func run(t *testing.T, r encore.Runner, store string, scenarios []encore.Scenario) []encore.Outcome {
	t.Helper()
	outcomes, err := r.RunAll(t.Context(), scenarios, runtime.NumCPU(), nil)
	if err != nil {
		t.Fatal(err)
	}
	recovered, aborted := 0, 0
	for _, o := range outcomes {
		recovered += o.Recovered
		aborted += o.Aborted
		for _, f := range o.Findings {
			t.Errorf("%s, %q: %s: %s", o.Scenario, o.Places, f.Sign, f.Message)
		}
		if len(o.Places) == 0 {
			t.Errorf("%s: nothing was killed or stopped", o.Scenario)
		}
	}
	t.Logf("%d scenarios: %d transactions recovered, %d aborted", len(outcomes), recovered, aborted)
	if recovered == 0 || (aborted == 0) != (store == "sqlite-one") {
		t.Errorf("%d scenarios, and %d transactions recovered, %d aborted", len(outcomes), recovered, aborted)
	}
	return outcomes
}
