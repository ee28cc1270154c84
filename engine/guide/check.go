package guide

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
)

// OptionAnchor is the anchor of the paragraph about an option of the rules.
const OptionAnchor = "option-"

// Check reports everything that is wrong with the guide of a family, as far as the rules
// can tell: whether the solutions of lessons reach their goals depends on players.
func (g *Guide) Check(f *engine.Family) error {
	var errs problems.List
	add := func(err error, format string, args ...any) {
		errs.If(err != nil, "%s: %w", fmt.Sprintf(format, args...), err)
	}
	_, err := f.Parse(g.First)
	add(err, "first")
	add(g.checkPage(f), "page of rules")
	defaults := 0
	for i, o := range g.Opponents {
		if o.Default {
			defaults++
		}
		_, err := f.Parse(o.Rules)
		add(err, "opponent %s", o.Name)
		if o.Name == "" || o.Doc == "" || o.Player == "" || o.Source == "" || o.Elo < o.Low || o.Elo > o.High || i > 0 && o.Elo <= g.Opponents[i-1].Elo {
			add(errors.New("want a name, doc, player, source and an Elo within its interval above the one before"), "opponent %d, %s", i+1, o.Name)
		}
	}
	errs.If(len(g.Opponents) > 0 && defaults != 1, "%d default opponents: want one", defaults)
	for i := range g.Lessons {
		l := &g.Lessons[i]
		if first, _ := g.Lesson(l.Name); first != l {
			errs.Add("two lessons %q", l.Name)
		}
		add(l.check(f), "lesson %s", l.Name)
	}
	return errs.Err()
}

func (l *Lesson) check(f *engine.Family) error {
	g, s, err := l.Set(f)
	if err != nil {
		return err
	}
	if l.Name == "" || l.Title == "" || l.Text == "" || l.Opponent == "" || l.Goal.Text == "" || l.Hint == "" || l.Solution == "" || l.Wrong == "" || l.Turns < 1 {
		return errors.New("want all of name, title, text, opponent, goal, turns, hint, solution, wrong")
	}
	if len(l.Goal.All)+len(l.Goal.Never) == 0 || s.Outcome().Over {
		return errors.New("want a condition, and a game in progress")
	}
	for _, c := range slices.Concat(l.Goal.All, l.Goal.Never) {
		if err := c.check(s); err != nil {
			return err
		}
	}
	j := judge{learner: s.Actor(), state: s}
	if slices.ContainsFunc(l.Goal.Never, j.holds) {
		return errors.New("it has failed before it begins")
	}
	if len(l.Goal.All) > 0 && !slices.ContainsFunc(l.Goal.All, func(c Condition) bool { return !j.holds(c) }) {
		return errors.New("its goal is reached before it begins")
	}
	words := strings.Fields(l.Solution)
	if len(words) == 0 {
		return errors.New("want a solution of words")
	}
	_, err = s.ParseAction(words[0], g.NewHistory())
	return err
}

func (c *Condition) check(s engine.State) error {
	kinds, _ := s.(engine.Classifier)
	picture, _ := s.(engine.Pictured)
	set := min(c.After, 1)
	for _, field := range []string{c.End, c.Plays, c.Piece} {
		if field != "" {
			set++
		}
	}
	switch {
	case set != 1:
		return fmt.Errorf("condition %+v: want one of end, plays, piece and after", *c)
	case c.End != "" && c.End != "win" && c.End != "draw" && c.End != "loss":
		return fmt.Errorf("end %q: want win, draw or loss", c.End)
	case c.Plays != "" && (kinds == nil || !slices.Contains(kinds.Kinds(), c.Plays)):
		return fmt.Errorf("plays %q: the game has no such kind of action", c.Plays)
	case c.Piece == "":
		return nil
	case picture == nil:
		return errors.New("the game has no pictures to find a piece in")
	}
	l := picture.Layout()
	switch {
	case !slices.ContainsFunc(l.Kinds, func(k engine.PieceKind) bool { return k.Name == c.Piece }):
		return fmt.Errorf("piece %q: the game has no such kind", c.Piece)
	case c.On != "" && !slices.ContainsFunc(l.Cells, func(x engine.Cell) bool { return x.Name == c.On }):
		return fmt.Errorf("on %q: the board has no such cell", c.On)
	case c.Zone != "" && !slices.ContainsFunc(l.Zones, func(z engine.Zone) bool { return z.Name == c.Zone }):
		return fmt.Errorf("zone %q: the board has none of that name", c.Zone)
	}
	return nil
}

// checkPage checks anchors, links, options and the claims of pictures.
func (g *Guide) checkPage(f *engine.Family) error {
	if g.Rules == "" {
		return nil
	}
	p, err := ParsePage(g.Rules)
	if err != nil {
		return err
	}
	var errs problems.List
	anchors := map[string]bool{}
	for _, b := range p.Blocks {
		if b.Kind != Heading {
			continue
		}
		errs.If(anchors[b.ID], "two headings %q", b.ID)
		anchors[b.ID] = true
		if name, ok := strings.CutPrefix(b.ID, OptionAnchor); ok && !slices.ContainsFunc(f.Options, func(o engine.Option) bool { return o.Name == name }) {
			errs.Add("a paragraph about option %q, which the game does not have", name)
		}
	}
	for _, o := range f.Options {
		errs.If(!anchors[OptionAnchor+o.Name], "option %s has no paragraph: want a heading {#%s%s}", o.Name, OptionAnchor, o.Name)
	}
	for i, b := range p.Blocks {
		if b.Kind == Figure {
			if _, _, _, err := b.Picture.Set(f); err != nil {
				errs.Add("picture %q: %w", b.Picture.Caption, err)
			}
		}
		for _, line := range slices.Concat(append(slices.Clone(b.Rows), b.Lines)...) {
			for _, s := range line {
				errs.If(s.Link != "" && !anchors[s.Link], "block %d: a link to #%s, which is nowhere", i+1, s.Link)
			}
		}
	}
	return errs.Err()
}
