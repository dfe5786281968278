package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/lipgloss"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/report"
	"github.com/flk-byo/de/harness/fault"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the report differs from %s; got:\n%s", path, got)
	}
}

func text(t *testing.T, r grading.Report, o report.Options) string {
	t.Helper()
	return written(t, func(w io.Writer) error { return report.Text(w, r, o) })
}

func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	for _, s := range samples() {
		t.Run(s.name, func(t *testing.T) {
			golden(t, s.name+".txt", text(t, s.report, report.Options{}))
		})
	}
}

// explained is a sample as de explain shows it.
func explained() grading.Report {
	s := wrongOutput()
	s.Failure.Steps = slices.Clone(s.Failure.Steps)
	for i := range s.Failure.Steps {
		s.Failure.Steps[i].Place = fmt.Sprintf("08-transactional-sink/sink.go:%d", 60+i)
	}
	s.Failure.Unsafe = 4
	s.Nearby = []grading.NearReport{
		{Words: "1 record instead of 2", Case: "08/distinct/n=1,every=1,crash=1,lag=1", Verdict: grading.Pass},
		{Words: "commit_lag 0 instead of 1", Case: "08/distinct/n=2,every=1,crash=1,lag=0", Verdict: grading.Pass},
		{Words: "commit_lag 2 instead of 1", Case: "08/distinct/n=2,every=1,crash=1,lag=2", Verdict: grading.Fail, Check: "eos-output"},
		{Words: "crash_after 2 instead of 1", Case: "08/distinct/n=2,every=1,crash=2,lag=1", Verdict: grading.Inconclusive},
	}
	return reportOf(s)
}

func explain(t *testing.T, r grading.Report, o report.Options) string {
	t.Helper()
	return written(t, func(w io.Writer) error { return report.Explain(w, r, o) })
}

// Where times are told elsewhere, as of a class, none is made up.
func TestPassWithoutTimes(t *testing.T) {
	one, two := reportOf(stage08()), reportOf(stage08(), stage08())
	for _, r := range []grading.Report{one, two} {
		for i := range r.Stages {
			r.Stages[i].Elapsed = 0
		}
		r.Elapsed = 0
		if got := explain(t, r, report.Options{}); !strings.HasPrefix(got, "PASS  ") || strings.Contains(got, "0.00 s") {
			t.Errorf("without times it is\n%s", got)
		}
	}
}

func TestExplain(t *testing.T) {
	r := explained()
	golden(t, "explain.txt", explain(t, r, report.Options{}))
	at := &r.Stages[0].Failure.Finding[0]
	at.Step, r.Stages[0].Failure.Unsafe = -1, -1
	golden(t, "explain-result.txt", explain(t, r, report.Options{}))
	at.Step, r.Stages[0].Failure.Unsafe = 4, 4
	golden(t, "explain-at-once.txt", explain(t, r, report.Options{}))
	passes := reportOf(stage08())
	passes.Stages[0].Nearby = r.Stages[0].Nearby
	passes.Stages[0].Cases.Total = 1 + len(r.Stages[0].Nearby)
	golden(t, "explain-pass.txt", explain(t, passes, report.Options{}))
	for _, s := range samples() {
		got := explain(t, s.report, report.Options{})
		if s.report.Verdict != grading.Fail && got != text(t, s.report, report.Options{}) {
			t.Errorf("%s does not fail, and is explained:\n%s", s.name, got)
		}
		if s.name != "long" && strings.Contains(got, "see all with") {
			t.Errorf("%s is not explained in full:\n%s", s.name, got)
		}
		for line := range strings.SplitSeq(got, "\n") {
			if w := lipgloss.Width(line); w > 80 {
				t.Errorf("%s: %d columns: %s", s.name, w, line)
			}
		}
	}
}

