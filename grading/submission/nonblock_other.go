//go:build !unix

package submission

const nonblock = 0 // pipes are not among the files of a folder
