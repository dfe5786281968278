package grading

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/fault"
)

// A Keeper keeps results of stages between runs. What it gives may be anything:
// an entry that is damaged counts as none.
type Keeper interface {
	Load(key string) ([]byte, bool)
	Save(key string, result []byte)
}

// A kept is a stage's report as a [Keeper] has it.
type kept struct {
	Key    string      `json:"key"`
	Since  time.Time   `json:"since"`
	Report StageReport `json:"report"`
}

// key stands for all that the result of a stage depends on. It is empty for a
// stage whose result is not kept.
func (c Config) key(s Stage, digest string) string {
	if c.Keeper == nil || digest == "" || c.Observe || c.Explain || c.Each || len(s.Nearby) > 0 {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q %s %q %s %d %d %v %d\n",
		c.Fingerprint, s.Suite.ID, s.Package.Folder, digest, c.Seed, c.Seeds, s.Explore, s.Longer)
	return hex.EncodeToString(h.Sum(nil))
}

// recall takes the stages that were judged before just as they are, and returns
// the others.
func (r *run) recall() (group, error) {
	var rest group
	var seen build.Survey
	if r.Keeper != nil {
		var all group
		for i := range r.Stages {
			all = append(all, i)
		}
		var err error
		if seen, err = build.Examine(r.packages(all), r.Others); err != nil {
			return nil, err
		}
		r.survey.Add(seen)
	}
	for i, s := range r.Stages {
		if r.records[i].own = s.Cases == nil; r.records[i].own {
			r.records[i].kept = r.load(r.key(s, seen.Digests[r.folder(i)]))
		}
		if r.records[i].kept == nil {
			rest = append(rest, i)
		}
	}
	return rest, r.loadCases(rest)
}

// loadCases loads the cases of some stages, side by side.
func (r *run) loadCases(g group) error {
	if r.Config.Cases == nil {
		return nil
	}
	errs := make([]error, len(g))
	var wait sync.WaitGroup
	for k, i := range g {
		wait.Go(func() {
			s := &r.Stages[i]
			if s.Cases == nil {
				s.Cases, errs[k] = r.Config.Cases(s.Suite)
			}
			r.records[i].stage.Cases = s.Cases
		})
	}
	wait.Wait()
	return cmp.Or(errs...)
}

// load returns what is kept under a key, or nil.
func (r *run) load(key string) *kept {
	if key == "" {
		return nil
	}
	text, ok := r.Keeper.Load(key)
	var k kept
	if !ok || json.Unmarshal(text, &k) != nil || k.Key != key {
		return nil
	}
	return &k
}

// keep keeps the report of a stage, if it says all that there is to say.
func (r *run) keep(i int, report StageReport) {
	rec := r.records[i]
	if r.Keeper == nil || !rec.own || rec.kept != nil || !report.lasting() {
		return
	}
	key := r.key(r.Stages[i], r.survey.Digests[r.folder(i)])
	if key == "" {
		return
	}
	text, err := json.Marshal(kept{key, r.Now().Round(0), report})
	if err != nil {
		panic(err) // it is made of plain values
	}
	r.Keeper.Save(key, text)
}

// report is the stage's report as it was, but for the time it took.
func (k *kept) report() StageReport {
	report := k.Report
	report.UnchangedSince, report.Elapsed = &k.Since, 0
	return report
}

// lasting tells whether the result is the same at each run: what came to no end,
// or to one by the clock, may be another next time.
func (s StageReport) lasting() bool {
	if s.Verdict != Pass && (s.Verdict != Fail || s.Failure == nil) {
		return false
	}
	for _, c := range s.Checks {
		if c.Kind == fault.TimeLimit || c.Verdict == Inconclusive {
			return false
		}
	}
	return true
}
