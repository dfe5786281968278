package rubric

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Points are hundredths of a point. They are whole, so nothing is ever rounded
// after a rubric is made, and what is printed adds up.
type Points int64

// Whole is one point.
const Whole Points = 100

// String returns them as people write them: "65", "6.5" or "4.29".
func (p Points) String() string {
	sign := ""
	if p < 0 {
		sign, p = "-", -p
	}
	whole, part := p/Whole, p%Whole
	if part == 0 {
		return fmt.Sprintf("%s%d", sign, whole)
	}
	return sign + strings.TrimSuffix(fmt.Sprintf("%d.%02d", whole, part), "0")
}

// MarshalJSON writes a number such as 6.5.
func (p Points) MarshalJSON() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalJSON reads what MarshalJSON writes, and nothing finer.
func (p *Points) UnmarshalJSON(b []byte) error {
	match := written.FindSubmatch(b)
	if match == nil {
		return fmt.Errorf("%.40q is no number of points with at most two decimals", b)
	}
	digits := string(match[2]) + (string(match[3]) + "00")[:2]
	n, err := strconv.ParseInt(string(match[1])+digits, 10, 64)
	if err != nil {
		return fmt.Errorf("%.40q is no number of points", b)
	}
	*p = Points(n)
	return nil
}

var written = regexp.MustCompile(`^(-?)(\d+)(?:\.(\d{1,2}))?$`)

// share cuts points into n parts that are as equal as hundredths allow: what is
// left over goes to the first of them, a hundredth each.
func share(p Points, n int) []Points {
	parts := make([]Points, n)
	for i := range parts {
		parts[i] = p / Points(n)
		if Points(i) < p%Points(n) {
			parts[i]++
		}
	}
	return parts
}
