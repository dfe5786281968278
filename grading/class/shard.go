package class

import (
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/flk-byo/de/grading/submission"
)

// A Shard is the part of a class that one machine grades: of all submissions, in
// the order of their names, every Of-th, from the Index-th on. The zero Shard is
// the whole.
type Shard struct {
	Index int `json:"index"` // from 1
	Of    int `json:"of"`

	// Sources is a hash of the names of all submissions, those of the other parts
	// too: parts of one class have the same.
	Sources string `json:"sources"`
}

// Take returns the sources of the shard, out of all, and what is to be written
// down of it.
func (s Shard) Take(all []submission.Source) ([]submission.Source, *Shard) {
	if s == (Shard{}) {
		return all, nil
	}
	var some []submission.Source
	for i := s.Index - 1; i < len(all); i += s.Of {
		some = append(some, all[i])
	}
	return some, &Shard{s.Index, s.Of, namesHash(names(all))}
}

func names(sources []submission.Source) []string {
	var all []string
	for _, s := range sources {
		all = append(all, s.Name)
	}
	return all
}

// namesHash is a hash, in hex, of names, none of which has a line break in it.
func namesHash(names []string) string {
	sum := sha256.New()
	for _, name := range names {
		io.WriteString(sum, name+"\n") // a hash takes everything
	}
	return hex.EncodeToString(sum.Sum(nil))
}
