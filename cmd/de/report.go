package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/grading/report"
)

func (e *env) reportCommand() *cli.Command {
	return &cli.Command{
		Name:  "report",
		Usage: "put together what several machines graded",
		Subcommands: []*cli.Command{{
			Name:      "merge",
			Usage:     "make the results of a class out of those of its shards",
			ArgsUsage: "DIR...",
			Description: `A DIR is the --out folder of one de grade --shard I/N; all N are wanted. What
is written is what one machine would have written, to the byte, times aside.
Of a DIR only class.json is needed, and times.json of the students is taken
along. Nothing is written before all was found to fit together.

examples:
  de report merge shards/* --out results

exit code: 0 all is merged, 2 they don't fit together, 3 a fault of de, 4 a mark
is not final`,
			Flags:  []cli.Flag{&cli.StringFlag{Name: "out", Usage: "write the results below `DIR`, which must be new or empty"}},
			Action: e.reportMerge,
		}},
	}
}

func (e *env) reportMerge(c *cli.Context) error {
	if !c.Args().Present() {
		return usage("de report merge shards/* --out results", "de report merge wants the folders of the shards")
	}
	if c.String("out") == "" {
		return usage("--out results", "de report merge wants to know where to write the results")
	}
	var parts []class.Part
	for _, arg := range c.Args().Slice() {
		part, root, err := e.part(arg)
		if err != nil {
			return err
		}
		defer root.Close()
		parts = append(parts, part)
	}
	joined, err := class.Join(parts)
	if err != nil {
		return misfit(err)
	}
	if joined.Class.Program != e.version {
		return usage("merge with the de that graded", "the shards were graded by de %s, and this is %s", plain(joined.Class.Program), e.version)
	}
	return e.writeJoined(joined, c.String("out"))
}

// misfit is an error of the folders that were given.
func misfit(err error) error {
	if m := (*class.Misfit)(nil); errors.As(err, &m) {
		return usage(m.Next, "%s", m.Words)
	}
	return err
}

// part is what lies in the folder of a shard.
func (e *env) part(name string) (class.Part, *os.Root, error) {
	root, err := os.OpenRoot(e.path(name))
	if err != nil {
		return class.Part{}, nil, usage("name the --out folders of all shards of one class", "%s: %v", plain(name), withoutPath(err))
	}
	open := func() (io.ReadCloser, error) { return openRegular(root, class.ClassFile) }
	in := func(dir string) func(student, file string) ([]byte, error) {
		return func(student, file string) ([]byte, error) { return readRegular(root, dir+studentFile(student, file)) }
	}
	return class.Part{Name: plain(name), Open: open, Read: in(""), ReadPrivate: in(instructorDir + "/")}, root, nil
}

func readRegular(root *os.Root, name string) ([]byte, error) {
	f, err := openRegular(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	return io.ReadAll(io.LimitReader(f, maxResult))
}

// A hasty store writes a file without waiting until it is safe on the disk: what
// can be made anew at once need not outlive a loss of power.
type hasty struct{ store }

func (s hasty) Write(student, file string, content []byte) error {
	if err := s.makeFolder(student); err != nil {
		return err
	}
	return s.root.WriteFile(studentFile(student, file), content, 0o666)
}

// openRegular opens a file that is no pipe, device or folder: to read from those
// may never end.
func openRegular(root *os.Root, name string) (io.ReadCloser, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, withoutPath(err))
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	return root.Open(name)
}

// writeJoined writes the class, and the files of its students.
func (e *env) writeJoined(joined class.Joined, dir string) error {
	if entries, err := os.ReadDir(e.path(dir)); err == nil && len(entries) > 0 {
		return usage("choose a new folder", "--out %s is not empty", plain(filepath.ToSlash(dir)))
	}
	out, err := e.openOut(dir)
	if err != nil {
		return err
	}
	defer out.Close()
	config := class.Config{Store: hasty{store{out}}, Formats: studentFormats, Jobs: runtime.NumCPU()}
	if joined.Private != "" {
		instructor, err := openInstructor(out)
		if err != nil {
			return err
		}
		defer instructor.Close()
		config.Private = &class.Private{Store: hasty{store{instructor}}, Formats: instructorFormats}
	}
	bar := e.newProgress()
	students := func(yield func(class.Result, error) bool) {
		done := 0
		for r, err := range joined.Write(config) {
			done++
			bar.show(grading.Progress{Doing: "merging results,", Done: done, Total: len(joined.Class.Students)})
			if !yield(r, err) {
				return
			}
		}
	}
	err = writeBy(out, class.ClassFile, func(w io.Writer) error { return report.JoinedJSON(w, joined.Class, students) })
	bar.clear()
	if err != nil {
		return misfit(err)
	}
	if err := e.writeSummaries(store{out}, joined.Class); err != nil {
		return err
	}
	e.tellWhere(dir)
	if config.Private != nil {
		e.tellInstructor(dir)
	}
	return classEnd(joined.Class, nil)
}
