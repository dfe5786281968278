// Package harness holds what takes a schedule to a trace: loading schedules
// (schedule, over strict), building a guest (build), running it (sandbox, rpc,
// and shim inside the guest), and bounding all of it (confine, worker). None of
// it names a stage, judges, or prints.
package harness

import "embed"

// GuestFiles are the harness's own packages that are compiled into a guest.
//
//go:embed rpc/codec.go rpc/rpc.go shim/* rewind/rewind.go rewind/plan.go rewind/layout.go
var GuestFiles embed.FS
