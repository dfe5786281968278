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

// onPostgres is the store that is on a server of PostgreSQL's.
const onPostgres = "postgres"

// storeList is "sqlite, file or postgres".
func storeList() string {
	all := encore.Stores()
	last := len(all) - 1
	return strings.Join(all[:last], ", ") + " or " + all[last]
}

func dsnFlag() cli.Flag {
	return &cli.StringFlag{Name: "dsn", Usage: "use the PostgreSQL server `DSN`, in schemas of our own; else one is started"}
}

// knownStore refuses a store that is not there, and a server for one that has none.
func (q *encoreRun) knownStore(c *cli.Context) error {
	q.Server, q.named = c.String("dsn"), c.IsSet("dsn")
	switch {
	case !slices.Contains(encore.Stores(), q.store):
		return usage("--store "+storeList(), "there is no store %s%s", plain(q.store), didYouMean("", q.store, encore.Stores()))
	case q.named && q.store != onPostgres:
		return usage("--store "+onPostgres, "--dsn names a PostgreSQL server, and the store is %s", q.store)
	case q.named && q.Server == "":
		return usage("--dsn "+dsnExample, "--dsn wants a connection string, and this one is empty")
	}
	return nil
}

const dsnExample = "postgres://user@host/database"

// startServer starts a server of our own for a store that needs one, unless the
// user has named one. Stop does away with it.
func (q *encoreRun) startServer(ctx context.Context) (stop func(), err error) {
	if q.store != onPostgres || q.named {
		return func() {}, nil
	}
	own, err := cluster.Make(ctx, "max_prepared_transactions=64")
	if errors.Is(err, cluster.ErrAbsent) {
		return nil, usage("apt-get install postgresql; or --dsn "+dsnExample, "--store %s needs a PostgreSQL server, and none is installed here", onPostgres)
	}
	if err != nil {
		return nil, err
	}
	q.Server = own.Server()
	return func() { _ = own.Remove() }, nil // what stays is in a temporary folder
}

// serverReady says what is wrong with the server before a job is blamed for it.
func (q *encoreRun) serverReady(ctx context.Context) error {
	err := q.Ready(ctx)
	if err == nil || ctx.Err() != nil || !q.named {
		return err
	}
	return usage("without --dsn a server is started for this run alone", "%v", err)
}
