package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/grading/report"
	"github.com/flk-byo/de/grading/submission"
	"github.com/flk-byo/de/stages"
)

// explainMark prints what the mark of one student rests on, out of the results
// that are there. Nothing is run.
func (e *env) explainMark(c *cli.Context) error {
	student := c.String("explain")
	for _, name := range []string{"only", "shard", "resume", "jobs"} {
		if c.IsSet(name) {
			return usage("leave out --"+name, "--explain runs nothing, so it has no use for --%s", name)
		}
	}
	if c.String("out") == "" {
		return usage("--out results, as when they were graded", "--explain wants to know where the results are")
	}
	root, err := os.OpenRoot(e.path(c.String("out")))
	if err != nil {
		return usage("--out with the folder of de grade's results", "--out %s can't be opened: %v", plain(c.String("out")), withoutPath(err))
	}
	defer root.Close() // read only
	r, err := findResult(store{root}, student)
	if err != nil {
		return err
	}
	notes, err := e.strangeness(c, r)
	if err != nil {
		return err
	}
	where, note, err := e.whereIs(c, r)
	if err != nil {
		return err
	}
	appeal := report.Appeal{Result: r, Notes: append(notes, note...), Again: againCommands(c, r, where)}
	options := report.Options{Color: e.color, Width: min(e.width, 100), Flags: caseFlags(r, where)}
	if err := appeal.Explain(e.stdout, options); err != nil {
		return err
	}
	return e.explainSecrets(root, r, options)
}

