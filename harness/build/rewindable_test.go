package build_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/flk-byo/de/harness/build"
)

// What a solution may keep where a rewind does not find it makes it one that
// can't be taken back.
func TestRewindable(t *testing.T) {
	const empty = "package sink\n\ntype Solution struct{}\n\n"
	for name, test := range map[string]struct {
		files []string
		want  bool
	}{
		"nothing but the type":   {[]string{"a.go", empty}, true},
		"the reference":          {[]string{"a.go", reference(t)}, true},
		"in two files":           {[]string{"a.go", empty, "b.go", "package sink\n\nconst x = 1\n\ntype y struct{ z func() }\n"}, true},
		"a pure package":         {[]string{"a.go", "package sink\n\nimport (\n\t\"fmt\"\n\t\"sync\"\n)\n\ntype Solution struct{}\n\ntype s struct{ sync.Mutex }\n\nfunc f() { fmt.Println() }\n"}, true},
		"a blank variable":       {[]string{"a.go", empty + "var _ = Solution{}\n\nvar (\n\t_ int\n\t_, _ = 1, 2\n)\n"}, true},
		"a local variable":       {[]string{"a.go", empty + "func f() int {\n\tvar x int\n\treturn x\n}\n"}, true},
		"a variable":             {[]string{"a.go", empty + "var x int\n"}, false},
		"a variable among blank": {[]string{"a.go", empty + "var _, x = 1, 2\n"}, false},
		"in the other file":      {[]string{"a.go", empty, "b.go", "package sink\n\nvar (\n\t_ int\n\tx int\n)\n"}, false},
		"a goroutine":            {[]string{"a.go", empty + "func f() { go f() }\n"}, false},
		"one in a closure":       {[]string{"a.go", empty + "func f() { func() { go f() }() }\n"}, false},
		"a group's goroutine":    {[]string{"a.go", "package sink\n\nimport \"sync\"\n\ntype Solution struct{}\n\ntype s struct{ sync.WaitGroup }\n\nfunc f(x *s) { x.Go(func() {}) }\n"}, false},
		"a group's method":       {[]string{"a.go", "package sink\n\nimport \"sync\"\n\ntype Solution struct{}\n\nfunc f() { g := (*sync.WaitGroup).Go; g(nil, nil) }\n"}, false},
		"a clock":                {[]string{"a.go", "package sink\n\nimport \"time\"\n\ntype Solution struct{}\n\nfunc f() { time.Now() }\n"}, false},
		"chance":                 {[]string{"a.go", "package sink\n\nimport \"math/rand\"\n\ntype Solution struct{}\n\nfunc f() { rand.Int() }\n"}, false},
		"another's variable":     {[]string{"a.go", "package sink\n\nimport \"io\"\n\ntype Solution struct{}\n\nfunc f(err error) { io.EOF = err }\n"}, false},
		"its address":            {[]string{"a.go", "package sink\n\nimport other \"io\"\n\ntype Solution struct{}\n\nfunc f() *error { return &other.EOF }\n"}, false},
		"in a range":             {[]string{"a.go", "package sink\n\nimport \"io\"\n\ntype Solution struct{}\n\nfunc f(all []error) {\n\tfor _, io.EOF = range all {\n\t}\n}\n"}, false},
		"under its name alone":   {[]string{"a.go", "package sink\n\nimport . \"io\"\n\ntype Solution struct{}\n\nfunc f(err error) { EOF = err }\n"}, false},
		"a field's field":        {[]string{"a.go", "package sink\n\nimport \"io\"\n\ntype Solution struct{}\n\ntype s struct{ a struct{ b []int } }\n\nfunc (x *s) f() error {\n\tx.a.b[0]++\n\t_ = &x.a\n\treturn io.EOF\n}\n"}, true},
		"a table of another's":   {[]string{"a.go", "package sink\n\nimport \"unicode\"\n\ntype Solution struct{}\n\nvar _ = unicode.Categories\n"}, false},
		"reflection":             {[]string{"a.go", "package sink\n\nimport \"reflect\"\n\ntype Solution struct{}\n\nfunc f() { reflect.ValueOf(1) }\n"}, false},
		"a coroutine":            {[]string{"a.go", "package sink\n\nimport \"iter\"\n\ntype Solution struct{}\n\nfunc f() { iter.Pull[int](nil) }\n"}, false},
		"fields of the solution": {[]string{"a.go", "package sink\n\ntype Solution struct{ n *int }\n"}, false},
		"a solution of a number": {[]string{"a.go", "package sink\n\ntype Solution int\n"}, false},
		"a solution elsewhere":   {[]string{"a.go", "package sink\n\ntype other = struct{}\n\ntype Solution = other\n"}, false},
		"no solution":            {[]string{"a.go", "package sink\n"}, false},
		"no Go":                  {[]string{"a.go", empty + "func {"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := build.Examine([]build.Package{solution(test.files...)}, others(t))
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Rewindable[folder]; got != test.want {
				t.Errorf("it is %v", got)
			}
		})
	}
}

// A solution keeps what those keep that it is built on.
func TestRewindableWithImports(t *testing.T) {
	below := others(t)[0]
	for name, test := range map[string]struct {
		more string
		want bool
	}{
		"as it is":       {"package barriers\n", true},
		"with a counter": {"package barriers\n\nvar counter int\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := fs.ReadFile(below.Files, "barriers.go")
			if err != nil {
				t.Fatal(err)
			}
			under := below
			under.Files = fstest.MapFS{"barriers.go": {Data: text}, "more.go": {Data: []byte(test.more)}}
			s, err := build.Examine([]build.Package{solution("a.go", reference(t))}, []build.Package{under})
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Rewindable[folder]; got != test.want {
				t.Errorf("it is %v", got)
			}
		})
	}
}
