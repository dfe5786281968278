package keyedstate

import "github.com/flk-byo/de/harness/schedule"

// parameters are those of a reduction.
type parameters struct {
	function  function
	state     int // stateOurs, stateOwn or stateRestored
	forget    int // the key of every forget-th record is deleted after it; 0 is never
	operators int // one, shared or apart
}

func parametersOf(c schedule.Case) parameters {
	return parameters{
		function:  functions[c.Param(paramFunction)],
		state:     c.Param(paramState),
		forget:    c.Param(paramForget),
		operators: c.Param(paramOperators),
	}
}

// operatorOf is the index of the operator that gets the i-th record.
func (p parameters) operatorOf(i int) int {
	if p.operators == one {
		return 0
	}
	return i % 2
}

// stateOf is the index of the state behind that operator.
func (p parameters) stateOf(i int) int {
	if p.operators == apart {
		return i % 2
	}
	return 0
}

// forgets tells whether the key of the i-th record is deleted after it.
func (p parameters) forgets(i int) bool { return p.forget > 0 && (i+1)%p.forget == 0 }

// start is the first record that the operators get: the others are in the state
// already if it was restored.
func (p parameters) start(records int) int {
	if p.state == stateRestored {
		return records / 2
	}
	return 0
}