// explainSecrets prints what was found in cases that students may not see, if any
// was.
func (e *env) explainSecrets(out *os.Root, r class.Result, o report.Options) error {
	if r.Report == nil || !slices.ContainsFunc(r.Report.Stages, func(s grading.StageReport) bool { return s.Withheld != nil }) {
		return nil // what may be there is of another time
	}
	content, err := store{out}.readFile(instructorDir + "/" + studentFile(r.Source, class.ResultFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	secret, err := decodeResult(r.Source, content)
	if err != nil || secret.Report == nil || secret.Hash != r.Hash {
		return err
	}
	fmt.Fprintf(e.stdout, "\nOnly you may see what follows: the cases of --hidden that are not shown. To run\none, add --schedule with its file.\n\n")
	if secret.Report.Verdict == grading.Fail {
		return report.Explain(e.stdout, *secret.Report, o)
	}
	return report.Text(e.stdout, *secret.Report, o)
}

// findResult reads the result of a student: by the name of what was handed in,
// else by the ID, the name or the address.
func findResult(s store, student string) (class.Result, error) {
	content, err := s.Read(student, class.ResultFile)
	if err == nil {
		return decodeResult(student, content)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return class.Result{}, err
	}
	all, err := s.results()
	if err != nil {
		return class.Result{}, err
	}
	var found []class.Result
	var names []string
	for _, r := range all {
		names = append(names, r.Source)
		if slices.Contains([]string{r.Student.ID, r.Student.Name, r.Student.Email}, student) {
			found = append(found, r)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return class.Result{}, usage("de grade SUBMISSIONS --out with the same folder, and --only "+quoted(student),
			"there is no result of %s%s", plain(student), didYouMean("", student, names))
	}
	return class.Result{}, usage("--explain "+quoted(found[0].Source), "%d students are called %s", len(found), plain(student))
}

func decodeResult(student string, content []byte) (class.Result, error) {
	r, err := class.Decode(content)
	if err != nil {
		return r, usage("de grade SUBMISSIONS with the same --out, and --only "+quoted(student), "the result of %s can't be used: %v", plain(student), err)
	}
	return r, nil
}

// results are all that can be read.
func (s store) results() ([]class.Result, error) {
	folders, err := fs.ReadDir(s.root.FS(), studentsDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []class.Result
	for _, folder := range folders {
		content, err := s.readFile(studentsDir + "/" + folder.Name() + "/" + class.ResultFile)
		if err != nil {
			continue // this one was not graded to the end
		}
		if r, err := class.Decode(content); err == nil {
			all = append(all, r)
		}
	}
	return all, nil
}

// strangeness is what makes a result another than de would come to now. Another
// course is an error, since nothing can be said of its stages.
func (e *env) strangeness(c *cli.Context, r class.Result) ([]string, error) {
	if r.Course != stages.Course {
		return nil, usage("de of that course", "the result of %s is of the course %s, and this is %s", plain(r.Source), plain(r.Course), stages.Course)
	}
	marks, err := e.rubric(c.String("rubric"))
	if err != nil {
		return nil, err
	}
	var notes []string
	if r.Rubric != marks.Hash() {
		notes = append(notes, "The marks are by another rubric than "+rubricName(c)+". Give the one that was used by --rubric FILE, or grade anew.")
	}
	graded, err := e.gradedStages(c.String("hidden"))
	if err != nil {
		return nil, err
	}
	if now, _ := fingerprints(e.fingerprint(seedOf(c, r)), graded); r.Fingerprint != now {
		notes = append(notes, "This was judged by another version of de, or with other schedules: those of --hidden, if there were any, are to be named again. To come to the same mark takes that version; to have a new one, grade anew.")
	}
	return notes, nil
}

func rubricName(c *cli.Context) string {
	if name := c.String("rubric"); name != "" {
		return name
	}
	return "the default one"
}

// seedOf is the seed that a result was come to by.
func seedOf(c *cli.Context, r class.Result) uint64 {
	if r.Report != nil && !c.IsSet("seed") {
		return r.Report.Seed
	}
	return c.Uint64("seed")
}

// A place is where a submission is. Without paths on the command line that is
// for the reader to fill in.
type place struct {
	paths []string // as they were given
	path  string   // of the submission
}

// whereIs finds the submission that a result is of, and tells whether it is
// still the same.
func (e *env) whereIs(c *cli.Context, r class.Result) (place, []string, error) {
	if !c.Args().Present() {
		return place{[]string{"SUBMISSIONS"}, "SUBMISSIONS/" + r.Source}, nil, nil
	}
	var paths []string
	for _, arg := range c.Args().Slice() {
		paths = append(paths, e.path(arg))
	}
	sources, err := submission.Find(paths, submissionStages())
	if err != nil {
		return place{}, nil, usage("name a submission, or a folder of them", "%v", err)
	}
	i := slices.IndexFunc(sources, func(s submission.Source) bool { return s.Name == r.Source })
	if i < 0 {
		return place{}, nil, usage("the path that was graded", "there is no submission %s in %s", plain(r.Source), strings.Join(c.Args().Slice(), ", "))
	}
	ctx, stop := interruptible()
	defer stop()
	git, err := e.gitFor(sources[i : i+1])
	if err != nil {
		return place{}, nil, err
	}
	now, err := submission.Read(ctx, sources[i], submission.Config{Stages: submissionStages(), Git: git})
	if err != nil {
		return place{}, nil, err
	}
	note := "What is there now is what was graded."
	if now.Hash != r.Hash {
		note = "What is there now is not what was graded: its hash is " + now.Hash + "."
	}
	return place{c.Args().Slice(), e.shown(sources[i].Path)}, []string{note}, nil
}

// shown is a path as seen from the working directory, where it is below.
func (e *env) shown(name string) string {
	if rel, err := filepath.Rel(e.dir, name); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return name
}

// againCommands are those that come to a student's mark again: the whole, and, of
// a submission that is a folder, what its student would see.
func againCommands(c *cli.Context, r class.Result, where place) [][]string {
	words := append([]string{"de", "grade"}, where.paths...)
	words = append(words, "--out", "again", "--only", r.Source)
	for _, name := range []string{"rubric", "roster", "hidden"} {
		if value := c.String(name); value != "" {
			words = append(words, "--"+name, value)
		}
	}
	words = append(words, runFlags(c, r)...)
	if r.Report == nil {
		return [][]string{words}
	}
	return [][]string{words, append([]string{"de", "test", r.Report.Stages[0].Stage}, caseFlags(r, where)...)}
}

// runFlags are those that a run differs by from one without flags.
func runFlags(c *cli.Context, r class.Result) []string {
	var words []string
	if seed := seedOf(c, r); seed != 1 {
		words = append(words, "--seed", fmt.Sprint(seed))
	}
	if r.Report != nil && time.Duration(r.Report.Budget) != defaultBudget {
		words = append(words, "--budget", time.Duration(r.Report.Budget).String())
	}
	return words
}

// caseFlags have a case of the submission's run, once it is unpacked.
func caseFlags(r class.Result, where place) []string {
	words := []string{"--impl", filepath.Join(where.path, rootOf(r))}
	if r.Report != nil && r.Report.Seed != 1 {
		words = append(words, "--seed", fmt.Sprint(r.Report.Seed))
	}
	return words
}

// rootOf is the folder of a submission that holds those of its stages.
func rootOf(r class.Result) string {
	for _, suite := range stages.All() {
		for _, f := range r.Files {
			if dir := path.Dir(f.Path); path.Base(dir) == suite.Folder() {
				return path.Dir(dir)
			}
		}
	}
	return ""
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	if plain(word) == word {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
