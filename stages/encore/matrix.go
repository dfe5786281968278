package encore

import (
	"context"
	"sync"
)

// A Matrix is a list of scenarios that a job has to get through.
type Matrix struct {
	Runner   Runner
	Parallel int                   // so many at a time; 0 is 1
	Each     func(Outcome, int)    // told of each outcome, and how many there will be; may be nil
	Skip     func(at, of int) bool // leaves scenarios out, where all take too long; nil leaves none out
}

// Once is a kill at each moment of a run.
func (m Matrix) Once(ctx context.Context) ([]Outcome, error) {
	n, err := m.moments(ctx)
	if err != nil {
		return nil, err
	}
	var all []Scenario
	for k := range n {
		all = append(all, Scenario{Kill: []int{k + 1}})
	}
	return m.run(ctx, all)
}

// Twice is two kills, the second at each moment of the recovery from the first,
// for the outcomes of Once.
func (m Matrix) Twice(ctx context.Context, once []Outcome) ([]Outcome, error) {
	var all []Scenario
	for _, o := range once {
		for k := range o.Recovery {
			all = append(all, Scenario{Kill: []int{o.Scenario.Kill[0], k + 1}})
		}
	}
	return m.run(ctx, all)
}

// Zombies is a process that is stopped at each moment of a run, and goes on when
// the next has ended.
func (m Matrix) Zombies(ctx context.Context) ([]Outcome, error) {
	n, err := m.moments(ctx)
	if err != nil {
		return nil, err
	}
	var all []Scenario
	for k := range n {
		all = append(all, Scenario{Stop: k + 1})
	}
	return m.run(ctx, all)
}

// Held is a process that is stopped at each moment of a run, another that is
// stopped at each moment of its own, and the first goes on before the second.
func (m Matrix) Held(ctx context.Context) ([]Outcome, error) {
	n, err := m.moments(ctx)
	if err != nil {
		return nil, err
	}
	var all []Scenario
	for stop := range n {
		for hold := range n {
			all = append(all, Scenario{Stop: stop + 1, Hold: hold + 1})
		}
	}
	return m.run(ctx, all)
}

// moments counts the moments of a run that nothing happens to.
func (m Matrix) moments(ctx context.Context) (int, error) {
	clean, err := m.Runner.Run(ctx, Scenario{})
	return max(1, clean.Moments-1), err // the last is its end
}

// run runs scenarios, and returns their outcomes in the same order. Those that
// are skipped are left out.
func (m Matrix) run(ctx context.Context, scenarios []Scenario) ([]Outcome, error) {
	scenarios = m.chosen(scenarios)
	outcomes := make([]Outcome, len(scenarios))
	errs := make([]error, len(scenarios))
	next := make(chan int)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wait sync.WaitGroup
	var each sync.Mutex
	for range max(1, m.Parallel) {
		wait.Go(func() {
			for i := range next {
				if outcomes[i], errs[i] = m.Runner.Run(ctx, scenarios[i]); errs[i] != nil {
					cancel(errs[i])
				}
				if m.Each != nil {
					each.Lock()
					m.Each(outcomes[i], len(scenarios))
					each.Unlock()
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

func (m Matrix) chosen(scenarios []Scenario) []Scenario {
	if m.Skip == nil {
		return scenarios
	}
	var chosen []Scenario
	for i, s := range scenarios {
		if !m.Skip(i, len(scenarios)) {
			chosen = append(chosen, s)
		}
	}
	return chosen
}