func TestTextFits(t *testing.T) {
	for _, s := range samples() {
		for _, width := range []int{60, 80, 132} {
			got := text(t, s.report, report.Options{Width: width})
			for line := range strings.SplitSeq(got, "\n") {
				if w := lipgloss.Width(line); w > width {
					t.Errorf("%s at width %d: %d columns: %s", s.name, width, w, line)
				}
				if strings.TrimRight(line, " ") != line {
					t.Errorf("%s at width %d: spaces at the end of %q", s.name, width, line)
				}
			}
			if i := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
				t.Errorf("%s: unprintable %q", s.name, got[i:i+1])
			}
			if strings.Contains(got, "\n\n\n") {
				t.Errorf("%s at width %d: two empty lines together", s.name, width)
			}
		}
	}
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestColorOnlyStyles(t *testing.T) {
	for _, s := range samples() {
		plain, colored := text(t, s.report, report.Options{}), text(t, s.report, report.Options{Color: true})
		if !sgr.MatchString(colored) {
			t.Errorf("%s: no colour", s.name)
		}
		if sgr.ReplaceAllString(colored, "") != plain {
			t.Errorf("%s: colour changes more than the style:\n%q", s.name, colored)
		}
	}
}

// What a solution says must not look like what de says: that begins in the
// first column.
func TestHostileTextStaysIndented(t *testing.T) {
	for line := range strings.Lines(text(t, reportOf(hostile()), report.Options{})) {
		if strings.HasPrefix(line, "PASS") {
			t.Errorf("forged line %q", line)
		}
	}
}

// The command at the end must reach a shell as it was meant, wrapped or not.
func TestCommandIsShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here; .ci/run runs this on Linux, where there is one")
	}
	for _, s := range []grading.StageReport{wrongOutput(), hostile()} {
		got := text(t, reportOf(s), report.Options{Flags: []string{"--impl", "./my solution"}})
		command, _, _ := strings.Cut(got[strings.LastIndex(got, "  de test"):], "\nHave it explained\n")
		out, err := exec.Command(sh, "-c", `de() { printf '%s\n' "$@"; }`+"\n"+command).Output()
		if err != nil {
			t.Fatal(err)
		}
		want := "test\n08\n--impl\n./my solution\n--case\n" + s.Failure.Case + "\n"
		if string(out) != want {
			t.Errorf("%s is %q for the shell, want %q", command, out, want)
		}
	}
}

// A hint is offered where one that the learner has not seen is about the broken
// rule, at the end; a solution that died broke none.
func TestHintIsOffered(t *testing.T) {
	hinted := func(s grading.StageReport) grading.StageReport {
		s.Failure.Hint = 2
		return s
	}
	seen := func(n int) map[string]int { return map[string]int{"01": 3, "08": n} }
	const offer = "\n\n  hint  de hint 08; hint 2 is about this\n"
	tests := map[string]struct {
		stage grading.StageReport
		seen  map[string]int
		want  bool
	}{
		"none seen":     {hinted(wrongOutput()), map[string]int{}, true},
		"one seen":      {hinted(wrongOutput()), seen(1), true},
		"that one seen": {hinted(wrongOutput()), seen(2), false},
		"all seen":      {hinted(wrongOutput()), seen(3), false},
		"no learner":    {hinted(wrongOutput()), nil, false},
		"no such hint":  {wrongOutput(), seen(0), false},
		"it died":       {hinted(died(fault.Panic, "It died.", "message", "")), seen(0), false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := text(t, reportOf(test.stage), report.Options{Hints: test.seen})
			if strings.HasSuffix(got, offer) != test.want || strings.Contains(got, "de hint") != test.want {
				t.Errorf("want an offer: %v\n%s", test.want, got)
			}
		})
	}
}

func TestEveryKindRenders(t *testing.T) {
	for _, kind := range []fault.Kind{fault.StackExhausted, fault.Slept, fault.TooManyCalls, fault.ProtocolBroken} {
		got := text(t, reportOf(died(kind, "It died.", "message", "")), report.Options{})
		if !strings.Contains(got, "check eos-output, "+string(kind)) || !strings.Contains(got, "\n  try ") {
			t.Errorf("%s: no headline or advice in\n%s", kind, got)
		}
	}
}

