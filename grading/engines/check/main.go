// Command check looks whether files for engines are what these take: manifests of
// Kubernetes Jobs against its Go types, strictly, and workflows of GitHub with
// actionlint. It is a module of its own, so that de depends on neither.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rhysd/actionlint"
	batch "k8s.io/api/batch/v1"
	"sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

func main() {
	bad := 0
	for _, name := range os.Args[1:] {
		if err := check(name); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			bad++
			continue
		}
		fmt.Println(name + ": ok")
	}
	if bad > 0 || len(os.Args) == 1 {
		os.Exit(1)
	}
}

// check tells a workflow by its ending, which is not that of the manifests.
func check(name string) error {
	if strings.HasSuffix(name, ".yml") {
		return checkWorkflow(name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return checkJob(text)
}

func checkWorkflow(name string) error {
	linter, err := actionlint.NewLinter(os.Stderr, &actionlint.LinterOptions{Shellcheck: "shellcheck", LogWriter: io.Discard})
	if err != nil {
		return err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	problems, err := linter.Lint(name, text, nil)
	if err == nil && len(problems) > 0 {
		return fmt.Errorf("%d problems", len(problems))
	}
	// The linter takes any name for one of strategy's.
	for _, want := range []string{"DE_SHARD_INDEX: ${{ strategy.job-index }}\n", "DE_SHARD_COUNT: ${{ strategy.job-total }}\n"} {
		if err == nil && !strings.Contains(string(text), want) {
			err = fmt.Errorf("it does not set %s", want)
		}
	}
	return err
}

// checkJob refuses fields that a Job does not have, and an index that de could not
// take.
func checkJob(text []byte) error {
	text, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return err
	}
	var job batch.Job
	strict, err := json.UnmarshalStrict(text, &job) // by the case of letters, too, as the server does
	if err := errors.Join(append(strict, err)...); err != nil {
		return err
	}
	if job.APIVersion != "batch/v1" || job.Kind != "Job" || job.Name == "" || len(job.Spec.Template.Spec.Containers) != 1 {
		return fmt.Errorf("it is no Job of one container: %s %s", job.APIVersion, job.Kind)
	}
	if job.Spec.CompletionMode == nil || *job.Spec.CompletionMode != batch.IndexedCompletion {
		return nil
	}
	count := ""
	for _, v := range job.Spec.Template.Spec.Containers[0].Env {
		if v.Name == "DE_SHARD_COUNT" {
			count = v.Value
		}
	}
	if job.Spec.Completions == nil || fmt.Sprint(*job.Spec.Completions) != count {
		return fmt.Errorf("completions is not DE_SHARD_COUNT, %q", count)
	}
	return nil
}
