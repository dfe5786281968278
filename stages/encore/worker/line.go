package worker

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/flk-byo/de/stages/encore/contract"
	"github.com/flk-byo/de/stages/encore/protocol"
	"github.com/flk-byo/de/stages/encore/stores"
)

// A line is the connection to the parent.
type line struct {
	in     *bufio.Reader
	out    *json.Encoder
	open   stores.Open
	wait   bool
	silent bool
}

type moment protocol.Moment

// of is the moment with an error, which may be nil.
func (m moment) of(err error) protocol.Moment {
	if err == nil {
		return protocol.Moment(m)
	}
	m.Error = err.Error()
	switch {
	case errors.Is(err, contract.ErrFenced):
		m.Kind = protocol.Fenced
	case errors.Is(err, contract.ErrTaken):
		m.Kind = protocol.Taken
	case errors.Is(err, contract.ErrGone):
		m.Kind = protocol.Gone
	}
	return protocol.Moment(m)
}

// call announces a call, makes it and announces that it returned. The call
// returns a number to be told.
func (l *line) call(name string, do func() (int64, error), about ...any) {
	detail := fmt.Sprintln(about...)
	detail = detail[:len(detail)-1]
	l.announce(protocol.Moment{Call: name, Detail: detail})
	number, err := do()
	l.announce(moment{Call: name, Detail: detail, After: true, Number: number}.of(err))
}

// announce says what moment it is. The parent may have an end made to the
// process there. Without a parent there is no reason to go on.
func (l *line) announce(m protocol.Moment) {
	if l.silent {
		return
	}
	err := l.out.Encode(m)
	if err == nil && l.wait {
		_, err = l.in.ReadBytes('\n')
	}
	if err != nil {
		os.Exit(1)
	}
}
