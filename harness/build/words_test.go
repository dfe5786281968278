package build

import "testing"

func TestPlain(t *testing.T) {
	const sink = `"example.com/course/08-sink/contract".Sink`
	for _, test := range [][2]string{
		{"undefined: x", "undefined: x"},
		{`cannot use &sink{…} (value of type *sink) as ` + sink + ` value in return statement: *sink does not implement ` + sink + ` (missing method AbortOpen)`,
			"*sink does not implement contract.Sink: missing method AbortOpen"},
		{`cannot use s (variable of struct type sink) as ` + sink + ` value in argument to f: sink does not implement ` + sink + ` (wrong type for method Abort); have Abort(int64); want Abort(stream.CheckpointID)`,
			"sink does not implement contract.Sink: wrong type for method Abort; have Abort(int64); want Abort(stream.CheckpointID)"},
		{"cannot use true (untyped bool constant) as int value in variable declaration", "cannot use true (untyped bool constant) as int value in variable declaration"},
		{"cannot use x (variable of type a.T) as b.T value in assignment: need type assertion", "cannot use x (variable of type a.T) as b.T value in assignment: need type assertion"},
	} {
		if got := plain(test[0]); got != test[1] {
			t.Errorf("%s\nis told as\n%s\nnot as\n%s", test[0], got, test[1])
		}
	}
}
