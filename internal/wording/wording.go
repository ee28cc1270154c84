// Package wording writes numbers, times and paragraphs for people.
package wording

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Count writes a number with its noun, which takes an s in the plural.
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Grouped writes a number with commas between groups of three digits.
func Grouped[N int | int64](n N) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// Clock writes a time as h:mm:ss.
func Clock(t time.Duration) string {
	s := int(t.Seconds())
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// Wrap joins words to lines of at most width characters, unless a word is longer.
// The first line begins with first, the others with indent; each has a newline.
func Wrap(words []string, width int, first, indent string) string {
	var b strings.Builder
	b.WriteString(first)
	length := utf8.RuneCountInString(first)
	for i, word := range words {
		n := utf8.RuneCountInString(word)
		if i > 0 && length+1+n > width {
			b.WriteString("\n" + indent)
			length = utf8.RuneCountInString(indent)
		} else if i > 0 {
			b.WriteByte(' ')
			length++
		}
		b.WriteString(word)
		length += n
	}
	b.WriteByte('\n')
	return b.String()
}

// Quoted writes a word for a shell, in quotes where it needs them. Control characters and
// bytes that are no UTF-8 are escaped as bash, ksh and zsh read them.
func Quoted(word string) string {
	if name := PlainName(word); name != word {
		return "$'" + strings.ReplaceAll(strings.ReplaceAll(name[1:len(name)-1], `\"`, `"`), "'", `\'`) + "'"
	}
	special := func(r rune) bool {
		return !strings.ContainsRune("-_=,.:/+@%", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	if word != "" && !strings.ContainsFunc(word, special) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// PercentOf is a share of a number in per cent.
func PercentOf(n, of int) string { return Percent(float64(n) / float64(of)) }

// Percent is a share in per cent.
func Percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// OrDash is text, or a dash if it is empty.
func OrDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// PlainName quotes a name from outside that would spoil a table or a terminal: with
// control characters, or no UTF-8.
func PlainName(name string) string {
	if !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

// Plain writes text of any source for a terminal: control characters other than new lines
// and tabs, and bytes that are no UTF-8, are escaped.
func Plain(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case unicode.IsPrint(r) && r != utf8.RuneError, r == '\n', r == '\t':
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// Columns lines up rows of equal length with two spaces between columns; left tells which
// stand to the left. Lines end without spaces.
func Columns(rows [][]string, left func(column int) bool) []string {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for k, cell := range row {
			width[k] = max(width[k], utf8.RuneCountInString(cell))
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		cells := make([]string, len(row))
		for k, cell := range row {
			gap := strings.Repeat(" ", width[k]-utf8.RuneCountInString(cell))
			if cells[k] = gap + cell; left(k) {
				cells[k] = cell + gap
			}
		}
		lines[i] = strings.TrimRight(strings.Join(cells, "  "), " ")
	}
	return lines
}

// OneLine writes joined errors on one line, without control characters, which
// names in them may have.
func OneLine(err error) string {
	line := strings.Join(strings.Fields(strings.ReplaceAll(err.Error(), "\n", "; ")), " ")
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, line)
}
