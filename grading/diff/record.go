package diff

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/flk-byo/de/stages/stream"
)

// Record returns a record as it stands everywhere in a report: key, value and
// event time, as in "a=1 @1". A key that could be taken for something else is
// quoted as in Go, so that no key can forge a line or a second record.
func Record(r stream.Record) string {
	return fmt.Sprintf("%s=%d @%d", Key(r.Key), r.Value, r.Time)
}

// maxKey bounds, in bytes, what is shown of one key.
const maxKey = 64

// Key returns a key as [Record] shows it: as it is if it is of letters, digits
// and a few harmless marks, and quoted otherwise. Of a long key the start and
// the number of bytes left out are shown, as in "kkk"...+936.
func Key(key string) string {
	if len(key) > maxKey {
		n := maxKey
		for n > maxKey-utf8.UTFMax && !utf8.RuneStart(key[n]) {
			n--
		}
		return strconv.Quote(key[:n]) + "...+" + strconv.Itoa(len(key)-n)
	}
	if key == "" || strings.ContainsFunc(key, unsafe) {
		return strconv.Quote(key)
	}
	return key
}

func unsafe(r rune) bool {
	harmless := unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.:/#", r)
	return !harmless || r == utf8.RuneError
}

func compareRecords(a, b stream.Record) int {
	return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value), cmp.Compare(a.Time, b.Time))
}
