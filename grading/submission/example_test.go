package submission_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/flk-byo/de/grading/submission"
)

// A class of one, who handed in a folder.
func Example() {
	class, err := os.MkdirTemp("", "class")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(class)
	home := filepath.Join(class, "ada", "homework", "01-first")
	if err := os.MkdirAll(home, 0o777); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "first.go"), []byte("package first\n"), 0o666); err != nil {
		log.Fatal(err)
	}

	stages := []submission.Stage{{ID: "01", Folder: "01-first"}, {ID: "02", Folder: "02-second"}}
	sources, err := submission.Find([]string{class}, stages)
	if err != nil {
		log.Fatal(err)
	}
	for _, source := range sources {
		s, err := submission.Read(context.Background(), source, submission.Config{Stages: stages})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(source.Name, source.Kind)
		for _, file := range s.Files {
			fmt.Println(file.Path, file.Size)
		}
		for _, problem := range s.Problems {
			fmt.Println(problem.Words)
		}
	}
	// Output:
	// ada folder
	// homework/01-first/first.go 14
	// not handed in: 02-second
}
