package worker

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The time that the parent takes over a line is not the child's silence.
func TestHandlingIsNotSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		n := 0
		err := listen(strings.NewReader("one\ntwo\n"), time.Second, cancel, func([]byte) (time.Duration, error) {
			n++
			time.Sleep(time.Minute)
			return time.Second, nil
		})
		if err != nil || n != 2 || ctx.Err() != nil {
			t.Errorf("ended by %v after %d lines: %v", err, n, context.Cause(ctx))
		}
	})
}
