package sample

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/selfplay/record"
)

// textWidth is the width of the text form, in characters.
const textWidth = 80

// Heading names the game in a line, and says why it was chosen.
func (g *Game) Heading() string {
	name := fmt.Sprintf("Game %d", g.Number)
	if g.Run != "" {
		name += fmt.Sprintf(" of generation %d", g.Generation)
	}
	if g.Players[0] != "" {
		name += fmt.Sprintf(": %s against %s", g.Players[0], g.Players[1])
	}
	if len(g.Why) > 0 {
		name += " (" + strings.Join(g.Why, "; ") + ")"
	}
	return name
}

// facts are the game, its length and how it began.
func (g *Game) facts() string {
	text := fmt.Sprintf("%s, rules %s; %s, %s", g.Game, g.Rules, wording.Count(g.Turns, "turn"), wording.Count(len(g.Moves), "move"))
	switch g.Beginning {
	case record.BeginningSampled:
		text += "; it began with moves drawn from a policy without a search"
	case record.BeginningEarlier:
		text += "; it began in a position of an earlier game"
	}
	if g.Taught {
		text += "; a teacher played both seats"
	}
	return text
}

// WriteText writes the game for a terminal: remarks, boards, and the moves by
// turns with values in the first player's view.
func (g *Game) WriteText(w io.Writer) error {
	var b strings.Builder
	b.WriteString(wording.Wrap(strings.Fields(g.Heading()), textWidth, "", ""))
	b.WriteString(wording.Wrap(strings.Fields(g.facts()), textWidth, "", ""))
	b.WriteString("\n")
	for _, r := range g.Remarks {
		b.WriteString(wording.Wrap(strings.Fields("- "+r), textWidth, "", "  "))
	}
	for i := range g.Moments {
		m := &g.Moments[i]
		fmt.Fprintf(&b, "\n%s\n\n", g.momentTitle(m))
		for line := range strings.Lines(m.Text) {
			b.WriteString("    " + strings.TrimRight(line, "\n") + "\n")
		}
	}
	b.WriteString("\n")
	b.WriteString(g.movesText())
	_, err := io.WriteString(w, b.String())
	return err
}

// momentTitle says why the moment was chosen and after which move it is.
func (g *Game) momentTitle(m *Moment) string {
	title := strings.ToUpper(m.Title[:1]) + m.Title[1:]
	if m.Move == 0 {
		return title + ", before the first move"
	}
	return fmt.Sprintf("%s, after %s", title, g.place(m.Move-1))
}

// movesText is the moves by turns, in filled lines; the number in braces is the root
// value before the first searched move of the turn.
func (g *Game) movesText() string {
	var b, turn strings.Builder
	length := 0
	flush := func() {
		n := utf8.RuneCountInString(turn.String())
		switch {
		case n == 0:
			return
		case length > 0 && length+3+n > textWidth:
			b.WriteString("\n")
			length = 0
		case length > 0:
			b.WriteString("   ")
			length += 3
		}
		b.WriteString(turn.String())
		length += n
		turn.Reset()
	}
	valued := false
	for i := range g.Moves {
		m := &g.Moves[i]
		if i == 0 || m.Turn != g.Moves[i-1].Turn {
			flush()
			fmt.Fprintf(&turn, "%d.", m.Turn)
			valued = false
		} else {
			turn.WriteString(",")
		}
		if m.Search != nil && !valued {
			fmt.Fprintf(&turn, " {%s}", signed(m.Search.Value))
			valued = true
		}
		turn.WriteString(" " + m.Word)
		if m.Notation != "" {
			turn.WriteString(" " + m.Notation)
		}
	}
	flush()
	return b.String() + "\n"
}
