package grading

import (
	"testing"
	"time"

	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/fault"
)

// shelf is a Keeper in memory.
type shelf map[string][]byte

func (s shelf) Load(key string) ([]byte, bool) { text, ok := s[key]; return text, ok }
func (s shelf) Save(key string, text []byte)   { s[key] = text }

// Each thing that a result depends on makes a key of its own; what asks for more
// than is kept has none.
func TestKey(t *testing.T) {
	config := Config{Keeper: shelf{}, Fingerprint: "program", Seed: 1, Seeds: 3}
	stage := Stage{Suite: testSuite, Package: build.Package{Folder: "x"}}
	seen := map[string]string{config.key(stage, "digest"): "the first"}
	for name, change := range map[string]func(*Config, *Stage) string{
		"digest":      func(*Config, *Stage) string { return "other" },
		"fingerprint": func(c *Config, _ *Stage) string { c.Fingerprint = "other"; return "digest" },
		"seed":        func(c *Config, _ *Stage) string { c.Seed = 2; return "digest" },
		"seeds":       func(c *Config, _ *Stage) string { c.Seeds = 2; return "digest" },
		"suite":       func(_ *Config, s *Stage) string { s.Suite.ID = "other"; return "digest" },
		"folder":      func(_ *Config, s *Stage) string { s.Package.Folder = "other"; return "digest" },
		"explore":     func(_ *Config, s *Stage) string { s.Explore = true; return "digest" },
		"longer":      func(_ *Config, s *Stage) string { s.Longer = 1; return "digest" },
	} {
		c, s := config, stage
		digest := change(&c, &s)
		key := c.key(s, digest)
		if seen[key] != "" || key == "" {
			t.Errorf("another %s has the key %q of %s", name, key, seen[key])
		}
		seen[key] = name
	}
	for name, change := range map[string]func(*Config, *Stage){
		"observed":  func(c *Config, _ *Stage) { c.Observe = true },
		"explained": func(c *Config, _ *Stage) { c.Explain = true },
		"each":      func(c *Config, _ *Stage) { c.Each = true },
		"nearby":    func(_ *Config, s *Stage) { s.Nearby = []Near{{}} },
		"no keeper": func(c *Config, _ *Stage) { c.Keeper = nil },
	} {
		c, s := config, stage
		if change(&c, &s); c.key(s, "digest") != "" {
			t.Errorf("a result is kept: %s", name)
		}
	}
	if config.key(stage, "") != "" {
		t.Error("a result is kept of what nothing is known of")
	}
}

func TestLasting(t *testing.T) {
	passed := StageReport{Verdict: Pass, Checks: []CheckReport{{Verdict: Pass}}}
	failed := func(kind fault.Kind, others Verdict) StageReport {
		return StageReport{Verdict: Fail, Failure: &Failure{}, Checks: []CheckReport{{Verdict: Fail, Kind: kind}, {Verdict: others}}}
	}
	tests := []struct {
		name   string
		report StageReport
		want   bool
	}{
		{"pass", passed, true},
		{"fail", failed(fault.WrongOutput, Pass), true},
		{"fail with blocked checks", failed(fault.Panic, Blocked), true},
		{"time limit", failed(fault.TimeLimit, Pass), false},
		{"not all ran", failed(fault.WrongOutput, Inconclusive), false},
		{"inconclusive", StageReport{Verdict: Inconclusive}, false},
		{"does not compile", StageReport{Verdict: Fail, Kind: fault.DoesNotCompile}, false},
		{"blocked", StageReport{Verdict: Blocked}, false},
	}
	for _, test := range tests {
		if got := test.report.lasting(); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// What a Keeper gives is taken if it is the result that is asked for.
func TestKeptOrDamaged(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	on := shelf{}
	r := &run{
		Config:  Config{Keeper: on, Stages: []Stage{{Suite: testSuite, Package: build.Package{Folder: "x"}}}, Now: func() time.Time { return now }},
		records: []*record{{own: true}}, survey: build.Survey{Digests: map[string]string{"x": "digest"}},
	}
	key := r.key(r.Stages[0], "digest")
	r.keep(0, StageReport{Stage: "t", Verdict: Pass, Elapsed: Millis(time.Second)})
	k := r.load(key)
	if k == nil || k.report().Stage != "t" || k.report().Elapsed != 0 || !k.report().UnchangedSince.Equal(now) {
		t.Fatalf("kept %+v", k)
	}
	on["another"] = on[key]
	for name, text := range map[string]string{"empty": "", "cut off": string(on[key][:len(on[key])/2]), "no JSON": "x", "another's": `{"key":"y"}`} {
		on[key] = []byte(text)
		if r.load(key) != nil {
			t.Errorf("%s: taken", name)
		}
	}
	if r.load("another") != nil {
		t.Error("a result is taken for another")
	}
}
