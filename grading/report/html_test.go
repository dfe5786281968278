package report_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/report"
	"github.com/flk-byo/de/harness/fault"
)

func pageOf(t *testing.T, r grading.Report) string {
	t.Helper()
	return written(t, func(w io.Writer) error { return report.HTML(w, r, report.Options{}) })
}

// inner is what stands between the first opening of a page and what closes it.
func inner(t *testing.T, page, opening, closing string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, opening)
	text, _, closed := strings.Cut(rest, closing)
	if !found || !closed {
		t.Fatalf("no %s...%s in\n%s", opening, closing, page)
	}
	return text
}

const (
	dataOpens = `<script type="application/json" id="data">`
	closes    = `</script>`
)

// nasty is text that breaks out of markup that forgets one kind of place: text,
// attributes, scripts, comments, styles.
var nasty = []string{
	`</script><img src=x onerror=alert(1)>`,
	`<!--<script>`, `--><svg onload=alert(1)>`, `]]>`, `</style></title></textarea>`,
	`" onfocus=alert(1) autofocus x="`, `' onclick='alert(1)`, `javascript:alert(1)`,
	"\u2028\u2029\x00\x1b[2J\x07\x7f", "\u202egnp\u202c\u2066\u200b\ufeff", `\u003c/script\u003e`, `{{.}}`, "`${alert(1)}`",
}

// chosen is a report in which a solution, or a schedule, chose all that it can.
func chosen(text string) grading.Report {
	s := death(fault.Panic, text, &fault.Fault{Kind: fault.Panic, Message: text, Where: text, Frames: []string{text}})
	s.Failure.Case, s.Failure.Why, s.Failure.Printed, s.Failure.Section = text, text, text, text
	s.Failure.Input = []grading.Fact{{Name: text, Value: text}}
	s.Failure.Finding[0].Diff = []string{text, "- " + text}
	s.Failure.Finding[0].Apart, s.Failure.Otherwise = []string{text}, text
	s.Failure.Finding[0].Where, s.Failure.Finding[0].Source = text, text
	s.Failure.Finding = append(s.Failure.Finding, grading.Finding{Check: text, Problem: text})
	s.Failure.Steps = slices.Clone(s.Failure.Steps)
	for i := range s.Failure.Steps {
		step := &s.Failure.Steps[i]
		step.Phase, step.At, step.Object, step.Action, step.Note, step.Place = text, text, text, text, text, text
		step.State = "open [" + text + "]"
	}
	s.Nearby = []grading.NearReport{{Words: text, Case: text, Verdict: grading.Fail, Check: text}}
	r := reportOf(s)
	r.Subject = text
	return r
}

func TestHTML(t *testing.T) {
	for name, r := range map[string]grading.Report{
		"explain":    explained(),
		"nasty":      chosen(strings.Join(nasty, " ")),
		"no-compile": reportOf(compileError()),
	} {
		got := pageOf(t, r)
		for _, ours := range [][2]string{{"<style>", "</style>"}, {"<script>", closes}} {
			if strings.Contains(got, ours[0]) {
				got = strings.Replace(got, inner(t, got, ours[0], ours[1]), "...", 1)
			}
		}
		got = regexp.MustCompile(`sha256-[^']*`).ReplaceAllString(got, "sha256-...")
		golden(t, name+".html", got)
	}
}

// All that the text of an explanation says, the page does, scripts aside.
func TestHTMLSaysAllThatTheTextDoes(t *testing.T) {
	parted := wrongOutput()
	parted.Failure.Finding[0].Apart = []string{"  1  write a  write a", "! 2  commit 1  abort 1"}
	for _, s := range append(samples(), sample{"explained", explained()}, sample{"parted", reportOf(parted)}) {
		got := pageOf(t, s.report)
		body := html.UnescapeString(tags.ReplaceAllString(inner(t, got, "<main>", "</main>"), " "))
		said := map[string]bool{}
		for _, word := range strings.Fields(body) {
			said[strings.Trim(word, ":")] = true
		}
		text := leftOut.ReplaceAllString(explain(t, s.report, report.Options{Width: 1 << 16}), "")
		for _, word := range strings.Fields(text) {
			if word = strings.Trim(word, ":"); !said[word] && !slices.Contains([]string{"!", ">", "?", "---", "|"}, word) {
				t.Errorf("%s: the page does not say %q", s.name, word)
			}
		}
	}
}

// leftOut is what the text says instead of very many steps, which the page has.
var leftOut = regexp.MustCompile(`(?m)^  \.\.\. .* more steps: see all .*$`)

