package table

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/engine/guide"
)

// TestLessonsTeach: at a table every solution reaches the goal of its lesson against the
// opponent that replies, the wrong try fails, and nothing is decided at the start.
func TestLessonsTeach(t *testing.T) {
	for _, f := range games.All() {
		about := games.Guides()[f.Name]
		if about == nil {
			continue
		}
		for _, l := range about.Lessons {
			t.Run(f.Name+"/"+l.Name, func(t *testing.T) {
				t.Parallel()
				for _, try := range []struct {
					words string
					done  bool
				}{{l.Solution, true}, {l.Wrong, false}} {
					table := sit(t, Setup{Game: f.Name, Lesson: l.Name})
					ready := func(v *View) bool { return len(v.Legal) > 0 || v.Lesson.Done || v.Lesson.Failed }
					v := until(t, table, "a decision", ready)
					for _, word := range strings.Fields(try.words) {
						if v.Lesson.Done || v.Lesson.Failed {
							t.Fatalf("%s: over before %s: %+v", try.words, word, v.Lesson)
						}
						if err := table.Do(Request{Op: OpAct, Word: word}); err != nil {
							t.Fatalf("%s: %v\n%s", try.words, err, v.Picture.Position)
						}
						v = until(t, table, "a reply", ready)
					}
					if v.Lesson.Done != try.done || v.Lesson.Failed == try.done {
						t.Errorf("after %s: %+v\n%v", try.words, v.Lesson, v.Setup.Moves)
					}
				}
			})
		}
	}
}

// TestLessonsSetTheTable: a lesson says who plays what from where, and is over when it is
// decided; a takeback tries again.
func TestLessonsSetTheTable(t *testing.T) {
	if _, err := New(Setup{Game: "konreh", Lesson: "nothing"}, config()); err == nil || !strings.Contains(err.Error(), `no lesson "nothing"`) {
		t.Errorf("unknown lesson: %v", err)
	}
	table := sit(t, Setup{Game: "konreh", Lesson: "displacement", Seats: [2]string{"slow", "slow"}, Clock: "5+3"})
	v := table.View()
	if v.Setup.Rules != "tutor" || !v.Seats[0].Person || v.Seats[1].Name != "minimax:depth=1" || v.Clocks != nil {
		t.Errorf("setup %+v", v.Setup)
	}
	if l := v.Lesson; l.Goal != "Capture the enemy Blue." || l.Next != "hop" || l.Most != 1 || l.Hint == "" || l.Done || l.Failed {
		t.Errorf("lesson %+v", l)
	}
	if err := table.Do(Request{Op: OpDraw}); err == nil || v.CanDraw {
		t.Errorf("a draw in a lesson: %v, offered %t", err, v.CanDraw)
	}
	if err := table.Do(Request{Op: OpAct, Word: "e3*f3"}); err != nil {
		t.Fatal(err)
	}
	if v = table.View(); !v.Lesson.Done || v.Asked != "" && len(v.Legal) > 0 || v.Steps != 1 {
		t.Errorf("done: %+v, legal %v", v.Lesson, v.Legal)
	}
	if err := table.Do(Request{Op: OpAct, Word: "h7e7"}); err == nil || !strings.Contains(err.Error(), "lesson is over") && !strings.Contains(err.Error(), "not your turn") {
		t.Errorf("a move after the end: %v", err)
	}
	if err := table.Do(Request{Op: OpTakeback}); err != nil {
		t.Fatal(err)
	}
	if v = table.View(); v.Lesson.Done || len(v.Legal) == 0 {
		t.Errorf("taken back: %+v", v.Lesson)
	}
	// A table with the setup of a view continues the lesson.
	again, err := New(Setup{Game: "konreh", Lesson: "displacement", Moves: "e3*f3"}, config())
	if err != nil || !again.View().Lesson.Done {
		t.Errorf("continued: %v", err)
	}
}

// TestChoicesSayWhatTheyAre and what they spend, and the table why others are none.
func TestChoicesSayWhatTheyAre(t *testing.T) {
	table := sit(t, Setup{Game: "konreh", Lesson: "displacement"})
	v := table.View()
	choice := func(word string) Choice {
		i := slices.IndexFunc(v.Legal, func(c Choice) bool { return c.Word == word })
		return v.Legal[i]
	}
	if c := choice("c1e1"); c.Kind != "slide" || c.Sure || c.Uses != nil {
		t.Errorf("slide: %+v", c)
	}
	if c := choice("e3*f3"); c.Kind != "Displacement" || !c.Sure || !slices.Equal(c.Uses, []string{"Displacement"}) {
		t.Errorf("Displacement: %+v", c)
	}
	cell := func(name string) int {
		for i, c := range v.Picture.Layout.Cells {
			if c.Name == name {
				return i
			}
		}
		t.Fatal(name)
		return 0
	}
	for words, want := range map[string]string{
		"c1 d1": "not exact", "e3 g4": "not on one lane", "c1 f1": "exactly 2 steps", "h7 h7": "the opponent's", "d4 d4": "no piece", "e3 e4": "5 steps onward", "c1 e1": "",
	} {
		from, to, _ := strings.Cut(words, " ")
		if err := table.Do(Request{Op: OpWhy, Cells: []int{cell(from), cell(to)}}); err != nil {
			t.Fatal(err)
		}
		got := cmp.Or(table.View().Why, &Why{}).Text
		if !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, want %q", words, got, want)
		}
	}
	if err := table.Do(Request{Op: OpWhy, Cells: []int{1}}); err == nil {
		t.Error("one cell is no question")
	}
}

// TestOpponentsSit: those of a guide may sit at a table if their kind is on offer, and no
// other options of it.
func TestOpponentsSit(t *testing.T) {
	cfg := config()
	c := cfg.Catalog()
	for _, g := range c.Games {
		if games.Guides()[g.Name] == nil {
			continue
		}
		if !slices.IsSortedFunc(g.Opponents, func(a, b guide.Opponent) int { return cmp.Compare(a.Elo, b.Elo) }) || len(g.Opponents) == 0 {
			t.Errorf("%s: opponents %+v: want them from the weakest to the strongest", g.Name, g.Opponents)
		}
	}
	if _, err := cfg.check("konreh", "minimax:depth=1"); err != nil {
		t.Error(err)
	}
	if _, err := cfg.check("konreh", "net:konreh,sims=1,temperature=4"); err == nil {
		t.Error("a network that is not on offer sits down")
	}
	cfg.Offers = append(cfg.Offers, Offer{Name: "net:konreh", Limits: []Limit{{Option: "sims", Min: 1, Max: 100}}})
	if _, err := cfg.check("konreh", "net:konreh,sims=1,temperature=4"); err != nil {
		t.Error(err)
	}
	if _, err := cfg.check("konreh", "net:konreh,sims=1,temperature=3"); err == nil {
		t.Error("any temperature is accepted")
	}
}
