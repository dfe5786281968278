package encore_test

import (
	"testing"

	"github.com/flk-byo/de/stages/encore"
)

func TestReferenceOutlivesPowerCuts(t *testing.T) {
	mustCutPower(t)
	for _, store := range storesInFolders() {
		t.Run(store, func(t *testing.T) {
			r := runner(t, store, nil)
			moments, err := r.Moments(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			once := run(t, r, store, encore.Power(moments))
			run(t, r, store, some(encore.Twice(once), 17))
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
