package grading

import (
	"encoding/json"
	"time"
)

func marshalMillis(m Millis) ([]byte, error) {
	return json.Marshal(time.Duration(m).Milliseconds())
}

func unmarshalMillis(m *Millis, b []byte) error {
	var n int64
	if err := json.Unmarshal(b, &n); err != nil {
		return err
	}
	*m = Millis(time.Duration(n) * time.Millisecond)
	return nil
}
