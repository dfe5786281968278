package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/grading/rubric"
	"github.com/flk-byo/de/grading/submission"
	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/workspace"
	"github.com/flk-byo/de/stages"
)

func (e *env) gradeCommand() *cli.Command {
	return &cli.Command{
		Name:      "grade",
		Usage:     "grade the submissions of a class",
		ArgsUsage: "PATH...",
		Description: `A PATH is a submission, or a folder of them: a folder, a .zip, .tar, .tar.gz
or .tgz, or a git repository as REPOSITORY@REF. A submission is a workspace, or
just folders of stages. What it holds is not trusted. Results are written as
they come, and --resume leaves out what is done and unchanged.

examples:
  de grade submissions --out results
  de grade submissions --out results --roster class.csv --rubric rubric.yaml
  de grade submissions --out results --only mustermann
  de grade submissions --out results --hidden exam
  de grade --explain mustermann --out results

exit code: 0 all are graded, 2 bad input, 3 a fault of de, 4 it was ended
before, or a mark is not final

guide: https://github.com/flk-byo/de/blob/main/grading/README.md`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "write the results below `DIR`, which is made if need be"},
			&cli.StringFlag{Name: "rubric", Usage: "give points as `FILE` says; de rubric show prints the default"},
			&cli.StringFlag{Name: "hidden", Usage: "judge by the schedules in `DIR`, too, and tell students of each as much as its disclose says: full, result-only or hidden"},
			&cli.StringFlag{Name: "roster", Usage: "take IDs, names and addresses of students from `FILE`, a CSV with a header: id,name,email,submission"},
			&cli.StringSliceFlag{Name: "only", Usage: "grade only the submission called `NAME`, anew; the others stay as they are; can be repeated", KeepSpace: true},
			&cli.StringFlag{Name: "shard", Usage: "grade the `I/N`-th part of the submissions, as 1/4; auto takes it from Kubernetes, Slurm or CI"},
			&cli.StringFlag{Name: "explain", Usage: "run nothing; print what the mark of `STUDENT` in --out rests on"},
			&cli.BoolFlag{Name: "resume", Usage: "leave out what is done and unchanged"},
			&cli.IntFlag{Name: "jobs", Usage: "grade `N` submissions at once; 0 is one for each processor"},
			&cli.DurationFlag{Name: "budget", Value: defaultBudget, Usage: "the `TIME` for each student; beyond it the mark is not final"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the first of the random seeds is `N`"},
		},
		Action: e.grade,
	}
}

func (e *env) grade(c *cli.Context) error {
	if c.IsSet("explain") {
		return e.explainMark(c)
	}
	config, all, err := e.classConfig(c)
	if err != nil {
		return err
	}
	out, err := e.openOut(c.String("out"))
	if err != nil {
		return err
	}
	defer out.Close()
	config.Store, config.Formats, config.Resume = store{out}, studentFormats, c.Bool("resume")
	if config.Private != nil {
		instructor, err := openInstructor(out)
		if err != nil {
			return err
		}
		defer instructor.Close()
		config.Private.Store, config.Private.Formats = store{instructor}, instructorFormats
	}
	ctx, stop := interruptible()
	defer stop()
	p := e.newClassProgress()
	config.Progress = p.show
	graded, err := class.Run(ctx, config)
	p.bar.clear()
	if err != nil && ctx.Err() == nil {
		return err
	}
	graded.Absent, graded.Unlisted = class.Roll(config.Students, all)
	if err := e.writeClass(store{out}, graded); err != nil {
		return err
	}
	e.tellWhere(c.String("out"))
	if config.Private != nil {
		e.tellInstructor(c.String("out"))
	}
	return classEnd(graded, config.Only)
}

// tellInstructor says where that is which students may not see.
func (e *env) tellInstructor(dir string) {
	fmt.Fprintf(e.stderr, "what students may not see is in %s: keep it to yourself\n", plain(filepath.Join(dir, instructorDir)))
}

func (e *env) tellWhere(dir string) {
	fmt.Fprintf(e.stderr, "written to %s: class.html, summary.csv, gradebook.csv and students\n", plain(dir))
}