var tags = regexp.MustCompile(`(?s)<[A-Za-z/!?][^>]*>`)

// shape is all of the markup of a page, each kind of tag once.
func shape(page string) map[string]bool {
	all := map[string]bool{}
	for _, tag := range tags.FindAllString(page, -1) {
		all[phaseName.ReplaceAllString(tag, `data-phase=""`)] = true
	}
	return all
}

var phaseName = regexp.MustCompile(`data-phase="[^"]*"`)

// Text that was chosen by a solution adds no markup, and leaves the data as it
// was.
func TestHTMLIsInert(t *testing.T) {
	for _, text := range nasty {
		inert(t, text)
	}
}

func FuzzHTML(f *testing.F) {
	for _, text := range nasty {
		f.Add(text)
	}
	f.Fuzz(inert)
}

func inert(t *testing.T, text string) {
	harmless, got := shape(pageOf(t, chosen("x"))), pageOf(t, chosen(text))
	for tag := range shape(got) {
		if !harmless[tag] {
			t.Errorf("%q made the tag %s", text, tag)
		}
	}
	data := inner(t, got, dataOpens, closes)
	if i := strings.IndexAny(data, "<>&\u2028\u2029"); i >= 0 {
		t.Errorf("%q stands in the data as it is: %s", text, data[i:])
	}
	var back struct {
		Steps []struct{ Action, Phase string }
	}
	if err := json.Unmarshal([]byte(data), &back); err != nil {
		t.Fatalf("%q: the data can't be read: %v", text, err)
	}
	line := explain(t, chosen(text), report.Options{Width: 1 << 20})
	if step := back.Steps[0]; !strings.Contains(line, step.Action) || step.Action == "" != (text == "") {
		t.Errorf("%q became %q in the data", text, step.Action)
	}
}

// A browser is allowed what stands on the page, and nothing else.
func TestHTMLPolicy(t *testing.T) {
	got := pageOf(t, explained())
	policy := inner(t, got, `<meta http-equiv="Content-Security-Policy" content="`, `"`)
	for part, text := range map[string]string{"script": inner(t, got, "<script>", closes), "style": inner(t, got, "<style>", "</style>")} {
		sum := sha256.Sum256([]byte(text))
		if want := part + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "';"; !strings.Contains(policy, want) {
			t.Errorf("no %s in the policy %s", want, policy)
		}
	}
	if !strings.HasPrefix(policy, "default-src 'none'; ") {
		t.Errorf("the policy allows more than it names: %s", policy)
	}
	if strings.Count(got, "<script") != 2 {
		t.Error("more scripts than the data and ours")
	}
	if outside := regexp.MustCompile(`(?i)https?:|//[a-z]|\burl\(|@import|\ssrc=|\shref=`).FindString(inner(t, got, "<html", dataOpens)); outside != "" {
		t.Errorf("the page asks for something: %s", outside)
	}
	if size := len(got); size > 40<<10 {
		t.Errorf("the page has %d bytes", size)
	}
}

// States are drawn as lists where they are written as such.
func TestHTMLLanes(t *testing.T) {
	tests := map[string]struct {
		state string
		lanes []string
		want  string
	}{
		"empty":           {"open []  prepared {}", []string{"open", "prepared"}, `[[],[]]`},
		"a list":          {"open [a b]", []string{"open"}, `[[{"name":"","items":["a","b"]}]]`},
		"transactions":    {"prepared {1: [a], 2: [b c]}", []string{"prepared"}, `[[{"name":"1","items":["a"]},{"name":"2","items":["b","c"]}]]`},
		"none in it":      {"prepared {1: []}", []string{"prepared"}, `[[{"name":"1","items":[]}]]`},
		"some left out":   {"open [a b and 3 more]", []string{"open"}, `[[{"name":"","items":["a","b","and 3 more"]}]]`},
		"times":           {"open [a=1 @1 a=2 @2]", []string{"open"}, `[[{"name":"","items":["a=1 @1","a=2 @2"]}]]`},
		"a quoted key":    {`open ["a ] b"=1 @1 b]`, []string{"open"}, `[[{"name":"","items":["\"a ] b\"=1 @1","b"]}]]`},
		"a map":           {"sums {a: 1, b: 2}", []string{"sums"}, `[[{"name":"","items":["a: 1","b: 2"]}]]`},
		"a half-open one": {"window [0,2) 1", []string{"window"}, `[[{"name":"","items":["[0,2) 1"]}]]`},
		"no list":         {"open [a]]", []string{"open"}, `[[{"name":"","items":["[a]]"]}]]`},
		"no names":        {"[a b]  2", []string{"state afterwards"}, `[[{"name":"","items":["a","b"]},{"name":"","items":["2"]}]]`},
		"no state":        {"", []string{}, `null`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := wrongOutput()
			s.Failure.Steps = []grading.Step{{Object: "sink", Action: "do", State: test.state}}
			var got struct {
				Lanes []string
				Steps []struct{ Lanes json.RawMessage }
			}
			if err := json.Unmarshal([]byte(inner(t, pageOf(t, reportOf(s)), dataOpens, closes)), &got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Lanes, test.lanes) || string(got.Steps[0].Lanes) != test.want {
				t.Errorf("%s is %v %s, want %v %s", test.state, got.Lanes, got.Steps[0].Lanes, test.lanes, test.want)
			}
		})
	}
}

