package schedule_test

import (
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
)

func TestDisclose(t *testing.T) {
	const cases = "scripts: [{name: one, ops: [write 1]}]\n"
	tests := []struct {
		line string
		want schedule.Disclosure
		told string // by Describe
	}{
		{"", schedule.Full, ""},
		{"disclose: full\n", schedule.Full, ""},
		{"disclose: result-only\n", schedule.ResultOnly, "disclose: result-only\n"},
		{"disclose: hidden\n", schedule.Hidden, "disclose: hidden\n"},
	}
	for _, test := range tests {
		t.Run(string(test.want)+"/"+test.line, func(t *testing.T) {
			f := mustLoad(t, test.line+cases)
			if f.Disclose != test.want {
				t.Errorf("it is %q, want %q", f.Disclose, test.want)
			}
			text := schedule.Describe(f)
			if !strings.Contains(text, test.told) || strings.Contains(text, "disclose") != (test.told != "") {
				t.Errorf("want %q in:\n%s", test.told, text)
			}
		})
	}
}
