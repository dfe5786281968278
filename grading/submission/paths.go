package submission

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
)

// junk is what systems, editors and tools leave behind; so is all that is
// hidden.
var junk = []string{
	"__MACOSX", "Icon\r", "Thumbs.db", "ehthumbs.db", "desktop.ini", "$RECYCLE.BIN", "System Volume Information", "node_modules",
}

// isJunk tells whether a path is of, or below, junk.
func isJunk(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		hidden := strings.HasPrefix(part, ".") && part != "." && part != ".."
		if hidden || slices.ContainsFunc(junk, func(name string) bool { return strings.EqualFold(name, part) }) {
			return true
		}
	}
	return false
}

// clean returns a path in its shortest form, or says what is wrong with it.
// Bytes that are not UTF-8, as old programs write them, are replaced: what we
// look for has none.
func (l Limits) clean(name string) (cleaned, problem string) {
	if len(name) > l.PathBytes {
		return "", fmt.Sprintf("its path has more than %d bytes", l.PathBytes)
	}
	name = strings.ToValidUTF8(name, string(unicode.ReplacementChar))
	switch {
	case strings.ContainsFunc(name, unicode.IsControl):
		return "", "its path has control characters"
	case strings.Contains(name, `\`):
		return "", "its path has backslashes; folders are parted by slashes"
	case strings.HasPrefix(name, "/"), len(name) > 1 && name[1] == ':':
		return "", "its path is absolute"
	case slices.Contains(strings.Split(name, "/"), ".."):
		return "", "its path leads out of the submission"
	}
	cleaned = path.Clean(name)
	if strings.Count(cleaned, "/") > l.Depth {
		return "", l.tooDeep()
	}
	return cleaned, ""
}

func (l Limits) tooDeep() string { return fmt.Sprintf("it is more than %d folders deep", l.Depth) }

// quote shows a name that a student chose.
func quote(name string) string {
	if len(name) > 120 {
		name = name[:60] + "..." + name[len(name)-60:]
	}
	return fmt.Sprintf("%q", name)
}
