package diskserver

import (
	"cmp"
	"strings"
)

// compareNames orders names as people do: file2 before file10. Two names are equal only if all their bytes are.
func compareNames(a, b string) int {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if isDigit(a[i]) && isDigit(b[j]) {
			one, other := digitsAt(a, i), digitsAt(b, j)
			if order := compareNumbers(one, other); order != 0 {
				return order
			}
			i, j = i+len(one), j+len(other)
			continue
		}
		if a[i] != b[j] {
			return cmp.Compare(a[i], b[j])
		}
		i, j = i+1, j+1
	}
	// 01 and 1 are one number, but not one name.
	return cmp.Or(cmp.Compare(len(a)-i, len(b)-j), strings.Compare(a, b))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func digitsAt(text string, from int) string {
	until := from
	for until < len(text) && isDigit(text[until]) {
		until++
	}
	return text[from:until]
}

// compareNumbers takes numbers of any length.
func compareNumbers(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}