// classEnd is the exit code for those of a class that were asked for; none is
// all.
func classEnd(c class.Class, only []string) error {
	asked := func(name string) bool { return len(only) == 0 || slices.Contains(only, name) }
	missing := 0
	for _, name := range c.Missing {
		if asked(name) {
			missing++
		}
	}
	if missing > 0 {
		return &failure{exitInconclusive, fmt.Sprintf("ended early: %d of %d are graded, and what is written of them holds", len(c.Students), len(c.Students)+len(c.Missing)), "the same command with --resume goes on"}
	}
	for _, r := range c.Students {
		if !r.Marks.Final && asked(r.Source) {
			return &failure{code: exitInconclusive}
		}
	}
	return nil
}

// classConfig reads what the command line asks for. The sources are those of all
// shards.
func (e *env) classConfig(c *cli.Context) (class.Config, []submission.Source, error) {
	if !c.Args().Present() {
		return class.Config{}, nil, usage("de grade submissions --out results", "de grade wants to know what to grade")
	}
	if c.String("out") == "" {
		return class.Config{}, nil, usage("--out results", "de grade wants to know where to write the results")
	}
	if c.Duration("budget") <= 0 {
		return class.Config{}, nil, usage("--budget 90s", "--budget wants a time above zero, not %v", c.Duration("budget"))
	}
	if n := c.Int("jobs"); n < 0 {
		return class.Config{}, nil, usage("--jobs 2, or none for one a processor", "--jobs wants a number from 0, not %d", n)
	}
	marks, err := e.rubric(c.String("rubric"))
	if err != nil {
		return class.Config{}, nil, err
	}
	students, err := e.roster(c.String("roster"))
	if err != nil {
		return class.Config{}, nil, err
	}
	all, err := e.sourcesOf(c)
	if err != nil {
		return class.Config{}, nil, err
	}
	only := c.StringSlice("only")
	if err := known(only, all); err != nil {
		return class.Config{}, nil, err
	}
	shard, err := e.shard(c.String("shard"))
	if err != nil {
		return class.Config{}, nil, err
	}
	sources, part := shard.Take(all)
	git, err := e.gitFor(sources)
	if err != nil {
		return class.Config{}, nil, err
	}
	config := class.Config{
		Course: stages.Course, Program: e.version, Shard: part, Sources: sources, Only: only, Git: git, Students: students, Rubric: marks,
		Jobs: cmp.Or(c.Int("jobs"), runtime.NumCPU()),
	}
	if config.Stages, err = e.gradedStages(c.String("hidden")); err != nil {
		return class.Config{}, nil, err
	}
	forStudents, forInstructor := fingerprints(e.fingerprint(c.Uint64("seed")), config.Stages)
	config.Fingerprint = forStudents
	if keepsSecrets(config.Stages) {
		config.Private = &class.Private{Fingerprint: forInstructor}
	}
	config.Grading, err = e.gradingConfig(nil)
	config.Grading.Seed, config.Grading.Budget = c.Uint64("seed"), c.Duration("budget")
	config.Grading.Workers = max(1, runtime.NumCPU()/config.Jobs)
	return config, all, err
}

// sourcesOf finds the submissions.
func (e *env) sourcesOf(c *cli.Context) ([]submission.Source, error) {
	var paths []string
	for _, arg := range c.Args().Slice() {
		paths = append(paths, e.path(arg))
	}
	sources, err := submission.Find(paths, submissionStages())
	if err != nil {
		return nil, usage("name a submission, or a folder of them", "%v", err)
	}
	out := e.path(c.String("out"))
	if slices.ContainsFunc(paths, func(path string) bool { return sameFolder(path, out) }) {
		return nil, usage("--out with a folder of its own", "the results can't be written into what is graded, %s", plain(c.String("out")))
	}
	// In the folder of the class lie the results of the run before this.
	return slices.DeleteFunc(sources, func(s submission.Source) bool { return sameFolder(s.Path, out) }), nil
}

