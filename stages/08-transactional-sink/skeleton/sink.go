package sink
