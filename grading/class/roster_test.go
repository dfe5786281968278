package class

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseRoster(t *testing.T) {
	anna := Student{ID: "anna", Name: "Anna A., the 2nd", Email: "a@example.org"}
	for _, test := range []struct {
		name, src string
		want      map[string]Student
		problem   string
	}{
		{"all", "id,name,email\nanna,\"Anna A., the 2nd\",a@example.org\n", map[string]Student{"anna": anna}, ""},
		{"another order, and more", "Email, group,NAME,Id\na@example.org,7,\"Anna A., the 2nd\",anna\n", map[string]Student{"anna": anna}, ""},
		{"of a German spreadsheet", "\ufeffid;name;email\r\nanna;\"Anna A., the 2nd\";a@example.org\r\n;;\r\n", map[string]Student{"anna": anna}, ""},
		{"with tabs", "id\tname\temail\nanna\tAnna A., the 2nd\ta@example.org\n", map[string]Student{"anna": anna}, ""},
		{"named otherwise", "id,name,email,submission\nanna,\"Anna A., the 2nd\",a@example.org,A_1_file_\n", map[string]Student{"A_1_file_": anna}, ""},
		{"two with one submission", "id,submission\nanna,x\nberta,x\n", nil, `line 3: there are two students with the submission "x"`},
		{"no column id", "\ufeffident;x\n", nil, "there is no column id, only ident, x"},
		{"Latin-1", "id,name\noez,\xd6z\n", nil, `save it as "CSV UTF-8"`},
		{"UTF-16", "\xff\xfei\x00d\x00\n\x00", nil, "not UTF-8"},
		{"with its mark", "\ufeffid\r\nanna\r\n", map[string]Student{"anna": {ID: "anna"}}, ""},
		{"short rows", "id,name\nanna\n\nberta,B\n", map[string]Student{"anna": {ID: "anna"}, "berta": {ID: "berta", Name: "B"}}, ""},
		{"nobody", "id\n", map[string]Student{}, ""},
		{"nothing", "", nil, "there is no header"},
		{"no id", "id,name\n,B\n", nil, "line 2: there is no id"},
		{"twice", "id\nanna\nanna\n", nil, `line 3: there are two students of ID "anna"`},
		{"no text", "id\n\xff\n", nil, "not UTF-8"},
		{"a quote", "id\n\"anna\n", nil, "quote"},
	} {
		got, err := ParseRoster([]byte(test.src))
		if test.problem != "" && (err == nil || !strings.Contains(err.Error(), test.problem)) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.problem)
		}
		if test.problem == "" && (err != nil || !reflect.DeepEqual(got, test.want)) {
			t.Errorf("%s: %v, %v", test.name, got, err)
		}
	}
}

func FuzzParseRoster(f *testing.F) {
	f.Add([]byte("id,name,email\na,b,c\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		students, err := ParseRoster(src)
		for id, s := range students {
			if err != nil || id == "" || s.ID == "" {
				t.Errorf("student %q is %+v, error %v", id, s, err)
			}
		}
	})
}
