// Package protocol is what the parent and a worker process say to each other,
// as lines of JSON: a [Task] goes in, then [Moment]s come out, each of which the
// worker may have to wait at until an empty line comes in.
package protocol

import "github.com/flk-byo/de/stages/stream"

// What a worker can be told to do.
const (
	Run   = "run"   // run the job; the process ends with it
	Plain = "plain" // insert the records, without any of the two phases
	Read  = "read"  // answer with Contents; another Task may follow
	Lock  = "lock"  // answer with Contents, and keep writers out until a line comes
	Fill  = "fill"  // answer with Contents, which are empty, and fill the store's source
	Drop  = "drop"  // answer with Contents, which are empty, and remove the store
)

// A Task is what a worker is to do.
type Task struct {
	Do           string
	Location     Location
	Source       string // a file with one stream.Record a line
	BarrierEvery int
	Wait         bool // at each Moment
	Silent       bool // no Moments but Begin and the last
}

// A Location is where a store is: in a folder, or on a server.
type Location struct {
	Dir    string // a folder for this store alone
	Server string // how the server is reached; empty where there is none
	Name   string // for what is this store's alone on the server
}

// A Moment is a place in a run: before or after one of the job's calls.
type Moment struct {
	Call   string `json:",omitempty"` // "PreCommit"
	Detail string `json:",omitempty"` // what it is called with, or returned
	Begin  bool   `json:",omitempty"` // the store is open, and the records are read
	After  bool   `json:",omitempty"` // the call returned, with Error
	End    bool   `json:",omitempty"` // the job returned, with Error
	Number int64  `json:",omitempty"` // after Claim, Open, Save: the epoch; after AbortOlder: how many
	Error  string `json:",omitempty"`
	Kind   string `json:",omitempty"` // of the error, as below
}

// Kinds of errors of a store.
const (
	Fenced = "fenced"
	Taken  = "taken"
	Gone   = "gone"
)

// Contents are what a reader of the store finds.
type Contents struct {
	Rows    []stream.Record // visible, in any order
	Orphans []string        // transactions left open or prepared, in words
	Error   string          // why it could not be read
}
