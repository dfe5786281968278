package strict

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

const maxGuess = 100 // bytes; nobody mistypes a longer word

// Closest returns up to n of the choices that word may have been meant to be,
// the nearest first: those with about one slip in three letters, two letters in
// the wrong order being two slips, and those that word is a part of.
func Closest(word string, choices []string, n int) []string {
	if word == "" || len(word) > maxGuess {
		return nil
	}
	type guess struct {
		choice   string
		distance int
	}
	var guesses []guess
	length := utf8.RuneCountInString(word)
	slips := max(length/3, min(2, length/2))
	for _, c := range choices {
		if len(c) > maxGuess {
			continue
		}
		distance := levenshtein.ComputeDistance(word, c)
		if distance <= slips || length >= 3 && strings.Contains(c, word) {
			guesses = append(guesses, guess{c, distance})
		}
	}
	slices.SortStableFunc(guesses, func(a, b guess) int { return cmp.Compare(a.distance, b.distance) })
	var near []string
	for _, g := range guesses[:min(n, len(guesses))] {
		near = append(near, g.choice)
	}
	return near
}
