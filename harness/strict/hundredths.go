package strict

import (
	"regexp"
	"strconv"

	"gopkg.in/yaml.v3"
)

// Hundredths asks for a number from low to high with at most two decimals, and
// returns how many hundredths it is. Low is at least 0.
func (v Value) Hundredths(low, high int64) (int64, bool) {
	if !v.open() {
		return 0, false
	}
	if v.node.Kind == yaml.ScalarNode && v.node.Style == 0 {
		if match := hundredths.FindStringSubmatch(v.node.Value); match != nil {
			n, err := strconv.ParseInt(match[1]+(match[2] + "00")[:2], 10, 64)
			if err == nil && low*100 <= n && n <= high*100 {
				return n, true
			}
		}
	}
	v.Errorf("%s must be %s, with at most two decimals; found %s", v.name, Span(low, high), v.foundFor(nil))
	return 0, false
}

var hundredths = regexp.MustCompile(`^(0|[1-9][0-9]*)(?:\.([0-9]{1,2}))?$`)
