package mutant

import "github.com/flk-byo/de/harness/strict"

// LoadEquivalents reads which of the made mutants of a stage, e.g. of
// "FLK-BYO/08", are as right as the reference. It returns the reason for each, by
// name. The error is [strict.Errors] with all that is wrong with the list.
func LoadEquivalents(name string, src []byte, stage string) (map[string]string, error) {
	doc := strict.Parse(name, src, strict.Limits{})
	top := doc.Root().Map("stage", "equivalent")
	top.Required("stage").Word(stage)
	reasons := map[string]string{}
	for _, v := range top.Required("equivalent").List() {
		group := v.Map("reason", "names")
		reason := text(group.Required("reason"))
		for _, v := range group.Required("names").List() {
			name := text(v)
			if reasons[name] != "" {
				v.Errorf("the name %q is here twice; remove one", name)
			}
			reasons[name] = reason
		}
	}
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return reasons, nil
}
