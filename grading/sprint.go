package grading

import (
	"sync"
	"sync/atomic"
)

// A sprint runs cases for as long as all pass. Every bench goes through them in
// order at its own pace, so that none waits for another; what the benches showed
// is the same however they share the processors.
type sprint struct {
	*judge
	agenda
	to       int                         // the place to end before
	announce func(first, next int) error // which cases are under way

	limit atomic.Int64 // no case from here on is needed

	mu      sync.Mutex
	freed   *sync.Cond    // signalled when a bench is free again
	next    []int         // by bench: the case that it comes to
	busy    []bool        // by bench
	failed  []*CaseResult // by bench: the first case that did not pass
	started int
	told    int // the case that was announced last
	err     error
	ours    any // a panic, which is a fault of ours
}

// runners is how many benches run at a time.
const runners = 2

// sprint runs the cases of the places from one to before another. It returns the
// first place that any bench found wrong, and the results of that case by bench;
// or the end and no results. The benches are at different places afterwards, and
// start afresh.
func (j *judge) sprint(a agenda, from, to int, announce func(first, next int) error) (int, []*CaseResult, error) {
	n := len(j.benches)
	s := &sprint{
		judge: j, agenda: a, to: to, announce: announce,
		next: make([]int, n), busy: make([]bool, n), failed: make([]*CaseResult, n), told: -1,
	}
	s.freed = sync.NewCond(&s.mu)
	s.limit.Store(int64(to))
	for k := range s.next {
		s.next[k] = from
	}
	var wait sync.WaitGroup
	for range min(runners, n) {
		wait.Go(s.work)
	}
	wait.Wait()
	for _, b := range j.benches {
		b.stale = true
	}
	if s.ours != nil {
		panic(s.ours)
	}
	last := int(s.limit.Load()) - 1
	results := make([]*CaseResult, n)
	found := false
	for k, r := range s.failed {
		if r != nil && r.Index == last {
			results[k], found = r, true
		}
	}
	if !found {
		return to, nil, s.err
	}
	return last, results, s.err
}

// work takes up batches of whichever bench is behind.
func (s *sprint) work() {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.freed.Broadcast()
	for {
		k := s.behind()
		if k < 0 {
			return
		}
		s.busy[k] = true
		first := s.next[k]
		next := min(first+batchSize, s.to)
		s.started = max(s.started, next)
		s.tell()
		s.mu.Unlock()
		r, ours := s.batch(k, first, next)
		s.mu.Lock()
		s.busy[k], s.next[k] = false, next
		if r != nil {
			s.failed[k] = r
			s.next[k] = s.to
			s.limit.Store(min(s.limit.Load(), int64(r.Index+1)))
		}
		if ours != nil {
			s.ours = ours
			s.limit.Store(0)
		}
		s.freed.Broadcast()
	}
}

// behind waits for the bench that is to go on, and returns -1 if there is none.
func (s *sprint) behind() int {
	for {
		k, waiting := -1, false
		for i, next := range s.next {
			switch {
			case next >= int(s.limit.Load()):
			case s.busy[i]:
				waiting = true
			case k < 0 || next < s.next[k]:
				k = i
			}
		}
		if k >= 0 || !waiting {
			return k
		}
		s.freed.Wait()
	}
}

// tell announces the cases under way, if the first of them has changed.
func (s *sprint) tell() {
	lowest := s.to
	for _, next := range s.next {
		lowest = min(lowest, next)
	}
	if lowest == s.told {
		return
	}
	s.told = lowest
	if err := s.announce(lowest, s.started); err != nil {
		s.err = err
		s.limit.Store(0)
	}
}

// batch runs cases on bench k and returns the first result that is no pass.
func (s *sprint) batch(k, first, next int) (failed *CaseResult, ours any) {
	defer func() {
		if v := recover(); v != nil {
			ours = v
		}
	}()
	b := s.benches[k]
	for i := first; i < next && int64(i) < s.limit.Load(); i++ {
		explored := !s.isScheduled(i)
		if !s.takes(k, i, explored) {
			continue
		}
		var r *CaseResult
		if k == 0 {
			r = b.thoroughly(s.at(i), explored)
		} else {
			r = b.once(s.at(i), explored, false)
		}
		if r != nil {
			r.Index = i
			return r, nil
		}
	}
	return nil, nil
}

// takes tells whether bench k runs the case of index i. The first runs all; the
// others share the explored cases out.
func (j *judge) takes(k, i int, explored bool) bool {
	others := len(j.benches) - 1
	return k == 0 || !explored || i%others == k-1
}
