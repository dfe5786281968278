// Package encore runs the last job of the course for real: in a process of its
// own, on a store that outlives it, killed and started again. It compiles the
// program, says where it is killed, and judges what a reader of the store finds
// then. It is no stage: nothing of it runs in the sandbox.
//
// Start reading at [Runner.Run].
package encore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/flk-byo/de/stages/encore/protocol"
	"github.com/flk-byo/de/stages/stream"
)

// A Runner runs scenarios of one job on one kind of store, each on a store of its
// own.
type Runner struct {
	Program      string          // that a Builder made, for one kind of store
	Dir          string          // an empty folder, for stores
	Server       string          // how that of the stores is reached; empty where there is none
	Records      []stream.Record // with keys that are text, since they go through JSON
	BarrierEvery int
	Limit        time.Duration // a process that takes longer is stuck
}

// Stores are the kinds of stores that there are.
func Stores() []string { return []string{"sqlite", "sqlite-one", "file", "postgres", "kafka"} }

// InFolder tells whether a kind of store is in a folder of a Runner's. The others
// are on a server, whose disk is not ours.
func InFolder(store string) bool { return family(store) == "sqlite" || store == "file" }

// Ready makes a store and drops it. What is wrong with a server shows here, before
// a job is blamed for it.
func (r Runner) Ready(ctx context.Context) error {
	t, err := r.begin(ctx)
	if err != nil {
		return err
	}
	if _, err := t.ask(protocol.Read); err != nil {
		return errors.Join(err, os.RemoveAll(t.dir)) // there is no store to drop
	}
	return t.drop()
}

// Moments is how many moments a run has that nothing happens to.
func (r Runner) Moments(ctx context.Context) (int, error) {
	clean, err := r.Run(ctx, Scenario{})
	return clean.Moments, err
}

// retries is how often a job that ends by an error is started again before it
// counts as stuck. What was wrong for a moment has passed by then.
const retries = 3

// Run runs a scenario on a fresh store.
func (r Runner) Run(ctx context.Context, s Scenario) (Outcome, error) {
	t, err := r.begin(ctx)
	if err != nil {
		return Outcome{}, err
	}
	t.Scenario = s
	if s.Power {
		err = t.onDisk(t.play)
	} else {
		err = t.play()
	}
	if err == nil {
		err = ctx.Err() // processes die of it
	}
	return t.Outcome, errors.Join(err, t.drop())
}

// onDisk does play with the store on a disk of its own.
func (t *trial) onDisk(play func() error) error {
	d, err := newDisk(t.ctx, t.dir, len(t.runner.Records))
	if err != nil {
		return fmt.Errorf("make a disk: %w", err)
	}
	t.disk = d
	return errors.Join(play(), d.remove())
}

// play does what the scenario says, and then runs the job to its end.
func (t *trial) play() (err error) {
	if t.Scenario.Stop > 0 {
		err = t.zombie(t.Scenario)
	} else {
		err = t.killed(t.Scenario.Kill)
	}
	if err != nil {
		return err
	}
	return t.finish()
}

// A trial is a scenario under way.
type trial struct {
	Outcome
	ctx       context.Context
	runner    Runner
	dir       string
	oracle    []stream.Record
	disk      *disk          // of the store, if its power is cut
	newest    int64          // epoch that was claimed
	prepared  map[string]int // rows of a transaction, by its ID
	committed map[string]bool
	shown     int // rows that were committed
}

func (r Runner) begin(ctx context.Context) (*trial, error) {
	dir, err := os.MkdirTemp(r.Dir, "store-")
	if err != nil {
		return nil, err
	}
	t := &trial{ctx: ctx, runner: r, dir: dir, oracle: Oracle(r.Records), prepared: map[string]int{}, committed: map[string]bool{}}
	if err := r.writeSource(t.source()); err != nil || r.Server == "" {
		return t, err
	}
	_, err = t.ask(protocol.Fill)
	return t, err
}

// drop removes the trial's store, which no process uses any more.
func (t *trial) drop() error {
	defer os.RemoveAll(t.dir) // what stays is in a folder for this run alone
	if t.runner.Server == "" {
		return nil
	}
	t.ctx = context.WithoutCancel(t.ctx)
	_, err := t.ask(protocol.Drop)
	return err
}

func (t *trial) source() string { return filepath.Join(t.dir, "source.jsonl") }

// store is the folder of the store.
func (t *trial) store() string {
	if t.disk != nil {
		return t.disk.folder
	}
	return t.dir
}

func (r Runner) writeSource(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close() // an error of it has shown in Encode, or shows when it is read
	lines := json.NewEncoder(f)
	for _, record := range r.Records {
		if err := lines.Encode(record); err != nil {
			return err
		}
	}
	return nil
}

func (t *trial) start() (*process, error) {
	p, err := start(t.ctx, t.runner.Program, t.runner.Limit)
	if err != nil {
		return nil, err
	}
	t.Starts++
	p.send(t.task(protocol.Run))
	return p, nil
}

func (t *trial) task(do string) protocol.Task {
	return protocol.Task{
		Do: do, Location: protocol.Location{Dir: t.store(), Server: t.runner.Server, Name: "de-" + filepath.Base(t.dir)},
		Source: t.source(), BarrierEvery: t.runner.BarrierEvery, Wait: true,
	}
}

// killed runs processes one after the other, each to the moment it is killed at.
func (t *trial) killed(at []int) error {
	for _, moment := range at {
		p, err := t.start()
		if err != nil {
			return err
		}
		where, ended := t.follow(p, moment)
		if ended != nil {
			p.wait()
			continue // before that moment came
		}
		t.Kills++
		t.Places = append(t.Places, place(where))
		if t.disk == nil {
			p.kill()
			continue
		}
		if err := t.cutPower(p); err != nil {
			return err
		}
	}
	return nil
}

