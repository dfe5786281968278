package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/stages/encore"
	"github.com/flk-byo/de/stages/encore/cluster"
)

// Stores that are on a server, and not in a folder.
const (
	onPostgres = "postgres"
	onKafka    = "kafka"
)

func (q encoreRun) onServer() bool { return !encore.InFolder(q.store) }

// storeList is "sqlite, file, postgres or kafka".
func storeList() string {
	all := encore.Stores()
	last := len(all) - 1
	return strings.Join(all[:last], ", ") + " or " + all[last]
}

func dsnFlag() cli.Flag {
	return &cli.StringFlag{Name: "dsn", Usage: "use the server `DSN`: a PostgreSQL one, in schemas of our own, or Kafka's brokers host:port,...; else one is started"}
}

// knownStore refuses a store that is not there, and a server for one that has none.
func (q *encoreRun) knownStore(c *cli.Context) error {
	q.Server, q.named = c.String("dsn"), c.IsSet("dsn")
	switch {
	case !slices.Contains(encore.Stores(), q.store):
		return usage("--store "+storeList(), "there is no store %s%s", plain(q.store), didYouMean("", q.store, encore.Stores()))
	case q.named && !q.onServer():
		return usage("--store "+onPostgres+" or "+onKafka, "--dsn names a server, and the store %s is in a folder", q.store)
	case q.named && q.Server == "":
		return usage("--dsn "+dsnExample[q.store], "--dsn wants to know where the server is, and is empty")
	}
	return nil
}

var dsnExample = map[string]string{onPostgres: "postgres://user@host/database", onKafka: "localhost:9092"}

// startServer starts a server of our own for a store that needs one, unless the
// user has named one. Stop does away with it.
func (q *encoreRun) startServer(ctx context.Context) (stop func(), err error) {
	if q.store != onPostgres || q.named {
		return func() {}, nil
	}
	own, err := cluster.Make(ctx, "max_prepared_transactions=64")
	if errors.Is(err, cluster.ErrAbsent) {
		return nil, usage("apt-get install postgresql; or --dsn "+dsnExample[onPostgres], "--store %s needs a PostgreSQL server, and none is installed here", onPostgres)
	}
	if err != nil {
		return nil, err
	}
	q.Server = own.Server()
	return func() { _ = own.Remove() }, nil // what stays is in a temporary folder
}

// startBroker starts a fake cluster of Kafka's for a store that needs one, unless
// the user has named a real one. The program that was compiled is that, too.
func (q *encoreRun) startBroker() (stop func() error, err error) {
	if q.store != onKafka || q.named {
		return func() error { return nil }, nil
	}
	b, err := encore.StartBroker(q.Program)
	if err != nil {
		return nil, err
	}
	q.Server = b.Addresses
	return b.Stop, nil
}

// serverReady says what is wrong with the server before a job is blamed for it.
func (q *encoreRun) serverReady(ctx context.Context) error {
	err := q.Ready(ctx)
	if err == nil || ctx.Err() != nil || !q.named {
		return err
	}
	words := strings.Join(strings.Fields(err.Error()), " ") // the driver's are of several lines
	return usage("without --dsn a server is started for this run alone", "--dsn: %s", plain(words))
}
