package kafka

import (
	"fmt"
	"io"
	"strings"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kversion"
)

// Broker runs a fake cluster, all in memory, until in ends, so that it ends with
// the process that started it. On out it says in one line how it is reached. It is
// Kafka 3.9: as Kafka 4 it lets a fenced producer leave a transaction open.
func Broker(in io.Reader, out io.Writer) error {
	cluster, err := kfake.NewCluster(kfake.MaxVersions(kversion.V3_9_0()))
	if err != nil {
		return fmt.Errorf("start the fake cluster: %w", err)
	}
	defer cluster.Close()
	if _, err := fmt.Fprintln(out, strings.Join(cluster.ListenAddrs(), ",")); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, in)
	return err
}
