// Package file is a store of the encore: plain files in a folder.
package file

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/flk-byo/de/stages/encore/contract"
	"github.com/flk-byo/de/stages/encore/protocol"
	"github.com/flk-byo/de/stages/encore/stores"
	"github.com/flk-byo/de/stages/stream"
)

// A store keeps the output in plain files, one a transaction, which move on:
//
//	sessions/EPOCH/open          in progress
//	sessions/EPOCH/prepared-ID   pre-committed
//	fenced/EPOCH/...             the same, after a newer owner has come
//	finished/ID                  committed, and what readers look at
//
// A move is a rename, which happens as a whole or not at all, and is followed by
// an fsync of both folders: without it the name could be lost with the power.
// What a session writes it names by its path, so moving its folder away is what
// fences it.
type store struct {
	dir     string
	session string // folder of this session
	open    *os.File
	buffer  *bufio.Writer
	claims
}

// Open opens the store in a folder, and makes it if it is not there.
func Open(at protocol.Location) (stores.Store, error) {
	s := &store{dir: at.Dir, claims: claims{dir: filepath.Join(at.Dir, "checkpoints")}}
	for _, folder := range []string{s.claims.dir, s.path("sessions"), s.path("fenced"), s.path("finished")} {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return nil, err
		}
	}
	return s, syncFolder(at.Dir)
}

func (s *store) path(elements ...string) string {
	return filepath.Join(append([]string{s.dir}, elements...)...)
}

func (s *store) Close() error {
	if s.open == nil {
		return nil
	}
	return s.open.Close()
}

// Open makes the folder of the session first, and looks for newer ones after
// that: of two that come at once, at least the older one sees the other.
func (s *store) Open(epoch contract.Epoch) error {
	s.session = s.path("sessions", folderOf(epoch))
	if err := os.MkdirAll(s.session, 0o777); err != nil {
		return err
	}
	others, err := os.ReadDir(s.path("sessions"))
	if err != nil {
		return err
	}
	for _, other := range others {
		switch name := other.Name(); {
		case name > folderOf(epoch):
			return errors.Join(contract.ErrFenced, os.Remove(s.session))
		case name < folderOf(epoch):
			if err := move(s.path("sessions", name), s.path("fenced", name)); err != nil {
				return err
			}
		}
	}
	return syncFolder(s.path("sessions"))
}

// folderOf names the folder of an epoch so that names sort as epochs do.
func folderOf(epoch contract.Epoch) string { return fmt.Sprintf("%019d", epoch) }

func (s *store) Write(r stream.Record) error {
	if err := s.begin(); err != nil {
		return err
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = s.buffer.Write(append(line, '\n'))
	return err
}

func (s *store) begin() error {
	if s.open != nil {
		return nil
	}
	f, err := os.OpenFile(filepath.Join(s.session, "open"), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return s.fenced(err)
	}
	s.open, s.buffer = f, bufio.NewWriter(f)
	return nil
}

// fenced tells the error that a newer owner makes from all others.
func (s *store) fenced(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return contract.ErrFenced
	}
	return err
}

func (s *store) PreCommit(id contract.TransactionID) (contract.Handle, error) {
	if err := stores.CheckID(id); err != nil {
		return "", err
	}
	if err := s.notTaken(id); err != nil {
		return "", err
	}
	if err := s.begin(); err != nil { // an empty transaction is one, too
		return "", err
	}
	err := errors.Join(s.buffer.Flush(), s.open.Sync(), s.open.Close())
	s.open = nil
	if err != nil {
		return "", err
	}
	if err := move(filepath.Join(s.session, "open"), filepath.Join(s.session, prepared(id))); err != nil {
		return "", s.fenced(err)
	}
	return contract.Handle(filepath.Base(s.session)), nil
}

func prepared(id contract.TransactionID) string { return "prepared-" + string(id) }

