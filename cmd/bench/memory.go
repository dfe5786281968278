package main

import (
	"fmt"
	"time"
)

// sampleEvery is how often memory is looked at.
const sampleEvery = 5 * time.Millisecond

// memory tells how much the processes of de test have at most: together, as seen
// every few milliseconds, and the largest of them, as the system tells. Pages
// that several share are counted for each.
func (b *bench) memory() error {
	l, err := b.newLearner("memory")
	if err != nil {
		return err
	}
	rows := []string{"peak of memory\tall processes\tthe largest"}
	for _, now := range []struct {
		name string
		edit bool
	}{{"stage 08 edited", true}, {"unchanged", false}} {
		var all, one int64
		for range min(b.runs, 3) {
			if now.edit {
				if err := l.edit(lastSuite(), ""); err != nil {
					return err
				}
			}
			seen, r, err := l.sampled()
			if err != nil {
				return err
			}
			all, one = max(all, seen), max(one, r.largest)
		}
		rows = append(rows, fmt.Sprintf("%s\t%s\t%s", now.name, megabytes(all), megabytes(one)))
	}
	b.table(rows...)
	return nil
}

// sampled runs de test, and looks at its processes meanwhile.
func (l *learner) sampled() (peak int64, r judged, err error) {
	stop, stopped := make(chan bool), make(chan bool)
	l.started = func(pid int) {
		go func() {
			defer close(stopped)
			for tick := time.NewTicker(sampleEvery); ; {
				select {
				case <-stop:
					tick.Stop()
					return
				case <-tick.C:
					peak = max(peak, tree(pid))
				}
			}
		}()
	}
	r, err = l.test(0)
	l.started = nil
	close(stop)
	if err == nil {
		<-stopped
	}
	return peak, r, err
}

func megabytes(n int64) string {
	if n == 0 {
		return "not known here"
	}
	return fmt.Sprintf("%d MB", n/1e6)
}
