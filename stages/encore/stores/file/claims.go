package file

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/flk-byo/de/stages/encore/contract"
)

// claims keeps checkpoints as files with the numbers 1, 2, 3 and so on. The next
// number goes to whoever links a file to it first: link fails where a name is
// there, so it compares and sets in one step, while a rename would put one
// owner's checkpoint in place of another's. Files stay for good, for a number
// that is free again would be there to be won once more.
type claims struct {
	dir    string
	number int // of the last file that this owner wrote
	epoch  contract.Epoch
}

// OpenCheckpoints opens a checkpoint store in a folder, and makes that if it is not
// there. It serves stores that can't compare and set.
func OpenCheckpoints(dir string) (contract.CheckpointStore, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	return &claims{dir: dir}, syncFolder(filepath.Dir(dir))
}

// A claim is what is in a file: whose it is, and the latest checkpoint.
type claim struct {
	Epoch      contract.Epoch
	Saved      bool
	Checkpoint contract.Checkpoint
}

func (s *claims) Claim() (contract.Epoch, error) {
	for {
		number, last, err := s.last()
		if err != nil {
			return 0, err
		}
		last.Epoch++
		err = s.write(number+1, last)
		if errors.Is(err, fs.ErrExist) {
			continue // another was faster; the next epoch, then
		}
		if err != nil {
			return 0, err
		}
		s.number, s.epoch = number+1, last.Epoch
		return s.epoch, nil
	}
}

func (s *claims) Latest() (contract.Checkpoint, bool, error) {
	_, last, err := s.last()
	return last.Checkpoint, last.Saved, err
}

func (s *claims) Save(epoch contract.Epoch, c contract.Checkpoint) error {
	if epoch != s.epoch {
		return contract.ErrFenced
	}
	err := s.write(s.number+1, claim{epoch, true, c})
	if errors.Is(err, fs.ErrExist) {
		return contract.ErrFenced
	}
	if err == nil {
		s.number++
	}
	return err
}

// last returns the file with the highest number, and its number; 0 for none.
func (s *claims) last() (int, claim, error) {
	names, err := filepath.Glob(filepath.Join(s.dir, "*.json")) // in order
	if err != nil || len(names) == 0 {
		return 0, claim{}, err
	}
	var number int
	name := names[len(names)-1]
	if _, err := fmt.Sscanf(filepath.Base(name), "%d.json", &number); err != nil {
		return 0, claim{}, fmt.Errorf("%s: %w", name, err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, claim{}, err
	}
	var c claim
	if err := json.Unmarshal(text, &c); err != nil {
		return 0, claim{}, fmt.Errorf("%s: %w", name, err)
	}
	return number, c, nil
}

// write makes file number of c, durable and whole, unless there is one.
func (s *claims) write(number int, c claim) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	fresh := filepath.Join(s.dir, fmt.Sprintf("%d.fresh", os.Getpid()))
	if err := writeSynced(fresh, text); err != nil {
		return err
	}
	if err := os.Link(fresh, filepath.Join(s.dir, fmt.Sprintf("%010d.json", number))); err != nil {
		return err
	}
	return errors.Join(syncFolder(s.dir), os.Remove(fresh))
}

func writeSynced(name string, text []byte) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}
