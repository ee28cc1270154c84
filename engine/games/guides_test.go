package games

import (
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/guide"
)

// TestGuidesAreTrue: the rules confirm every claim of every guide, and each page has the
// sections that a newcomer looks for.
func TestGuidesAreTrue(t *testing.T) {
	for _, f := range All() {
		g := Guides()[f.Name]
		if g == nil {
			continue
		}
		if err := g.Check(f); err != nil {
			t.Errorf("%s:\n%v", f.Name, err)
		}
		p, err := guide.ParsePage(g.Rules)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"goal", "pieces", "turn", "capturing", "start", "end", "first", "options", "glossary"} {
			if !slices.ContainsFunc(p.Blocks, func(b guide.Block) bool { return b.Kind == guide.Heading && b.ID == id }) {
				t.Errorf("%s: the page of rules has no section %q", f.Name, id)
			}
		}
	}
}

// TestGuidesAreRefused where they claim what the rules do not say.
func TestGuidesAreRefused(t *testing.T) {
	f, err := All().ByName("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	lesson := func(change func(*guide.Lesson)) guide.Guide {
		l := guide.Lesson{
			Name: "row", Title: "A row", Text: "Three win.", Position: "oo./xx./... x", Opponent: "random", Turns: 1, Hint: "c2", Solution: "c2", Wrong: "c3",
			Goal: guide.Goal{Text: "Win.", All: []guide.Condition{{End: "win"}}},
		}
		change(&l)
		return guide.Guide{Lessons: []guide.Lesson{l}}
	}
	page := func(text string) guide.Guide { return guide.Guide{Rules: text} }
	for _, c := range []struct {
		guide guide.Guide
		want  string // empty: nothing is wrong
	}{
		{lesson(func(*guide.Lesson) {}), ""},
		{lesson(func(l *guide.Lesson) { l.Position = "oo./xx./.." }), "lesson row: position"},
		{lesson(func(l *guide.Lesson) { l.Hint = "" }), "want all of name"},
		{lesson(func(l *guide.Lesson) { l.Solution = "a2" }), "the cell is taken"},
		{lesson(func(l *guide.Lesson) { l.Goal.All[0] = guide.Condition{Piece: "stone", On: "a2"} }), "reached before it begins"},
		{lesson(func(l *guide.Lesson) { l.Goal.Never = []guide.Condition{{Piece: "stone", On: "a2"}} }), "failed before it begins"},
		{lesson(func(l *guide.Lesson) { l.Goal.All[0] = guide.Condition{Piece: "king"} }), "no such kind"},
		{lesson(func(l *guide.Lesson) { l.Goal.All[0] = guide.Condition{Plays: "castling"} }), "no such kind of action"},
		{lesson(func(l *guide.Lesson) { l.Solution = " " }), "want a solution of words"},
		{lesson(func(l *guide.Lesson) { l.Goal.All[0] = guide.Condition{End: "glory"} }), "want win, draw or loss"},
		{page("# Rules\n\n## A\n\n## A\n"), `two headings "a"`},
		{page("# Rules\n\nSee [there](#there).\n"), "#there, which is nowhere"},
		{page("## Colour {#option-colour}\n"), "does not have"},
		{page(guide.Fence + "\nlegal: b2\nillegal: a1\n```\n"), "said to be illegal: a1"},
		{page(guide.Fence + "\nmoves: b2\nlegal: b2\n```\n"), "said to be legal"},
		{page(guide.Fence + "\nmoves: b2\n"), "has no end"},
		{page(guide.Fence + "\nmove: b2\n```\n"), `unknown key "move"`},
		{guide.Guide{Opponents: []guide.Opponent{{Name: "Easy", Doc: "d", Player: "random", Source: "s"}}}, "default opponents"},
	} {
		err := c.guide.Check(f)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.guide, err, c.want)
		}
	}
	k, _ := All().ByName("konreh")
	if g := page("# Rules\n"); g.Check(k) == nil || !strings.Contains(g.Check(k).Error(), "option buyback has no paragraph") {
		t.Errorf("missing options: %v", g.Check(k))
	}
}
