package partitionedexchange

import (
	"strconv"
	"strings"
)

// A namedKey is a key that scripts call by a word, since YAML and case IDs can't
// hold any bytes.
type namedKey struct{ word, key string }

// namedKeys are the odd ones among keys, and the hashes that lie at an edge.
var namedKeys = []namedKey{
	{"empty", ""},
	{"a", "a"}, {"b", "b"}, {"hot", "hot"}, {"foobar", "foobar"},
	{"upper", "A"}, {"blank", " "}, {"trailing", "a "},
	{"nul", "\x00"}, {"nulnul", "\x00\x00"}, {"x7f", "\x7f"},
	{"x80", "\x80"}, {"xff", "\xff"}, {"latin1", "gr\xf6\xdfe"}, // no UTF-8
	{"umlaut", "größe"}, {"kanji", "日本"}, {"cart", "🛒"},
	{"composed", "caf\u00e9"}, {"combined", "cafe\u0301"},
	{"long", strings.Repeat("0123456789", 100)},
	{"longer", strings.Repeat("0123456789", 100) + "and 3 more"}, // alike for 1,000 bytes
	// Hashes of which little is left, or whose sign is in the way.
	{"hash0", "ppkttia"},        // 0
	{"hash1", "hlsnjpab"},       // 1
	{"hashmaxint", "ljjiooab"},  // 0x7fffffff
	{"hashminint", "rdklaij"},   // 0x80000000: its absolute value, as an int32, is negative
	{"hashminint1", "isntosr"},  // 0x80000001
	{"hashminusone", "prezece"}, // 0xffffffff
}

func keyWords() map[string]int64 {
	words := map[string]int64{}
	for i, k := range namedKeys {
		words[k.word] = int64(-1 - i)
	}
	return words
}

// keyOf is the key that an argument stands for: a named one, or the digits of a
// number.
func keyOf(arg int64) string {
	if arg < 0 {
		return namedKeys[-1-arg].key
	}
	return strconv.FormatInt(arg, 10)
}
