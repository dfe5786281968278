package grading

import (
	"slices"

	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/fault"
)

// A group is stages that are judged in one guest, as indices in the run.
type group []int

// split returns a group of those that are not apart, and one for each that is.
func (g group) split(apart group) []group {
	all := g.without(apart)
	for _, i := range apart {
		all = append(all, group{i})
	}
	return all
}

// without returns the group without some, or none if nothing is left.
func (g group) without(some group) []group {
	rest := slices.DeleteFunc(slices.Clone(g), func(i int) bool { return slices.Contains(some, i) })
	if len(rest) == 0 {
		return nil
	}
	return []group{rest}
}

func (r *run) packages(g group) []build.Package {
	packages := make([]build.Package, len(g))
	for i, index := range g {
		packages[i] = r.Stages[index].Package
	}
	return packages
}

// others are the solutions that those of a group may import beside each other.
func (r *run) others(g group) []build.Package {
	others := slices.Clone(r.Others)
	for i, s := range r.Stages {
		if !slices.Contains(g, i) {
			others = append(others, s.Package)
		}
	}
	return others
}

func (r *run) folder(i int) string { return r.Stages[i].Package.Folder }

// unbuilt takes down why a group could not be built, for those whose fault it
// is and those that are built on them, and returns the groups to judge instead:
// the others, or each alone where it can't be told whose fault it is.
func (r *run) unbuilt(g group, built build.Result) []group {
	if len(g) == 1 {
		r.records[g[0]].unbuilt(built)
		return nil
	}
	guilty := built.Folders()
	var done group
	for _, i := range g {
		switch on := built.Imports.Needs(r.folder(i), guilty); {
		case slices.Contains(guilty, r.folder(i)):
			r.records[i].unbuilt(built.About(r.folder(i)))
		case on == "":
			continue
		default:
			r.records[i].blocked(built.About(on), r.stageIn(on))
		}
		done = append(done, i)
	}
	if len(done) == 0 {
		return g.split(g)
	}
	return g.without(done)
}

// stageIn returns the ID of the stage whose solution is in a folder, or "".
func (r *run) stageIn(folder string) string {
	for _, s := range r.Stages {
		if s.Package.Folder == folder {
			return s.Suite.ID
		}
	}
	return ""
}

// brokenBy returns the groups to judge instead of one whose initialisation dies:
// those that it is laid to, and those built on them, each alone; else all.
func (r *run) brokenBy(g group, died *fault.Fault) []group {
	guilty := died.Folder()
	var apart group
	for _, i := range g {
		if r.folder(i) == guilty || r.survey.Imports.Needs(r.folder(i), []string{guilty}) != "" {
			apart = append(apart, i)
		}
	}
	if len(apart) == 0 {
		apart = g
	}
	return g.split(apart)
}

// failingBelow returns the IDs of the failing stages that stage i is built on.
func (r *run) failingBelow(i int, reports []StageReport) []string {
	var failing []string
	for j, s := range reports {
		if i != j && s.Verdict == Fail && r.survey.Imports.Needs(r.folder(i), []string{r.folder(j)}) != "" {
			failing = append(failing, s.Stage)
		}
	}
	slices.Sort(failing)
	return failing
}
