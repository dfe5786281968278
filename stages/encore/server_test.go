package encore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/flk-byo/de/stages/encore"
	"github.com/flk-byo/de/stages/encore/cluster"
)

// prepares is what a server needs that is not set as it is installed.
const prepares = "max_prepared_transactions=64"

// quick is the server of all tests that kill jobs. It need not wait for the disk:
// what it has written survives the end of a process in the kernel's memory, and no
// machine is lost here. Those that kill the server have one of their own.
var quick struct {
	sync.Once
	*cluster.Cluster
	err error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if quick.Cluster != nil {
		if err := quick.Remove(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// server returns how the server of a kind of store is reached; empty for a kind
// that needs none.
func server(t *testing.T, store string) string {
	t.Helper()
	if store != "postgres" {
		return ""
	}
	quick.Do(func() {
		quick.Cluster, quick.err = cluster.Make(context.Background(), prepares, "fsync=off")
	})
	skipAbsent(t, quick.err)
	return quick.Server()
}

// broker starts a fake cluster of Kafka's for as long as the test runs.
func broker(t *testing.T, program string) string {
	t.Helper()
	b, err := encore.StartBroker(program)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Stop(); err != nil {
			t.Error(err)
		}
	})
	return b.Addresses
}

// skipAbsent skips a test where PostgreSQL can't be had. .ci/run installs it.
func skipAbsent(t *testing.T, err error) {
	t.Helper()
	if errors.Is(err, cluster.ErrAbsent) && os.Getenv("DE_TEST_POSTGRES") == "" {
		t.Skipf("%v: apt-get install postgresql, and this test runs", err)
	}
	if err != nil {
		t.Fatal(err)
	}
}
