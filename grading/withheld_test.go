package grading

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flk-byo/de/harness/fault"
)

// stageOf is the report of a run whose only stage came to what rec says.
func stageOf(rec *record) Report {
	return (&run{Config: Config{Each: true}, records: []*record{rec}}).report()
}

// Of the cases a, b and c the result of a may be told.
var testSecrets = map[string]Secret{"01": {Cases: testCases("a", "b", "c"), ResultOnly: map[string]bool{"a": true}}}

func TestDisclosing(t *testing.T) {
	stopped := ended(failing("b", broke("order")))
	stopped.stop, stopped.began = "2 cases ended at a limit", map[int]bool{0: true, 1: true}
	tests := []struct {
		name         string
		shown, found *record
		verdict      Verdict
		kind         fault.Kind
		checks       string // as in TestStageVerdicts
		told         string // result-only and hidden cases that failed, then what of them is told
	}{
		{"all pass", ended(), ended(), Pass, "", "pass, pass, pass, pass", "0 0"},
		{"a result", ended(), ended(failing("a", broke("order"))), Fail, fault.RuleBroken, "pass, pass, fail 1 a, pass", "1 0 a:order"},
		{"a hidden one", ended(), ended(failing("b", broke("order"))), Fail, fault.NotShown, "pass, pass, fail 1 , pass", "0 1 order:1"},
		{"both", ended(), ended(failing("b", broke("order")), failing("a", broke("output"), broke("order"))), Fail, fault.RuleBroken,
			"fail 1 a, pass, fail 2 a, pass", "1 1 a:output a:order order:1"},
		{"the one that may be shown stays", ended(failing("c", broke("order"))), ended(failing("a", broke("order")), failing("b", broke("order"))), Fail, fault.RuleBroken,
			"pass, pass, fail 3 c, pass", "1 1 a:order order:1"},
		{"a death blocks", ended(), ended(failing("b", died("output"))), Fail, fault.NotShown, "fail 1 , blocked output, pass, blocked output", "0 1 output:1"},
		{"blocked by a check that fails in a case that is shown", ended(failing("c", broke("output"))), ended(failing("b", unless("effects", "output"))), Fail, fault.RuleBroken,
			"fail 1 c, blocked output, pass, pass", "0 1"},
		{"not at its end", ended(), stopped, Fail, fault.NotShown, "inconclusive, inconclusive, fail 1 , inconclusive", "0 1 order:1"},
		{"not run", ended(), &record{stage: Stage{Suite: testSuite, Cases: testCases("a", "b", "c")}}, Inconclusive, "",
			"inconclusive, inconclusive, inconclusive, inconclusive", "0 0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := stageOf(test.shown).Disclosing(testSecrets, stageOf(test.found))
			s := r.Stages[0]
			if s.Verdict != test.verdict || r.Verdict != test.verdict || s.Kind != test.kind {
				t.Errorf("it is %s, %s, %q", s.Verdict, r.Verdict, s.Kind)
			}
			if got := checkWords(s); got != test.checks {
				t.Errorf("checks: %s\nwant: %s", got, test.checks)
			}
			if got := toldWords(*s.Withheld); got != test.told {
				t.Errorf("told: %s\nwant: %s", got, test.told)
			}
			if w := s.Withheld; w.ResultOnly.Total != 1 || w.Hidden.Total != 2 {
				t.Errorf("there are %+v", w)
			}
		})
	}
}

func toldWords(w Withheld) string {
	words := []string{fmt.Sprint(w.ResultOnly.Failed), fmt.Sprint(w.Hidden.Failed)}
	for _, r := range w.Results {
		words = append(words, r.Case+":"+r.Check)
	}
	for _, c := range w.Checks {
		words = append(words, fmt.Sprintf("%s:%d", c.Check, c.Failed))
	}
	return strings.Join(words, " ")
}

// A stage that could not be built has no cases to run, shown or not.
func TestDisclosingWhatDoesNotCompile(t *testing.T) {
	shown := &record{stage: Stage{Suite: testSuite}, kind: fault.DoesNotCompile}
	s := stageOf(shown).Disclosing(testSecrets, Report{}).Stages[0]
	if s.Verdict != Fail || s.Kind != fault.DoesNotCompile || s.Withheld.Hidden != (Count{Total: 2}) {
		t.Errorf("%+v, %+v", s, s.Withheld)
	}
}

