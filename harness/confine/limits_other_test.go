//go:build !linux

package confine_test

func printLimits() {}
