package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"time"

	"github.com/flk-byo/de/grading"
)

// JUnit writes r as JUnit XML: a suite for each stage, a case for each check. A
// blocked check, or one that nothing was run for, is skipped; inconclusive and
// harness-fault are errors. An error is one of w.
func JUnit(w io.Writer, r grading.Report, o Options) error {
	o.Color = false
	return writeXML(w, suitesOf(r, o))
}

func writeXML(w io.Writer, all testSuites) error {
	doc, err := xml.MarshalIndent(all, "", "\t")
	if err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	if _, err := io.WriteString(w, xml.Header+string(doc)+"\n"); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

type testSuites struct {
	XMLName  xml.Name    `xml:"testsuites"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Suites   []testSuite `xml:"testsuite"`
}

type testSuite struct {
	Name       string     `xml:"name,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Skipped    int        `xml:"skipped,attr"`
	Time       string     `xml:"time,attr"`
	Properties []property `xml:"properties>property,omitempty"`
	Cases      []testCase `xml:"testcase"`
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type testCase struct {
	Classname string  `xml:"classname,attr"`
	Name      string  `xml:"name,attr"`
	Time      string  `xml:"time,attr"`
	Skipped   *result `xml:"skipped,omitempty"`
	Failure   *result `xml:"failure,omitempty"`
	Error     *result `xml:"error,omitempty"`
}

type result struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",cdata"`
}

func suitesOf(r grading.Report, o Options) testSuites {
	all := testSuites{Name: clean(r.Course), Time: xmlSeconds(r.Elapsed)}
	for _, s := range r.Stages {
		all.Suites = append(all.Suites, suiteOf(r, s, o))
	}
	if r.Verdict != grading.Pass && detailed(r) == nil {
		all.Suites = append(all.Suites, tally(testSuite{Name: "run", Time: xmlSeconds(0), Cases: []testCase{whole("run", r.Verdict, "", r.Problem, text(r, o))}}))
	}
	return sum(all)
}

// sum adds up what the suites count.
func sum(all testSuites) testSuites {
	for _, s := range all.Suites {
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
		all.Skipped += s.Skipped
	}
	return all
}

func suiteOf(r grading.Report, s grading.StageReport, o Options) testSuite {
	name := clean(s.Stage + "-" + s.Slug)
	suite := testSuite{Name: name, Time: xmlSeconds(s.Elapsed), Properties: []property{
		{"subject", clean(r.Subject)},
		{"seed", fmt.Sprint(r.Seed)},
		{"seeds", fmt.Sprint(r.Seeds)},
		{"cases", fmt.Sprintf("%d of %d", s.Cases.Ran, s.Cases.Total)},
		{"explored", fmt.Sprintf("%d of %d", s.Explored.Ran, s.Explored.Total)},
		{"bound", clean(s.Bound)},
	}}
	for _, note := range r.NoteList {
		suite.Properties = append(suite.Properties, property{"note", clean(note)})
	}
	if s.UnchangedSince != nil {
		suite.Properties = append(suite.Properties, property{"unchangedSince", s.UnchangedSince.Format(time.RFC3339)})
	}
	only := r // the report of this stage alone, for the text of its failure
	only.Stages, only.Verdict, only.NoteList = []grading.StageReport{s}, s.Verdict, nil
	if s.Verdict == grading.Fail {
		only.Problem = "" // which is about other stages
	}
	told := s.Verdict == grading.Pass // the verdict of the stage shows in a check's
	for _, c := range s.Checks {
		tc := testCaseOf(name, s, c)
		if tc.Error != nil {
			tc.Error.Message = clean(oneOf(c.Problem, s.Problem, r.Problem, string(c.Verdict)))
		}
		if s.Failure != nil && tc.Failure != nil && c.Name == headFinding(s.Failure).Check {
			tc.Failure.Text = "\n" + text(only, o)
		}
		told = told || c.Verdict == s.Verdict && tc.Skipped == nil
		suite.Cases = append(suite.Cases, tc)
	}
	if !told {
		suite.Cases = append(suite.Cases, whole(name, s.Verdict, string(s.Kind), oneOf(s.Problem, r.Problem), text(only, o)))
	}
	return tally(suite)
}

func testCaseOf(suite string, s grading.StageReport, c grading.CheckReport) testCase {
	tc := testCase{Classname: suite, Name: clean(c.Name), Time: xmlSeconds(0)}
	switch {
	case c.Verdict == grading.Pass:
	case c.Verdict == grading.Blocked:
		tc.Skipped = &result{Message: "blocked by " + clean(c.BlockedBy)}
	case notRun(s, c):
		tc.Skipped = &result{Message: "not run"}
	case c.Verdict == grading.Fail:
		tc.Failure = &result{Message: clean(oneOf(c.Problem, c.Rule)), Type: clean(string(c.Kind)), Text: clean(brokenIn(c))}
	default:
		tc.Error = &result{Type: string(c.Verdict)}
	}
	return tc
}

// brokenIn says in how many cases a check is broken, and in which, if that may be
// told.
func brokenIn(c grading.CheckReport) string {
	text := "broken in " + count(c.Failed, "case")
	if c.Shortest != "" {
		text += ", the shortest is " + c.Shortest
	}
	return text
}

// whole is the test case that stands for a stage or run whose verdict no check
// tells.
func whole(suite string, v grading.Verdict, kind, message, text string) testCase {
	tc := testCase{Classname: suite, Name: "run", Time: xmlSeconds(0)}
	res := &result{Message: clean(oneOf(message, kind, string(v))), Type: clean(oneOf(kind, string(v))), Text: "\n" + text}
	switch v {
	case grading.Fail:
		tc.Failure = res
	case grading.Blocked:
		tc.Skipped = &result{Message: res.Message}
	default:
		tc.Error = res
	}
	return tc
}

// tally counts the cases of a suite.
func tally(s testSuite) testSuite {
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	return s
}

func xmlSeconds(m grading.Millis) string {
	return fmt.Sprintf("%.3f", time.Duration(m).Seconds())
}
