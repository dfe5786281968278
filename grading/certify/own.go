package certify

import (
	"context"
	"fmt"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/build"
)

// judgeOwn judges the references of the stages, all in one guest, as often and
// under as many seeds as is asked for, and then the skeletons.
func (c *certifier) judgeOwn(ctx context.Context, suites []grading.Suite, stages []Stage) error {
	for round := range c.Rounds {
		c.Progress("", fmt.Sprintf("references, round %d of %d", round+1, c.Rounds))
		report, err := c.ownRun(ctx, suites, "reference", func(config *grading.Config) {
			config.Seed, config.Seeds = config.Seed+uint64(round*c.Seeds), c.Seeds
			config.Observe = round == 0
		})
		if err != nil {
			return err
		}
		for i, r := range report.Stages {
			stages[i].reference(suites[i], r, c.Seeds)
		}
	}
	c.Progress("", "skeletons")
	report, err := c.ownRun(ctx, suites, "skeleton", func(*grading.Config) {})
	if err != nil {
		return err
	}
	for i, r := range report.Stages {
		stages[i].Skeleton = Skeleton{r.Verdict, r.Kind, inWords(r)}
	}
	return nil
}

func (c *certifier) ownRun(ctx context.Context, suites []grading.Suite, folder string, change func(*grading.Config)) (grading.Report, error) {
	config := c.Config
	change(&config)
	for _, suite := range suites {
		p, err := c.own(suite, folder)
		if err != nil {
			return grading.Report{}, err
		}
		if folder != "reference" {
			p.Folder += "-" + folder // a stage's own folder is where later references look for it
		}
		cases, _, err := c.cases(suite)
		if err != nil {
			return grading.Report{}, err
		}
		config.Stages = append(config.Stages, grading.Stage{Suite: suite, Package: p, Cases: cases, Explore: true})
	}
	config.Others = slices.DeleteFunc(slices.Clone(c.references), func(p build.Package) bool {
		return folder == "reference" && slices.ContainsFunc(suites, func(s grading.Suite) bool { return s.Folder() == p.Folder })
	})
	return c.run(ctx, config)
}

// reference takes down how the reference fared in a round.
func (s *Stage) reference(suite grading.Suite, r grading.StageReport, seeds int) {
	first := s.Reference.Rounds == 0
	s.Reference.Rounds++
	s.Reference.Seeds, s.Reference.Cases, s.Reference.Explored = seeds, r.Cases.Ran, r.Explored.Ran
	if r.Verdict != grading.Pass {
		s.Reference.Failed = append(s.Reference.Failed, inWords(r))
	}
	if !first {
		return
	}
	s.Situations = []Situation{}
	for _, situation := range suite.Situations {
		s.Situations = append(s.Situations, Situation{situation.Name, slices.Contains(r.CameUp, situation.Name)})
	}
}
