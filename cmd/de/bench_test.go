package main

import (
	"context"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/stages"
)

// BenchmarkVerdict is the way from an edit to a verdict on each stage's
// reference, warm: all of it, and its parts.
func BenchmarkVerdict(b *testing.B) {
	others := references(b)
	for i, suite := range stages.All() {
		cases, err := ownCases(suite)
		if err != nil {
			b.Fatal(err)
		}
		config := testConfig(b)
		p := others[i]
		config.Others = others
		config.Stages = []grading.Stage{{Suite: suite, Package: p, Cases: cases, Explore: true}}
		built, err := build.Guest(b.Context(), config.Build, []build.Package{p}, others)
		if err != nil || built.WASM == "" {
			b.Fatal(err, built)
		}
		defer built.Remove()
		job := grading.Job{WASM: built.WASM, Seeds: []uint64{1, 2, 3}, Workers: 2, Hot: config.Hot}

		b.Run(suite.ID+"/all", func(b *testing.B) {
			for b.Loop() {
				if r, err := grading.Run(b.Context(), config); err != nil || r.Verdict != grading.Pass {
					b.Fatal(err, r.Verdict)
				}
			}
		})
		b.Run(suite.ID+"/load", func(b *testing.B) {
			for b.Loop() {
				if _, err := ownCases(suite); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(suite.ID+"/build", func(b *testing.B) {
			for b.Loop() {
				again, err := build.Guest(b.Context(), config.Build, []build.Package{p}, others)
				if err != nil || again.WASM == "" {
					b.Fatal(err, again)
				}
				again.Remove()
			}
		})
		empty := job
		empty.Stages = []grading.StageJob{{Suite: suite.ID}}
		b.Run(suite.ID+"/compile", func(b *testing.B) { serveJob(b, grading.Cases{nil}, empty) })
		job.Stages = []grading.StageJob{{Suite: suite.ID, Explore: true}}
		b.Run(suite.ID+"/compile-and-run", func(b *testing.B) { serveJob(b, grading.Cases{cases}, job) })
	}
}

func serveJob(b *testing.B, cases grading.Cases, job grading.Job) {
	for b.Loop() {
		err := grading.Serve(context.Background(), cases, job, stages.All(), func(m grading.Message) error {
			if m.Fault != "" {
				b.Fatal(m.Fault)
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAllStages is one job of all stages' references: what a child does.
func BenchmarkAllStages(b *testing.B) {
	config := testConfig(b)
	packages := references(b)
	built, err := build.Guest(b.Context(), config.Build, packages, nil)
	if err != nil || built.WASM == "" {
		b.Fatal(err, built)
	}
	defer built.Remove()
	job := grading.Job{WASM: built.WASM, Seeds: []uint64{1, 2, 3}, Workers: 2, Hot: config.Hot}
	var all grading.Cases
	for i, suite := range stages.All() {
		cases, err := ownCases(suite)
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, cases)
		job.Stages = append(job.Stages, grading.StageJob{Index: i, Place: i, Suite: suite.ID, Explore: true})
	}
	serveJob(b, all, job)
}
