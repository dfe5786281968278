package main

import "testing"

// The sessions of testdata/encore compile jobs, and kill them.
func TestEncoreSessions(t *testing.T) {
	replayAll(t, "testdata/encore/*.txt", (*session).withGo)
}