func TestJSON(t *testing.T) {
	schema, strict := compile(t, report.Schema), compile(t, closed(t, report.Schema))
	for _, s := range samples() {
		t.Run(s.name, func(t *testing.T) {
			got := written(t, func(w io.Writer) error { return report.JSON(w, s.report) })
			if s.name == "wrong-output" || s.name == "hostile" {
				golden(t, s.name+".json", got)
			}
			doc, err := jsonschema.UnmarshalJSON(strings.NewReader(got))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(doc); err != nil {
				t.Error(err)
			}
			if err := strict.Validate(doc); err != nil {
				t.Errorf("the schema lacks a property: %v", err)
			}
			if i := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
				t.Errorf("unprintable %q", got[i:i+1])
			}
			var back grading.Report
			if err := json.Unmarshal([]byte(got), &back); err != nil {
				t.Fatal(err)
			}
			if again := written(t, func(w io.Writer) error { return report.JSON(w, back) }); again != got {
				t.Errorf("read back, it is another:\n%s", again)
			}
		})
	}
}

func TestSchemaRefuses(t *testing.T) {
	schema := compile(t, report.Schema)
	good := written(t, func(w io.Writer) error { return report.JSON(w, reportOf(wrongOutput())) })
	tests := []struct{ name, old, new string }{
		{"an unknown verdict", `"verdict": "fail"`, `"verdict": "failed"`},
		{"another version", `"version": 1`, `"version": 2`},
		{"no stages", `"stages": [`, `"phases": [`},
		{"a step that is text", `"step": 10`, `"step": "10"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bad := strings.Replace(good, test.old, test.new, 1)
			if bad == good {
				t.Fatalf("no %s in the sample", test.old)
			}
			doc, err := jsonschema.UnmarshalJSON(strings.NewReader(bad))
			if err != nil {
				t.Fatal(err)
			}
			if schema.Validate(doc) == nil {
				t.Error("accepted")
			}
		})
	}
}

func compile(t *testing.T, schema string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("report.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("report.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// closed returns the schema with no further properties allowed anywhere.
func closed(t *testing.T, schema string) string {
	t.Helper()
	var doc any
	if err := json.Unmarshal([]byte(schema), &doc); err != nil {
		t.Fatal(err)
	}
	var walk func(any)
	walk = func(v any) {
		m, ok := v.(map[string]any)
		if !ok {
			return
		}
		if _, said := m["additionalProperties"]; m["type"] == "object" && !said {
			m["additionalProperties"] = false
		}
		for _, child := range m {
			walk(child)
		}
	}
	walk(doc)
	out, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestJUnit(t *testing.T) {
	for _, s := range samples() {
		t.Run(s.name, func(t *testing.T) {
			got := written(t, func(w io.Writer) error { return report.JUnit(w, s.report, report.Options{Color: true}) })
			golden(t, s.name+".xml", got)
			counts := tally(t, got)
			red := counts["failure"] + counts["error"]
			if (s.report.Verdict == grading.Pass) != (red == 0) {
				t.Errorf("%d failures and errors for the verdict %s", red, s.report.Verdict)
			}
			if s.report.Verdict == grading.Fail && counts["failure"] == 0 {
				t.Error("a fail without a failure")
			}
		})
	}
}

// tally reads a document to its end and counts its elements.
func tally(t *testing.T, doc string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(doc))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return counts
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok {
			counts[start.Name.Local]++
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add(evil, 80)
	f.Add("a b  c\td", 60)
	f.Add(strings.Repeat("\u1100", 300), 61)
	f.Fuzz(func(t *testing.T, s string, width int) {
		width = 60 + (width%100+100)%100
		stage := wrongOutput()
		stage.Failure.Finding[0].Problem, stage.Failure.Printed, stage.Failure.Otherwise = s, s, s
		stage.Failure.Steps[0].State = s
		got := text(t, reportOf(stage), report.Options{Width: width})
		for line := range strings.SplitSeq(got, "\n") {
			if w := lipgloss.Width(line); w > width {
				t.Errorf("%d columns of %d: %q", w, width, line)
			}
		}
	})
}
