package encore

// A Story is what came of several scenarios.
type Story struct {
	Runs, Kills, Cuts             int // Cuts are those of the kills that took the power
	Stops, Restarts               int
	Committed, Recovered, Aborted int // transactions
	Rows, Right                   int // visible, and by the oracle
	Signs                         map[string]int
	First                         *Outcome // with a finding
}

// Tell adds an outcome for a source of so many records.
func (s *Story) Tell(o Outcome, records int) {
	s.Runs++
	s.Kills += o.Kills
	s.Cuts += o.Cuts
	s.Stops += len(o.Places) - o.killedPlaces()
	s.Restarts += o.Starts - 1
	s.Committed += o.Committed
	s.Recovered += o.Recovered
	s.Aborted += o.Aborted
	s.Rows += o.Rows
	s.Right += records
	if len(o.Findings) == 0 {
		return
	}
	if s.Signs == nil {
		s.Signs = map[string]int{}
	}
	for _, f := range o.Findings {
		s.Signs[f.Sign]++
	}
	if s.First == nil {
		s.First = &o
	}
}

// killedPlaces is how many of the places are those of kills; the others are where
// a process was stopped.
func (o Outcome) killedPlaces() int { return min(o.Kills, len(o.Places)) }

// Signs are all signs, in the order in which they are told.
func Signs() []string {
	return []string{TwoOwners, Collision, Stuck, Loss, Duplicates, Orphans}
}
