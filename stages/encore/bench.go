package encore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/flk-byo/de/stages/encore/protocol"
)

// Bench tells how long a run takes on a fresh store, from when that is open: of
// the job, or of plain inserts of the same records into the same store.
func (r Runner) Bench(ctx context.Context, plain bool, now func() time.Time) (took time.Duration, err error) {
	t, err := r.begin(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, t.drop()) }()
	p, err := start(ctx, r.Program, r.Limit)
	if err != nil {
		return 0, err
	}
	defer p.kill()
	task := t.task(protocol.Run)
	if plain {
		task = t.task(protocol.Plain)
	}
	task.Wait, task.Silent = false, true
	p.send(task)
	return timed(p, now)
}

func timed(p *process, now func() time.Time) (time.Duration, error) {
	var began time.Time
	for {
		var m protocol.Moment
		switch heard := p.hear(&m); {
		case !heard:
			return 0, errors.New("run the job: the process ended before its job")
		case m.Begin:
			began = now()
		case m.End && m.Error != "":
			return 0, fmt.Errorf("run the job: %s", m.Error)
		case m.End:
			return now().Sub(began), nil
		}
	}
}
