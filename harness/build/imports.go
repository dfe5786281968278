package build

import "strings"

// A solution may import what computes. This is hygiene, so that a solution
// fails here with a word of explanation, not a wall: nothing in the guest is
// secret, and the guest can reach nothing.
var allowedImports = map[string]bool{
	"bufio": true, "bytes": true, "cmp": true, "context": true,
	"errors": true, "flag": true, "fmt": true, "html": true, "html/template": true, "io": true, "io/fs": true, "io/ioutil": true, "iter": true, "log": true,
	"maps": true, "math": true, "os": true, "path": true, "path/filepath": true, "reflect": true, "regexp": true,
	"regexp/syntax": true, "runtime": true, "runtime/debug": true, "slices": true,
	"sort": true, "strconv": true, "strings": true, "sync": true, "sync/atomic": true,
	"time": true, "unicode": true, "unicode/utf16": true, "unicode/utf8": true,
	"unique": true, "weak": true, "log/slog": true, "text/tabwriter": true,
	"text/template": true, "text/template/parse": true, "text/scanner": true, "structs": true,
}

// allowedTrees are packages all of whose children are allowed too.
var allowedTrees = []string{"container", "encoding", "hash", "math", "compress", "index", "crypto", "image", "go", "archive"}

// reasons say why for what people are likely to try.
var reasons = map[string]string{
	"unsafe":        "it can reach memory that is not yours to see",
	"C":             "solutions are pure Go",
	"embed":         "a solution is its Go files and nothing else",
	"syscall":       "there is no operating system in the sandbox",
	"os/exec":       "there are no other processes in the sandbox",
	"os/signal":     "there are no signals in the sandbox",
	"plugin":        "there is nothing to load in the sandbox",
	"runtime/cgo":   "solutions are pure Go",
	"runtime/pprof": "profiles can't be written from the sandbox; profile your tests instead",
	"testing":       "tests belong in files that end in _test.go",
}

func reason(importPath string) string {
	if why, ok := reasons[importPath]; ok {
		return why
	}
	switch first, _, _ := strings.Cut(importPath, "/"); {
	case first == Module:
		return "a stage is the Go files of its own folder, as one package; folders below it are not compiled, nor are stages that come later"
	case first == "net":
		return "there is no network in the sandbox"
	case strings.Contains(first, "."):
		return "use the standard library, the contract and your own earlier stages"
	default:
		return "it is not among the standard packages that a solution can use"
	}
}

func allowedStandard(importPath string) bool {
	if allowedImports[importPath] {
		return true
	}
	for _, tree := range allowedTrees {
		if importPath == tree || strings.HasPrefix(importPath, tree+"/") {
			return !strings.Contains(importPath, "internal")
		}
	}
	return false
}
