package archive

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/wording"
)

// textColumns is where lines of moves wrap.
const textColumns = 100

// writeText writes the games for people, each as a block in the manner of PGN:
// tags in brackets, the moves by player turns numbered from 1, notation and what
// else is no move in braces, the result.
func writeText(w io.Writer, a *Asked, g engine.Game, rows []Row) error {
	out := bufio.NewWriter(w)
	b := newBoard(g)
	for i := range rows {
		r := &rows[i]
		if i > 0 {
			out.WriteByte('\n')
		}
		tag := func(name, value string) {
			fmt.Fprintf(out, "[%s \"%s\"]\n", name, wording.Plain(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value)))
		}
		number := func(name string, n int32) { tag(name, strconv.Itoa(int(n))) }
		tag("Event", a.Kind)
		tag("Game", a.Game)
		tag("Rules", a.Rules)
		tag("Round", fmt.Sprintf("%d.%d", r.Pair, 2-r.Number%2))
		tag("First", r.First)
		tag("Second", r.Second)
		tag("Result", score(r))
		tag("Reason", r.Reason)
		number("Turns", r.Turns)
		number("Opening", r.Opening)
		if r.Start != "" {
			tag("Start", r.Start)
		}
		if r.FirstUsed != nil {
			tag("Clock", a.Settings[clockSetting])
			tag("FirstClock", clockText(*r.FirstUsed, *r.FirstLeft))
			tag("SecondClock", clockText(*r.SecondUsed, *r.SecondLeft))
		}
		if r.Repeats > 0 {
			number("Repeats", r.Repeats)
		}
		out.WriteByte('\n')
		if err := writeMoves(out, b, r); err != nil {
			return fmt.Errorf("game %d: %w", r.Number, err)
		}
	}
	return out.Flush()
}

// clockText is what a clock said, in microseconds.
func clockText(used, left int64) string {
	d := func(us int64) time.Duration { return (time.Duration(us) * time.Microsecond).Round(time.Millisecond) }
	if left <= 0 {
		return fmt.Sprintf("%v used, %v late", d(used), d(-left))
	}
	return fmt.Sprintf("%v used, %v left", d(used), d(left))
}

// score is the result as "first-second".
func score(r *Row) string {
	switch r.FirstPoints {
	case 1:
		return "1-0"
	case 0:
		return "0-1"
	}
	return "1/2-1/2"
}

// writeMoves writes a game's moves and its result, in lines that wrap between
// moves.
func writeMoves(out *bufio.Writer, b *board, r *Row) error {
	column := 0
	put := func(text string) {
		width := utf8.RuneCountInString(text)
		switch {
		case column == 0:
		case column+1+width > textColumns:
			out.WriteByte('\n')
			column = 0
		default:
			out.WriteByte(' ')
			column++
		}
		out.WriteString(text)
		column += width
	}
	turn := -1
	err := b.replay(r.Start, r.Moves, func(i int, a engine.Action, word string) error {
		if i > 0 && i == int(r.OpeningMoves) {
			put("{end of the opening}")
		}
		text := word
		if t := b.before.Turn(); t != turn {
			turn = t
			text = fmt.Sprintf("%d. %s", turn+1, word)
		}
		if note := engine.AppendNote(nil, b.before, a, b.state); len(note) > 0 {
			text += fmt.Sprintf(" {%s}", note)
		}
		put(text)
		return nil
	})
	put(score(r))
	out.WriteByte('\n')
	return err
}
