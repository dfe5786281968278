package encore

import (
	"context"
	"sync"
)

// Once is a kill at each moment of a run that has so many.
func Once(moments int) []Scenario {
	var all []Scenario
	for k := range moments {
		all = append(all, Scenario{Kill: []int{k + 1}})
	}
	return all
}

// Twice is two kills, the second at each moment of the recovery from the first,
// for the outcomes of Once or Power.
func Twice(once []Outcome) []Scenario {
	var all []Scenario
	for _, o := range once {
		for k := range o.Recovery {
			all = append(all, Scenario{Kill: []int{o.Scenario.Kill[0], k + 1}, Power: o.Scenario.Power})
		}
	}
	return all
}

// Power is a power cut at each moment of a run that has so many.
func Power(moments int) []Scenario {
	all := Once(moments)
	for i := range all {
		all[i].Power = true
	}
	return all
}

// Zombies is a process that is stopped at each moment of a run, and goes on when
// the next one has ended.
func Zombies(moments int) []Scenario {
	var all []Scenario
	for k := range moments {
		all = append(all, Scenario{Stop: k + 1})
	}
	return all
}

// Held is a process that is stopped at each moment of a run, a second that is
// stopped at each moment of its own, and the first goes on before the second.
func Held(moments int) []Scenario {
	var all []Scenario
	for stop := range moments {
		for hold := range moments {
			all = append(all, Scenario{Stop: stop + 1, Hold: hold + 1})
		}
	}
	return all
}

// RunAll runs scenarios, so many at a time, and returns their outcomes in the
// same order. Each is told of an outcome as it comes; it may be nil.
func (r Runner) RunAll(ctx context.Context, scenarios []Scenario, parallel int, each func(Outcome)) ([]Outcome, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	outcomes := make([]Outcome, len(scenarios))
	next := make(chan int)
	var wait sync.WaitGroup
	var telling sync.Mutex
	for range max(1, parallel) {
		wait.Go(func() {
			for i := range next {
				o, err := r.Run(ctx, scenarios[i])
				if err != nil {
					cancel(err)
					continue
				}
				outcomes[i] = o
				if each != nil {
					telling.Lock()
					each(o)
					telling.Unlock()
				}
			}
		})
	}
	for i := 0; i < len(scenarios) && ctx.Err() == nil; i++ {
		next <- i
	}
	close(next)
	wait.Wait()
	return outcomes, context.Cause(ctx)
}