// sameFolder tells whether two paths are there and lead to one place.
func sameFolder(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// known returns an error if there is no source of one of the names.
func known(names []string, sources []submission.Source) error {
	var all []string
	for _, s := range sources {
		all = append(all, s.Name)
	}
	for _, name := range names {
		if !slices.Contains(all, name) {
			return usage("--only with the name of a file or folder", "there is no submission %s%s", plain(name), didYouMean("", name, all))
		}
	}
	return nil
}

// submissionStages are what is looked for in a submission.
func submissionStages() []submission.Stage {
	var all []submission.Stage
	for _, suite := range stages.All() {
		all = append(all, submission.Stage{ID: suite.ID, Folder: suite.Folder()})
	}
	return all
}

// gitFor finds the git command, if one of the sources needs it.
func (e *env) gitFor(sources []submission.Source) (string, error) {
	if !slices.ContainsFunc(sources, func(s submission.Source) bool { return s.Kind == submission.Git }) {
		return "", nil
	}
	if git := e.inPath("git"); git != "" {
		return git, nil
	}
	return "", usage("install git, or name folders and archives", "there is no git to read a repository by: no git command in PATH")
}

// inPath finds a command in PATH, without regard to the working directory. It is
// empty if there is none.
func (e *env) inPath(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(e.getenv("PATH")) {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil && filepath.IsAbs(path) {
			return path
		}
	}
	return ""
}

// classStages are all stages, the last first, with their cases and references.
func classStages() ([]class.Stage, error) {
	var all []class.Stage
	for _, suite := range slices.Backward(stages.All()) {
		cases, err := ownCases(suite)
		if err != nil {
			return nil, err
		}
		slices.SortStableFunc(cases, suite.Compare)
		files, err := fs.Sub(stages.Files, path.Join(suite.Folder(), implReference))
		if err != nil {
			return nil, err
		}
		given, err := fs.Sub(stages.Files, path.Join(suite.Folder(), "skeleton"))
		if err != nil {
			return nil, err
		}
		all = append(all, class.Stage{Suite: suite, Cases: cases, Given: given, Reference: build.Package{
			Folder: suite.Folder(), Stage: suite.Folder(), Files: files, Rewrite: workspace.RewriteImports,
		}})
	}
	return all, nil
}

// maxConfig bounds a rubric's or a roster's file, in bytes.
const maxConfig = 4 << 20

func (e *env) rubric(name string) (rubric.Rubric, error) {
	if name == "" {
		return rubric.Default(stages.All()), nil
	}
	return e.loadRubric(name)
}

func (e *env) readConfig(name string) ([]byte, error) {
	f, err := os.Open(e.path(name))
	if err != nil {
		return nil, usage("name a file that can be read", "%s: %v", plain(name), withoutPath(err))
	}
	defer f.Close() // read only
	src, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return nil, usage("name a file that can be read", "%s: %v", plain(name), withoutPath(err))
	}
	if len(src) > maxConfig {
		return nil, usage("name a smaller file", "%s is larger than %d bytes", plain(name), maxConfig)
	}
	return src, nil
}

// roster reads a CSV of students, by ID, which is the name of what they hand in.
func (e *env) roster(name string) (map[string]class.Student, error) {
	if name == "" {
		return nil, nil
	}
	src, err := e.readConfig(name)
	if err != nil {
		return nil, err
	}
	students, err := class.ParseRoster(src)
	if err != nil {
		return nil, usage("a header id,name,email, and a line for each student", "%s: %v", plain(name), err)
	}
	return students, nil
}

// fingerprint stands for all that a result depends on beside the submission and
// the rubric.
func (e *env) fingerprint(seed uint64) string {
	sum := sha256.New()
	fmt.Fprintln(sum, e.version, seed, seeds)
	for _, files := range []fs.FS{stages.Files, fixtures.Files} {
		err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			src, err := fs.ReadFile(files, name)
			fmt.Fprintln(sum, name, len(src))
			sum.Write(src)
			return err
		})
		if err != nil {
			panic(err) // they are part of this program
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}
