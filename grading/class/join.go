package class

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
)

// A Misfit is why parts can't be joined to a class, for whoever has them.
type Misfit struct {
	Words string
	Next  string // one thing to try
}

func (m *Misfit) Error() string { return m.Words }

const (
	nextFolders = "name the --out folders of all shards of one class"
	nextProgram = "use the same de, rubric, roster, --seed and submissions for all shards"
	nextAgain   = "grade that shard again; with --resume it goes on"
)

// Joined is a class that was graded in parts, found to fit together.
type Joined struct {
	// Class is what grading it in one go would have come to, but that its students
	// are gists.
	Class Class

	// Private is the fingerprint of what there is of secret cases, for the
	// instructor alone; empty where there is nothing.
	Private string
	parts   []Part
}

// Join looks whether parts are all of one class, and reads them: what a part holds
// is checked as input, not believed. It keeps gists alone, so a class may be
// larger than memory. An error is a [Misfit], or that a file can't be read.
func Join(parts []Part) (Joined, error) {
	if len(parts) == 0 {
		return Joined{}, &Misfit{"there are no parts", nextFolders}
	}
	j := joiner{alike: map[[sha256.Size]byte]*grading.Report{}}
	for r, err := range j.all(parts) {
		if err == nil {
			err = j.add(r)
		}
		if err != nil {
			return Joined{}, err
		}
	}
	if err := j.complete(); err != nil {
		return Joined{}, err
	}
	head := j.readers[0].head
	head.Shard, head.Missing, head.Students = nil, []string{}, j.students
	return Joined{head, j.private, slices.Clone(parts)}, nil
}

// A joiner is a Join under way.
type joiner struct {
	readers  []*partReader
	students []Result
	private  string // the fingerprint of all secret cases
	alike    map[[sha256.Size]byte]*grading.Report
}

// A placed is a result, and the part that it is in.
type placed struct {
	Result
	part *partReader
}

// all are the results of all parts, in the order in which one machine would have
// graded them. It ends at the first error.
func (j *joiner) all(parts []Part) iter.Seq2[placed, error] {
	return func(yield func(placed, error) bool) {
		defer j.close()
		for _, p := range parts {
			r, err := open(p)
			if err != nil {
				yield(placed{}, err)
				return
			}
			j.readers = append(j.readers, r)
		}
		if err := j.sameClass(); err != nil {
			yield(placed{}, err)
			return
		}
		for least := j.least(); least != nil; least = j.least() {
			if !yield(placed{*least.next, least}, nil) {
				return
			}
			if err := least.advance(); err != nil {
				yield(placed{}, err)
				return
			}
		}
	}
}

func (j *joiner) close() {
	for _, r := range j.readers {
		r.file.Close() // read only
	}
}

// least is the reader whose student comes next; nil at the end of all.
func (j *joiner) least() *partReader {
	var least *partReader
	for _, r := range j.readers {
		if r.next != nil && (least == nil || r.next.Source < least.next.Source) {
			least = r
		}
	}
	return least
}

// sameClass looks whether the parts are those of one class, and all of them.
func (j *joiner) sameClass() error {
	first := j.readers[0]
	seen := map[int]*partReader{}
	for _, r := range j.readers {
		if r.head.Shard == nil {
			return &Misfit{r.Name + " is no part of a class: it was graded without --shard", "grade it with --shard, or use it as it is"}
		}
		for _, field := range []struct{ what, a, b string }{
			{"of another course", first.head.Course, r.head.Course},
			{"marked by another rubric", first.head.Rubric, r.head.Rubric},
			{"graded by another version of de", first.head.Program, r.head.Program},
			{"of another number of shards", fmt.Sprint(first.head.Shard.Of), fmt.Sprint(r.head.Shard.Of)},
			{"of a class with other submissions", first.head.Shard.Sources, r.head.Shard.Sources},
		} {
			if field.a != field.b {
				return &Misfit{fmt.Sprintf("%s is %s than %s: %s, not %s", r.Name, field.what, first.Name, brief(field.b), brief(field.a)), nextProgram}
			}
		}
		s := r.head.Shard
		if twin := seen[s.Index]; twin != nil {
			return &Misfit{fmt.Sprintf("%s and %s are both shard %d of %d", twin.Name, r.Name, s.Index, s.Of), "leave one of them out"}
		}
		if s.Index < 1 || s.Index > s.Of {
			return &Misfit{fmt.Sprintf("%s is shard %d of %d, which can't be", r.Name, s.Index, s.Of), nextAgain}
		}
		seen[s.Index] = r
	}
	return allThere(first.head.Shard.Of, seen)
}

// sameRoll tells whether the same students are absent, and the same submissions
// unlisted, which each shard says of the whole class.
func sameRoll(a, b Class) bool {
	return slices.Equal(a.Absent, b.Absent) && slices.EqualFunc(a.Unlisted, b.Unlisted, func(a, b Unlisted) bool {
		return a.Source == b.Source && slices.Equal(a.Perhaps, b.Perhaps)
	})
}

