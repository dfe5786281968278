// Package worker is the inside of the process that a job runs in. It opens the
// store, hands the job's calls on to it, and tells the parent before and after
// each, where the parent may kill it. Start reading at [Main].
package worker

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/flk-byo/de/stages/encore/contract"
	"github.com/flk-byo/de/stages/encore/protocol"
	"github.com/flk-byo/de/stages/encore/stores"
	"github.com/flk-byo/de/stages/stream"
)

// Main does what standard input asks for with a job and a kind of store, and
// returns the exit code.
func Main(job contract.Job, open stores.Open) int {
	l := &line{in: bufio.NewReader(os.Stdin), out: json.NewEncoder(os.Stdout), open: open}
	os.Stdout = os.Stderr // what the job prints is not for the parent
	for {
		err := l.serve(job)
		if errors.Is(err, io.EOF) {
			return 0
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
}

// serve does one task; io.EOF is the end of them.
func (l *line) serve(job contract.Job) error {
	text, err := l.in.ReadBytes('\n')
	if err != nil {
		return err
	}
	var task protocol.Task
	if err := json.Unmarshal(text, &task); err != nil {
		return fmt.Errorf("read the task: %w", err)
	}
	if task.Do == protocol.Run || task.Do == protocol.Plain {
		return l.run(job, task)
	}
	contents, err := l.read(task)
	if err != nil {
		contents.Error = err.Error()
	}
	return l.out.Encode(contents)
}

func (l *line) run(job contract.Job, task protocol.Task) error {
	err := l.runJob(job, task)
	if err != nil && task.Location.Server == "" {
		if full := stores.Room(task.Location.Dir); full != nil {
			err = fmt.Errorf("%w; %w", err, full)
		}
	}
	if err := l.out.Encode(moment{End: true}.of(err)); err != nil {
		return err
	}
	return io.EOF
}

func (l *line) runJob(job contract.Job, task protocol.Task) error {
	records, err := readSource(task.Source)
	if err != nil {
		return err
	}
	store, err := l.open(task.Location)
	if err != nil {
		return err
	}
	log, err := sourceOf(store, records)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	l.wait, l.silent = task.Wait, task.Silent
	if task.Silent {
		err = l.out.Encode(protocol.Moment{Begin: true})
	}
	switch {
	case err != nil:
	case task.Do == protocol.Plain:
		err = store.Plain(records, task.BarrierEvery)
	default:
		err = job.RunJob(source{log, l}, checkpoints{store, l}, sink{store, l}, task.BarrierEvery)
	}
	return errors.Join(err, store.Close())
}

func (l *line) read(task protocol.Task) (contents protocol.Contents, err error) {
	store, err := l.open(task.Location)
	if err != nil {
		return contents, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	switch task.Do {
	case protocol.Lock:
		return contents, l.lock(store)
	case protocol.Fill:
		return contents, fill(store, task.Source)
	case protocol.Drop:
		return contents, store.Drop()
	}
	return store.Contents()
}

// lock keeps writers out until a line comes, and says when it does so.
func (l *line) lock(store stores.Store) error {
	release, err := store.Lock()
	if err != nil {
		return err
	}
	if err := l.out.Encode(protocol.Contents{}); err != nil {
		return err
	}
	_, err = l.in.ReadBytes('\n')
	return errors.Join(err, release())
}

// sourceOf is the store's own source, or the records if it has none.
func sourceOf(store stores.Store, records records) (contract.Source, error) {
	if filled, ok := store.(stores.Filled); ok {
		return filled.Source()
	}
	return records, nil
}

// fill fills the store's own source, if it has one.
func fill(store stores.Store, source string) error {
	filled, ok := store.(stores.Filled)
	if !ok {
		return nil
	}
	records, err := readSource(source)
	if err != nil {
		return err
	}
	return filled.Fill(records)
}

func readSource(name string) (records, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("open the source: %w", err)
	}
	var all records
	for line := range bytes.Lines(text) {
		var r stream.Record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("read the source: %w", err)
		}
		all = append(all, r)
	}
	return all, nil
}