// A fault of ours in secret cases has words that may tell of them.
func TestDisclosingAFault(t *testing.T) {
	r := stageOf(ended()).Disclosing(testSecrets, Report{Verdict: HarnessFault, Problem: "leak"})
	if r.Verdict != HarnessFault || r.Problem != withheldFault {
		t.Errorf("%s: %s", r.Verdict, r.Problem)
	}
}

// Every field that a report has, and will have, is filled with what must not be
// told. None of it may come over but the few that are named here.
func TestNothingElseIsDisclosed(t *testing.T) {
	for _, v := range []Verdict{Pass, Fail, Blocked, Inconclusive, HarnessFault} {
		t.Run(string(v), func(t *testing.T) { testNothingElse(t, v) })
	}
}

func testNothingElse(t *testing.T, verdict Verdict) {
	var found Report
	fill(reflect.ValueOf(&found).Elem())
	s := &found.Stages[0]
	s.Stage, s.Verdict, found.Verdict = "01", verdict, verdict
	s.Checks = nil
	for _, check := range testSuite.Checks {
		var c CheckReport
		fill(reflect.ValueOf(&c).Elem())
		c.Name, c.Verdict, c.BlockedBy = check.Name, verdict, "output"
		s.Checks = append(s.Checks, c)
	}
	var told, hidden CaseReport
	fill(reflect.ValueOf(&told).Elem())
	fill(reflect.ValueOf(&hidden).Elem())
	told.Case, told.Verdict, told.Broken[0].Check, told.Broken[0].Kind = "a", Fail, "order", "a kind that is told"
	hidden.Verdict, hidden.Broken[0].Check = Fail, "effects"
	told.Broken[0].Unless, hidden.Broken[0].Unless = "", ""
	s.Each = []CaseReport{told, hidden}

	r := stageOf(ended()).Disclosing(testSecrets, found)
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, never := range []string{marker, fmt.Sprint(markerNumber)} {
		if strings.Contains(string(text), never) {
			t.Errorf("%s is told in %s", never, text)
		}
		if all, err := json.Marshal(found); err != nil || !strings.Contains(string(all), never) {
			t.Errorf("the report was not filled with %s", never)
		}
	}
	if got := toldWords(*r.Stages[0].Withheld); got != "1 1 a:order effects:1" {
		t.Errorf("told: %s", got)
	}
}

const (
	marker       = "leaks out"
	markerNumber = 79194919
)

// fill sets all that is in v to what must not be told.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(marker)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(markerNumber)
		if v.Type() == reflect.TypeFor[Millis]() {
			v.SetInt(markerNumber * 1_000_000)
		}
	case reflect.Uint64:
		v.SetUint(markerNumber)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(markerNumber, 0)))
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	default:
		panic("a report has a field of kind " + v.Kind().String() + ": fill it, too")
	}
}

// What is told of secret cases has these fields, and a new one is to be thought
// over, and written down in RATIONALE.md.
func TestFieldsOfWithheld(t *testing.T) {
	want := []string{
		"ResultOnly.Total", "ResultOnly.Ran", "ResultOnly.Failed", "Hidden.Total", "Hidden.Ran", "Hidden.Failed",
		"Results.Case", "Results.Check", "Results.Kind", "Checks.Check", "Checks.Failed",
	}
	if got := fields(reflect.TypeFor[Withheld](), ""); !slices.Equal(got, want) {
		t.Errorf("it has %q", got)
	}
}

// fields are the paths of all that stands in a type.
func fields(of reflect.Type, path string) []string {
	switch of.Kind() {
	case reflect.Slice, reflect.Pointer:
		return fields(of.Elem(), path)
	case reflect.Struct:
		var all []string
		for i := range of.NumField() {
			all = append(all, fields(of.Field(i).Type, path+"."+of.Field(i).Name)...)
		}
		return all
	}
	return []string{strings.TrimPrefix(path, ".")}
}