// allThere looks whether each of the shards was given.
func allThere(of int, seen map[int]*partReader) error {
	if len(seen) == of {
		return nil
	}
	var absent []string
	for i := 1; i <= of && len(absent) <= maxNamed; i++ {
		if seen[i] == nil {
			absent = append(absent, fmt.Sprintf("%d/%d", i, of))
		}
	}
	return &Misfit{fmt.Sprintf("%d of %d shards are not there: %s", of-len(seen), of, some(absent, of-len(seen))), nextFolders}
}

// add takes the next result.
func (j *joiner) add(r placed) error {
	again := func(format string, args ...any) error {
		return &Misfit{r.part.Name + ": " + fmt.Sprintf(format, args...), nextAgain}
	}
	if r.Source == "" || strings.ContainsAny(r.Source, "\n/\\") {
		return again("a student has no name that a submission could have")
	}
	if r.Course != r.part.head.Course || r.Rubric != r.part.head.Rubric {
		return again("the result of %q is of another course or rubric than the rest", r.Source)
	}
	if n := len(j.students); n > 0 {
		before := j.students[n-1]
		if before.Source == r.Source {
			return again("%q was graded twice", r.Source)
		}
		if before.Source > r.Source {
			return again("%q stands in the wrong place", r.Source)
		}
		if before.Fingerprint != r.Fingerprint {
			return &Misfit{fmt.Sprintf("%s: %q was graded with another version of de or of the course, or another --seed, than %q", r.part.Name, r.Source, before.Source), nextProgram}
		}
	}
	if len(j.students) == maxStudents {
		return again("there are more than %d students", maxStudents)
	}
	if err := j.addSecret(r); err != nil {
		return err
	}
	j.students = append(j.students, j.share(r.Gist()))
	return nil
}

// addSecret looks whether the secret cases of a result are there, and the same as
// those of the others.
func (j *joiner) addSecret(r placed) error {
	secret, err := r.part.secret(r.Result)
	if err != nil {
		return err
	}
	fingerprint := ""
	if secret != nil {
		fingerprint = secret.Fingerprint
	}
	if len(j.students) == 0 {
		j.private = fingerprint
	}
	if fingerprint != j.private {
		return &Misfit{fmt.Sprintf("%s: %q was graded with other hidden schedules than %q, or what the instructor has of one of them is not there",
			r.part.Name, r.Source, j.students[0].Source), "use the same --hidden for all shards, and take the whole folders"}
	}
	if fingerprint == "" && withholds(r.Report) {
		return &Misfit{fmt.Sprintf("%s: what the instructor has of %q is not there", r.part.Name, r.Source), "take the whole folders of the shards"}
	}
	return nil
}

func withholds(r *grading.Report) bool {
	return r != nil && slices.ContainsFunc(r.Stages, func(s grading.StageReport) bool { return s.Withheld != nil })
}

// share lets students whose gists are alike have one in common: most pass, or fail
// as others do.
func (j *joiner) share(r Result) Result {
	first := j.readers[0].head
	r.Course, r.Rubric = first.Course, first.Rubric // they are equal, and need not be held twice
	if len(j.students) > 0 {
		r.Fingerprint = j.students[0].Fingerprint
	}
	if r.Report == nil {
		return r
	}
	text, err := json.Marshal(r.Report)
	if err != nil {
		panic(err) // it was just read
	}
	sum := sha256.Sum256(text)
	if same, ok := j.alike[sum]; ok {
		r.Report = same
	} else {
		j.alike[sum] = r.Report
	}
	return r
}

// complete looks, at the end of all parts, whether nobody is missing.
func (j *joiner) complete() error {
	var missing []string
	for _, r := range j.readers {
		missing = append(missing, r.head.Missing...)
		if first := j.readers[0]; !sameRoll(r.head, first.head) {
			return &Misfit{fmt.Sprintf("%s was graded with another roster than %s", r.Name, first.Name), nextProgram}
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		return &Misfit{fmt.Sprintf("not all were graded: %s", some(missing, len(missing))), "run the shards again that they are in, with --resume"}
	}
	var names []string
	for _, s := range j.students {
		names = append(names, s.Source)
	}
	if namesHash(names) != j.readers[0].head.Shard.Sources {
		return &Misfit{"the shards do not hold the submissions that they were made of", "grade the shards again; with --resume that is soon done"}
	}
	return nil
}

// maxNamed is how many names stand in a message.
const maxNamed = 10

// some are the first of n names.
func some(names []string, n int) string {
	if n <= maxNamed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamed], ", "), n-maxNamed)
}

// brief is enough of a text to tell it from another.
func brief(s string) string {
	const most = 20
	if len(s) > most {
		s = s[:most] + "..."
	}
	return fmt.Sprintf("%q", s)
}