func (s *store) notTaken(id contract.TransactionID) error {
	for _, pattern := range []string{"finished/" + string(id), "sessions/*/" + prepared(id), "fenced/*/" + prepared(id)} {
		found, err := filepath.Glob(s.path(filepath.FromSlash(pattern)))
		if err != nil {
			return err
		}
		if len(found) > 0 {
			return contract.ErrTaken
		}
	}
	return nil
}

// Commit looks in the order in which a transaction's file moves on, so that one
// which another process moves at the same time is found.
func (s *store) Commit(id contract.TransactionID, handle contract.Handle) error {
	if err := stores.CheckID(id); err != nil {
		return err
	}
	finished := s.path("finished", string(id))
	for _, folder := range []string{"sessions", "fenced"} {
		err := move(s.path(folder, filepath.Base(string(handle)), prepared(id)), finished)
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if _, err := os.Stat(finished); errors.Is(err, fs.ErrNotExist) {
		return contract.ErrGone
	}
	// It was committed before, maybe just before the power went: once more.
	return syncFolder(filepath.Dir(finished))
}

func (s *store) AbortOlder(epoch contract.Epoch) (int, error) {
	aborted := 0
	for _, folder := range []string{"sessions", "fenced"} {
		sessions, err := os.ReadDir(s.path(folder))
		if err != nil {
			return aborted, err
		}
		for _, session := range sessions {
			if session.Name() >= folderOf(epoch) {
				continue
			}
			n, err := drop(s.path(folder, session.Name()))
			aborted += n
			if err != nil {
				return aborted, err
			}
		}
	}
	return aborted, nil
}

// drop removes a session with all that is in it.
func drop(session string) (int, error) {
	left, err := os.ReadDir(session)
	if err != nil {
		return 0, err
	}
	for i, file := range left {
		if err := os.Remove(filepath.Join(session, file.Name())); err != nil {
			return i, err
		}
	}
	return len(left), errors.Join(os.Remove(session), syncFolder(filepath.Dir(session)))
}

func (s *store) Contents() (c protocol.Contents, err error) {
	finished, err := os.ReadDir(s.path("finished"))
	if err != nil {
		return c, err
	}
	for _, file := range finished {
		rows, err := readRows(s.path("finished", file.Name()))
		if err != nil {
			return c, err
		}
		c.Rows = append(c.Rows, rows...)
	}
	for _, folder := range []string{"sessions", "fenced"} {
		left, err := filepath.Glob(s.path(folder, "*", "*"))
		if err != nil {
			return c, err
		}
		for _, file := range left {
			c.Orphans = append(c.Orphans, fmt.Sprintf("%s of epoch %s is there", filepath.Base(file), filepath.Base(filepath.Dir(file))))
		}
	}
	return c, nil
}

func readRows(name string) (records []stream.Record, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		var r stream.Record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		records = append(records, r)
	}
	return records, nil
}

// Drop has nothing to do: all is in the folder.
func (s *store) Drop() error { return nil }

// Lock has nothing to do: no writer of files waits for another.
func (s *store) Lock() (release func() error, err error) {
	return func() error { return nil }, nil
}

// move renames, and makes that durable.
func move(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	if filepath.Dir(from) != filepath.Dir(to) {
		if err := syncFolder(filepath.Dir(from)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err // a folder that is gone by now needs no name
		}
	}
	return syncFolder(filepath.Dir(to))
}

// syncFolder makes the names in a folder durable.
func syncFolder(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Plain appends rows to a file of their own.
func (s *store) Plain(records []stream.Record, every int) error {
	f, err := os.Create(s.path("plain"))
	if err != nil {
		return err
	}
	buffer := bufio.NewWriter(f)
	lines := json.NewEncoder(buffer)
	for rows := range slices.Chunk(records, every) {
		for _, r := range rows {
			if err := lines.Encode(r); err != nil {
				return errors.Join(err, f.Close())
			}
		}
		if err := errors.Join(buffer.Flush(), f.Sync()); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}
