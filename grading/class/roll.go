package class

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/flk-byo/de/grading/submission"
	"github.com/flk-byo/de/harness/strict"
)

// An Unlisted is a submission of nobody in the roster.
type Unlisted struct {
	Source  string   `json:"source"`
	Perhaps []string `json:"perhaps,omitempty"` // IDs of those in the roster without a submission whose it may be
}

// Roll compares a roster, by the name of what each student hands in, with what
// was handed in. Names match when they are equal and in no other way: to give a
// mark to the wrong student is worse than to ask. Absent are those in the roster
// without a submission, by ID.
func Roll(students map[string]Student, sources []submission.Source) (absent []Student, unlisted []Unlisted) {
	if students == nil {
		return nil, nil
	}
	handedIn := map[string]bool{}
	for _, s := range sources {
		handedIn[s.Name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(students)) {
		if !handedIn[name] {
			absent = append(absent, students[name])
		}
	}
	slices.SortStableFunc(absent, func(a, b Student) int { return strings.Compare(a.ID, b.ID) })
	var strangers []string
	for _, s := range sources {
		if _, ok := students[s.Name]; !ok {
			strangers = append(strangers, s.Name)
		}
	}
	guess := len(strangers)*len(absent) <= maxGuesses
	known := knownAs(absent)
	for _, name := range strangers {
		one := Unlisted{Source: name}
		if guess {
			one.Perhaps = perhaps(name, known)
		}
		unlisted = append(unlisted, one)
	}
	return absent, unlisted
}

const (
	maxPerhaps = 2         // students that are named for one submission
	maxGuesses = 4_000_000 // comparisons, some seconds; beyond that nobody is named
)

// A known is what a student may be called in the name of a submission.
type known struct {
	id, squashed string
	name         []string // squashed, in parts
}

func knownAs(students []Student) []known {
	var all []known
	for _, s := range students {
		all = append(all, known{s.ID, squash(s.ID), wordsOf(strings.ReplaceAll(s.Name, ",", " "))})
	}
	return all
}

// perhaps are the IDs of students whose submission this may be: by their ID or
// name in it, as learning systems write them, else by one that is spelt nearly
// so. Numbers are not: each is near to many.
func perhaps(source string, absent []known) []string {
	var ids, found []string
	whole, words := squash(source), wordsOf(source)
	for _, s := range absent {
		ids = append(ids, s.id)
		if s.squashed == whole || slices.Contains(words, s.squashed) || named(words, s.name) {
			found = append(found, s.id)
		}
	}
	if len(found) == 0 && strings.ContainsFunc(whole, unicode.IsLetter) {
		return strict.Closest(source, ids, maxPerhaps)
	}
	return found[:min(len(found), maxPerhaps)]
}

// wordsOf are the parts of a name, squashed, as of Moodle's
// "Max Mustermann_4711_assignsubmission_file_" or Canvas's
// "mustermannmax_LATE_4711_12_work".
func wordsOf(source string) []string {
	var words []string
	for _, part := range strings.FieldsFunc(source, func(r rune) bool { return r == '_' || unicode.IsSpace(r) }) {
		words = append(words, squash(part))
	}
	return words
}

// named tells whether the words have all parts of a name, or begin with it in
// one.
func named(words, parts []string) bool {
	if len(parts) < 2 || len(words) == 0 {
		return false
	}
	all := !slices.ContainsFunc(parts, func(p string) bool { return !slices.Contains(words, p) })
	last := len(parts) - 1
	return all || words[0] == strings.Join(parts, "") || words[0] == parts[last]+strings.Join(parts[:last], "")
}

// squash is a word without what people and spreadsheets are careless with: case,
// punctuation and zeros in front.
func squash(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
	return strings.TrimLeft(s, "0")
}