// cutPower kills a process by a power cut. What readers saw before, they must see
// when the power is back; a job that was started first could hide that they don't.
func (t *trial) cutPower(p *process) error {
	t.Cuts++
	if err := t.disk.cut(t.ctx, p.kill); err != nil {
		return fmt.Errorf("cut the power: %w", err)
	}
	contents, err := t.ask(protocol.Read)
	if err != nil {
		t.find(Finding{Stuck, err.Error()})
		return nil
	}
	if n := t.shown - len(contents.Rows); n > 0 {
		t.find(Finding{Loss, count(n, "row is gone") + " that readers saw before the power was cut"})
	}
	return nil
}

// zombie has a process stopped, another in its place, and the first go on.
func (t *trial) zombie(s Scenario) error {
	old, err := t.start()
	if err != nil {
		return err
	}
	defer old.kill()
	where, ended := t.follow(old, s.Stop)
	if ended != nil {
		return nil
	}
	old.stop()
	t.Places = append(t.Places, place(where))
	owner, err := t.start()
	if err != nil {
		return err
	}
	defer owner.kill()
	where, ended = t.follow(owner, s.Hold)
	if ended == nil {
		owner.stop()
		t.Places = append(t.Places, place(where))
		t.carryOn(old)
		t.carryOn(owner)
		return nil
	}
	if ended.Error != "" {
		return nil
	}
	if err := t.look(); err != nil {
		return err
	}
	t.carryOn(old)
	return t.look() // the next process might put right what the old one did
}

// carryOn lets a process that was stopped go on to its end.
func (t *trial) carryOn(p *process) {
	p.resume()
	p.goOn()
	t.follow(p, 0)
}

// finish starts the job until it ends well, and looks at what it comes to. If
// nothing was killed that is the only process.
func (t *trial) finish() error {
	var last protocol.Moment
	for range retries {
		p, err := t.start()
		if err != nil {
			return err
		}
		_, ended := t.follow(p, 0)
		died := p.wait()
		last = *ended
		if last.Error == "" && last.End {
			return t.look()
		}
		if !last.End && died != nil {
			last.Error = died.Error()
		}
	}
	sign := Stuck
	if last.Kind == protocol.Taken {
		sign = Collision
	}
	t.find(Finding{sign, "the job does not end: " + last.Error})
	return nil
}

// follow lets a process go on to the moment with a number, counted from where it
// is, and returns that moment; or how it ended: as it says, or without a word.
func (t *trial) follow(p *process, number int) (at protocol.Moment, ended *protocol.Moment) {
	for n := 1; ; n++ {
		var m protocol.Moment
		if !p.hear(&m) {
			return at, &protocol.Moment{Error: "the process ended, and its job did not return"}
		}
		t.note(p, m)
		switch {
		case m.End:
			return at, &m
		case n == number:
			return m, nil
		}
		p.goOn()
	}
}

// note keeps what the outcome tells, and sees to it that there is one owner.
func (t *trial) note(p *process, m protocol.Moment) {
	p.reading = p.reading || m.Call == "Read"
	switch {
	case m.End: // nothing can happen there any more
	case t.Starts == 1:
		t.Moments++
	case t.Starts == 2 && !p.reading:
		t.Recovery++
	}
	if m.After && m.Error == "" {
		t.noteReturn(p, m)
	}
}

func (t *trial) noteReturn(p *process, m protocol.Moment) {
	switch m.Call {
	case "Claim":
		p.epoch = m.Number
		if p.epoch <= t.newest {
			t.find(Finding{TwoOwners, fmt.Sprintf("epoch %d was claimed after epoch %d", p.epoch, t.newest)})
		}
		t.newest = max(t.newest, p.epoch)
	case "Write":
		p.open++
	case "PreCommit":
		t.prepared[m.Detail], p.open = p.open, 0
	case "Save":
		if p.epoch < t.newest {
			t.find(Finding{TwoOwners, fmt.Sprintf("epoch %d saved a checkpoint after epoch %d was claimed", p.epoch, t.newest)})
		}
	case "AbortOlder":
		t.Aborted += int(m.Number)
	case "Commit":
		if !t.committed[m.Detail] {
			t.committed[m.Detail] = true
			t.Committed++
			t.shown += t.prepared[m.Detail]
			if !p.reading {
				t.Recovered++
			}
		}
	}
}

// find keeps the first finding of each sign.
func (t *trial) find(f Finding) {
	for _, known := range t.Findings {
		if known.Sign == f.Sign {
			return
		}
	}
	t.Findings = append(t.Findings, f)
}

// look reads the store and judges what is in it.
func (t *trial) look() error {
	contents, err := t.ask(protocol.Read)
	if err != nil {
		return err
	}
	t.Rows = len(contents.Rows)
	for _, f := range judge(t.oracle, contents) {
		t.find(f)
	}
	return nil
}

// ask has a process do something with the store, and returns its answer.
func (t *trial) ask(do string) (contents protocol.Contents, err error) {
	p, err := start(t.ctx, t.runner.Program, t.runner.Limit)
	if err != nil {
		return contents, err
	}
	p.send(t.task(do))
	heard := p.hear(&contents)
	died := p.wait()
	switch {
	case contents.Error != "":
		return contents, fmt.Errorf("%s the store: %s", do, contents.Error)
	case !heard:
		return contents, fmt.Errorf("%s the store: the process ended: %w", do, died)
	}
	return contents, nil
}
