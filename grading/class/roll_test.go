package class

import (
	"reflect"
	"testing"

	"github.com/flk-byo/de/grading/submission"
)

func TestRoll(t *testing.T) {
	max := Student{ID: "0815", Name: "Max von Mustermann"}
	ada := Student{ID: "ada", Name: "Lovelace, Ada"}
	roster := map[string]Student{"0815": max, "ada": ada}
	for _, test := range []struct {
		name     string
		roster   map[string]Student
		sources  []string
		absent   []Student
		unlisted []Unlisted
	}{
		{"no roster", nil, []string{"ada"}, nil, nil},
		{"all are there", roster, []string{"0815", "ada"}, nil, nil},
		{"one is not", roster, []string{"ada"}, []Student{max}, nil},
		{"nobody is", roster, nil, []Student{max, ada}, nil},
		{"one is not in it", roster, []string{"0815", "ada", "eve"}, nil, []Unlisted{{"eve", nil}}},
		{"another case", roster, []string{"0815", "Ada"}, []Student{ada}, []Unlisted{{"Ada", []string{"ada"}}}},
		{"a space", roster, []string{"0815", "ada "}, []Student{ada}, []Unlisted{{"ada ", []string{"ada"}}}},
		{"a lost zero", roster, []string{"815", "ada"}, []Student{max}, []Unlisted{{"815", []string{"0815"}}}},
		{"a slip", roster, []string{"0815", "adda"}, []Student{ada}, []Unlisted{{"adda", []string{"ada"}}}},
		{"another number", roster, []string{"0814", "ada"}, []Student{max}, []Unlisted{{"0814", nil}}},
		{"Moodle, by name", roster, []string{"Ada Lovelace_99_assignsubmission_file_"}, []Student{max, ada},
			[]Unlisted{{"Ada Lovelace_99_assignsubmission_file_", []string{"ada"}}}},
		{"Moodle, by ID", roster, []string{"x_0815_assignsubmission_file_"}, []Student{max, ada},
			[]Unlisted{{"x_0815_assignsubmission_file_", []string{"0815"}}}},
		{"Canvas", roster, []string{"mustermannmaxvon_LATE_99_12_work"}, []Student{max, ada},
			[]Unlisted{{"mustermannmaxvon_LATE_99_12_work", []string{"0815"}}}},
		{"Canvas, by last name", roster, []string{"lovelaceada_99_12_work"}, []Student{max, ada},
			[]Unlisted{{"lovelaceada_99_12_work", []string{"ada"}}}},
		{"a taken ID is nobody else's", roster, []string{"ADA_2", "ada"}, []Student{max}, []Unlisted{{"ADA_2", nil}}},
	} {
		var sources []submission.Source
		for _, s := range test.sources {
			sources = append(sources, submission.Source{Name: s})
		}
		absent, unlisted := Roll(test.roster, sources)
		if !reflect.DeepEqual(absent, test.absent) || !reflect.DeepEqual(unlisted, test.unlisted) {
			t.Errorf("%s: absent %v, unlisted %v", test.name, absent, unlisted)
		}
	}
}
