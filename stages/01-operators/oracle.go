package operators

import "github.com/flk-byo/de/stages/stream"

// oracle is the batch answer: all of source through the first operator, all
// that comes of it through the second, and so on, each by a list function. The
// functions of b go on from what they remember.
func oracle(n *node, source []stream.Record, b bodies) []stream.Record {
	list := source
	if n.op.Name == opChain {
		for _, part := range n.parts {
			list = oracle(part, list, b)
		}
		return list
	}
	f := b.of(n)
	switch n.op.Name {
	case opMap:
		return mapped(list, f)
	case opFilter:
		return filtered(list, f)
	default:
		return flattened(list, f)
	}
}

func mapped(list []stream.Record, f body) []stream.Record {
	result := make([]stream.Record, len(list))
	for i, r := range list {
		result[i] = f(r)[0]
	}
	return result
}

func filtered(list []stream.Record, f body) []stream.Record {
	var result []stream.Record
	for _, r := range list {
		if len(f(r)) == 1 {
			result = append(result, r)
		}
	}
	return result
}

func flattened(list []stream.Record, f body) []stream.Record {
	var result []stream.Record
	for _, r := range list {
		result = append(result, f(r)...)
	}
	return result
}
