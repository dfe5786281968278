package encore

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// Random runs the job on a fresh store, and kills it from outside as often as
// told, each time after a delay, in whatever it does just then. If the job ends
// before, it is not killed any more.
func (r Runner) Random(ctx context.Context, kills int, delay func() time.Duration) (Outcome, error) {
	t, err := r.begin(ctx)
	if err != nil {
		return Outcome{}, err
	}
	for ended := false; t.Kills < kills && !ended && err == nil; {
		ended, err = t.killAfter(delay())
	}
	if err == nil {
		err = t.finish()
	}
	if err == nil {
		err = ctx.Err()
	}
	return t.Outcome, errors.Join(err, t.drop())
}

// killAfter starts the job and kills it after a time; true if it ended before.
func (t *trial) killAfter(delay time.Duration) (bool, error) {
	p, err := t.start()
	if err != nil {
		return false, err
	}
	var killed atomic.Bool
	timer := time.AfterFunc(delay, func() {
		killed.Store(true)
		_ = p.cmd.Process.Kill() // it may have ended by itself
	})
	t.follow(p, 0)
	timer.Stop()
	p.kill()
	if killed.Load() {
		t.Kills++
	}
	return !killed.Load(), nil
}
