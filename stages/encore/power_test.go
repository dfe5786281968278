package encore_test

import (
	"testing"

	"github.com/flk-byo/de/stages/encore"
)

func TestReferenceOutlivesPowerCuts(t *testing.T) {
	mustCutPower(t)
	for _, store := range []string{"sqlite", "file"} { // those that are in a folder
		t.Run(store, func(t *testing.T) {
			r := runner(t, store, nil)
			moments, err := r.Moments(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			run(t, r, encore.Power(moments))
		})
	}
}

// mustCutPower skips a test where no power can be cut.
func mustCutPower(t *testing.T) {
	t.Helper()
	if err := encore.CanCutPower(t.Context(), t.TempDir()); err != nil {
		t.Skipf("no power can be cut: %v; .ci/run is root where it runs this", err)
	}
}
