package keyedstate

import (
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/02-keyed-state/contract"
	"github.com/flk-byo/de/stages/02-keyed-state/wire"
)

// A subject runs and judges cases against one solution.
type subject struct {
	solution wire.Stage
	watched  func(function string) bool
	turn     int // see [grading.Guest]
}

func bind(g grading.Guest) grading.Subject {
	return subject{wire.Stage{Object: g.Solution}, g.Watched, g.Turn}
}

// Native returns the subject of a solution that runs in this process, for tests
// of the harness itself. Its calls take the same way as those of a guest, but
// for the guest.
func Native(s contract.Stage) grading.Subject {
	var host, guest *rpc.Peer
	host = rpc.NewHost(func(ref rpc.Ref, method uint32, args []byte) []byte { return guest.Serve(ref, method, args) })
	guest = rpc.NewGuest(func(ref rpc.Ref, method uint32, args []byte) []byte { return host.Serve(ref, method, args) })
	root := rpc.Object{Peer: host, Ref: wire.ExportStage(guest, s)}
	return subject{wire.Stage{Object: root}, func(string) bool { return false }, 0}
}

// Run is [grading.Subject]'s.
func (s subject) Run(c schedule.Case) grading.Outcome {
	run := s.runReduction
	if c.Script != nil {
		run = s.runScript
	}
	found, rows := run(c)
	var all []grading.Finding
	if found != nil && found.Check == isolation && s.turn > 0 {
		// In a process that goes on, what an earlier case left behind may show in
		// this way. Under another name than that, it is run again alone.
		found.Check = stateModel
	}
	if found != nil {
		all = append(all, *found)
	}
	if slept := grading.Slept(noSleep, s.watched); slept != nil && (found == nil || found.Fault == nil) {
		all = append(all, *slept)
	}
	o := grading.Outcome{Findings: all, Steps: rows.steps}
	if found == nil { // else it is not known how far the case came
		o.Situations = func() []string { return came(c) }
	}
	return o
}

// readings are the ways in which a case is read under the seed at hand: the
// first does both, each of the others one.
func (s subject) readings(often reading) []reading {
	switch {
	case s.turn == 0:
		return []reading{often, rarely}
	case s.turn%2 == 1:
		return []reading{often}
	default:
		return []reading{rarely}
	}
}

// unlessState says of a finding that a state of the solution's own is part of
// it, so that it says little while the state is wrong.
func unlessState(f *grading.Finding) {
	if f.Check != stateModel {
		f.Unless = stateModel
	}
}