// countless is a case that made very many steps.
func countless(n int) grading.Report {
	s := wrongOutput()
	s.Failure.Steps = make([]grading.Step, n)
	for i := range s.Failure.Steps {
		s.Failure.Steps[i] = grading.Step{Object: fmt.Sprintf("sink %d", 1+i%2), Action: fmt.Sprintf("write %d", i), State: "open []  visible [a]"}
	}
	s.Failure.Finding[0].Step, s.Failure.Unsafe = n/2, n/2-20
	return reportOf(s)
}

func TestHTMLOfVeryManySteps(t *testing.T) {
	got := pageOf(t, countless(100_000))
	if size := len(got); size > 1<<20 {
		t.Errorf("the page has %d bytes", size)
	}
	for _, want := range []string{
		`<tr id="step-300">`, `>... 49,630 more steps: see all with --format json<`, `<tr id="step-49931">`,
		`<tr id="step-49981" class="marked">`, `<tr id="step-50001" class="marked">`, `<tr id="step-100000">`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s", want)
		}
	}
	if whole := pageOf(t, countless(1000)); strings.Contains(whole, "more step") {
		t.Error("some of 1000 steps are left out")
	}
}

func TestHTMLSource(t *testing.T) {
	s := wrongOutput()
	source := func() []string {
		var got struct{ Source []string }
		if err := json.Unmarshal([]byte(inner(t, pageOf(t, reportOf(s)), dataOpens, closes)), &got); err != nil {
			t.Fatal(err)
		}
		return got.Source
	}
	if got := source(); !slices.Equal(got, []string{"a=1 @1", "b=2 @2"}) {
		t.Errorf("the source is %q", got)
	}
	s.Failure.Input[0].Value = "a=1 @1"
	if got := source(); len(got) != 0 {
		t.Errorf("the source of 2 records is %q", got)
	}
}

// All text of a page is readable on all that it stands on, as WCAG 2.1 has it
// for AA, in light and dark.
func TestHTMLContrast(t *testing.T) {
	style, err := os.ReadFile(filepath.Join("html", "page.css"))
	if err != nil {
		t.Fatal(err)
	}
	schemes := regexp.MustCompile(`(?s):root \{.*?\}`).FindAllString(string(style), -1)
	if len(schemes) != 3 {
		t.Fatalf("there are %d schemes, want light, dark and print", len(schemes))
	}
	for i, scheme := range schemes[:2] {
		colors := map[string]float64{}
		for _, c := range regexp.MustCompile(`--(\w+): #(\w{2})(\w{2})(\w{2});`).FindAllStringSubmatch(scheme, -1) {
			colors[c[1]] = luminance(t, c[2:])
		}
		for _, text := range []string{"ink", "soft", "bad", "good", "unsure", "blue"} {
			for _, ground := range []string{"paper", "sheet", "wash", "crash"} {
				demandContrast(t, i, colors, text, ground, 4.5)
			}
		}
		for _, ground := range []string{"paper", "sheet"} { // the edges of what can be pressed
			demandContrast(t, i, colors, "edge", ground, 3)
		}
	}
}

func demandContrast(t *testing.T, scheme int, colors map[string]float64, a, b string, least float64) {
	t.Helper()
	if colors[a] == 0 && colors[b] == 0 {
		t.Fatalf("no colours %s and %s", a, b)
	}
	light, dark := max(colors[a], colors[b]), min(colors[a], colors[b])
	if got := (light + 0.05) / (dark + 0.05); got < least {
		t.Errorf("scheme %d: %s on %s has a contrast of %.2f, want %.1f", scheme, a, b, got, least)
	}
}

// luminance is the relative luminance of a colour, of red, green and blue.
func luminance(t *testing.T, hex []string) float64 {
	t.Helper()
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			sum += weight * c / 12.92
		} else {
			sum += weight * math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return sum
}
