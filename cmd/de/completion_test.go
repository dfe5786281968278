package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		code, stdout, stderr := in(t.TempDir(), "completion", shell)
		if code != 0 || !strings.Contains(stdout, "de __complete ") {
			t.Errorf("%s: exit %d, %q, %q", shell, code, stdout, stderr)
		}
	}
}

// The script for bash, in bash, with a de that prints how it was called.
func TestCompletionInBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here; .ci/run runs under bash, so it runs this")
	}
	_, script, _ := in(t.TempDir(), "completion", "bash")
	file := filepath.Join(t.TempDir(), "de.bash")
	if err := os.WriteFile(file, []byte(script), 0o666); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, words, at, want string }{
		{"command", "de st", "1", "__complete|=st|"},
		{"nothing yet", "de ''", "1", "__complete|=|"},
		{"argument", "de start --dir 'my work' F", "4", "__complete|=F|start|--dir|my work|"},
		{"in the middle", "de sta 08", "1", "__complete|=sta|"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out, err := exec.Command(bash, "-c", `source "$0"
de() { printf '%s|' "$@"; }
COMP_WORDS=(`+test.words+`) COMP_CWORD=`+test.at+`
_de
printf '%s' "${COMPREPLY[*]}"`, filepath.ToSlash(file)).CombinedOutput()
			if err != nil || string(out) != test.want {
				t.Errorf("%v: %q, want %q", err, out, test.want)
			}
		})
	}
}
