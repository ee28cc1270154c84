package heuristics

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/school"
)

func standard(t testing.TB) *konreh.Game {
	t.Helper()
	g, err := konreh.Family.Parse("standard")
	if err != nil {
		t.Fatal(err)
	}
	return g.(*konreh.Game)
}

// randomGames are games with a liking for what rules speak of.
func randomGames(g *konreh.Game, n int) []Game {
	rng := rand.New(rand.NewPCG(8, 1))
	var games []Game
	var scan Scanner
	for range n {
		s, h := g.NewState().(*konreh.State), g.NewHistory()
		s.Start(h)
		x := Game{Rules: g, First: 0.5}
		for !s.Outcome().Over && s.Turn() < 250 {
			legal := s.Legal(nil, h)
			a := legal[rng.IntN(len(legal))]
			if choices := scan.Scan(s, h); len(choices) > 0 && rng.IntN(2) == 0 {
				c := choices[rng.IntN(len(choices))]
				a = c.Acts[rng.IntN(len(c.Acts))]
			}
			for _, b := range legal { // runners run for the Apex
				if f := s.Effect(b); f.Plants || f.Captured != konreh.NoPiece && rng.IntN(3) == 0 {
					a = b
				}
			}
			s.Apply(a, h)
			x.Actions = append(x.Actions, a)
		}
		if o := s.Outcome(); o.Over {
			x.First = float64(1+o.Value(engine.First)) / 2
		}
		games = append(games, x)
	}
	return games
}

// staged are positions of what random games do not come to: placements and Seeds near
// the cap, with a question and level each that comes up.
var staged = []struct {
	line, question string
	level          int
}{
	{"8/6b1/8/8/8/8/1G6/2R5 A pR HD,r0,s0,x0,c3,n-,h0,k0 HD,r0,s0,x0,c0,n-,h1,k0 0 40", "home", 0},
	{"8/6b1/8/8/8/8/1G6/2R5 A pR HD,r0,s0,x0,c3,n-,h0,k0 HD,r0,s0,x0,c0,n-,h1,k0 0 40", "apex", 1},
	{"8/6b1/8/8/8/8/1G6/2R5 A pR HD,r0,s0,x0,c3,n-,h0,k0 -,r0,s0,x0,c0,n-,h1,k0 0 40", "apex", 0},
	{"7b/6g1/5g2/8/8/2G5/1G6/R6B A sh1 HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 40", "cap", 0},
	{"7b/6g1/5G2/8/8/2G5/1G6/R6B A sh1 HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 40", "cap", 1},
}

func TestStagedQuestions(t *testing.T) {
	g := standard(t)
	var scan Scanner
	for _, c := range staged {
		s := g.NewState().(*konreh.State)
		if err := s.ParsePosition(c.line); err != nil {
			t.Fatal(err)
		}
		choices := scan.Scan(s, g.NewHistory())
		if !slices.ContainsFunc(choices, func(x Choice) bool { return questions[x.Question].ID == c.question && x.Level == c.level }) {
			t.Errorf("%s: choices %+v, want %s at level %d", c.line, choices, c.question, c.level)
		}
	}
}

// TestFilesBarWhatBreaksTheRule: the player with a rule does not do what the questions
// call breaking it, and may do all else; every rule comes up.
func TestFilesBarWhatBreaksTheRule(t *testing.T) {
	g := standard(t)
	games := randomGames(g, 60)
	var scan Scanner
	for i := range rules {
		r := &rules[i]
		x, err := school.Find(r.School())
		if err != nil {
			t.Fatal(err)
		}
		guide := x.Guide(1)
		barred, free := 0, 0
		s, h := g.NewState().(*konreh.State), g.NewHistory()
		look := func(int, engine.Action) bool {
			check := func(a engine.Action, want bool) {
				next := *s
				next.Apply(a, nil)
				_, got := guide.Bonus(s, &next, a)
				if got != want {
					t.Fatalf("%s: %s, %s: the file bars it: %v, the rule: %v", r.ID, s.AppendPosition(nil), s.AppendAction(nil, a), got, want)
				}
				if want {
					barred++
				} else {
					free++
				}
			}
			for _, c := range scan.Scan(s, h) {
				if c.Question != questionOf(r.Question) {
					continue
				}
				for _, act := range []bool{true, false} {
					obeyed, says := r.obeys(c.Level, act)
					list := c.Others
					if act {
						list = c.Acts
					}
					for _, a := range list {
						if !says || obeyed || questions[c.Question].Even || act {
							check(a, says && !obeyed)
						}
					}
				}
			}
			return true
		}
		for n := range games {
			games[n].walk(s, h, look)
		}
		for _, c := range staged {
			if err := s.ParsePosition(c.line); err != nil {
				t.Fatal(err)
			}
			look(0, NoAction)
		}
		if barred == 0 || free == 0 {
			t.Errorf("%s: %d moves barred, %d free: want some of both", r.ID, barred, free)
		}
	}
}

// TestQuestionsComeUp at all levels in games, and what is asked is what the rules say
// at that place.
func TestQuestionsComeUp(t *testing.T) {
	g := standard(t)
	games := randomGames(g, 60)
	asked := Ask(games, 40, Limits{PerGame: 2, Most: 30}, 5)
	if again := Ask(games, 40, Limits{PerGame: 2, Most: 30}, 5); fmt.Sprint(again) != fmt.Sprint(asked) {
		t.Errorf("the same games and seed ask something else")
	}
	if other := Ask(games, 40, Limits{PerGame: 2, Most: 30}, 6); fmt.Sprint(other) == fmt.Sprint(asked) {
		t.Errorf("another seed asks the same")
	}
	counts, inGame := map[[2]int]int{}, map[[3]int]int{}
	s, h := g.NewState().(*konreh.State), g.NewHistory()
	var scan Scanner
	via := 0
	for i := range asked {
		x := &asked[i]
		counts[[2]int{x.Question, x.Level}]++
		inGame[[3]int{x.Question, x.Level, x.Game}]++
		x.Position(games, s, h)
		if x.Via != NoAction {
			via++
		}
		found := false
		for _, c := range scan.Scan(s, h) {
			found = found || c.Question == x.Question && c.Level == x.Level && slices.Equal(c.Acts, x.Acts) && slices.Equal(c.Others, x.Others)
		}
		if !found {
			t.Fatalf("%+v is no choice in %s", x, s.AppendPosition(nil))
		}
		legal := s.Legal(nil, h)
		for _, a := range slices.Concat(x.Acts, x.Others) {
			if !slices.Contains(legal, a) {
				t.Fatalf("%s is not legal in %s", s.AppendAction(nil, a), s.AppendPosition(nil))
			}
		}
	}
	for q := range questions {
		for level := range questions[q].Levels {
			rare := slices.ContainsFunc(staged[:], func(c struct {
				line, question string
				level          int
			}) bool {
				return c.question == questions[q].ID
			})
			if n := counts[[2]int{q, level}]; n == 0 && !rare || n > 30 {
				t.Errorf("%s, %s: %d choices", questions[q].ID, questions[q].Levels[level], n)
			}
		}
	}
	// The last 20 games are asked about only where those before them have too few.
	alone := map[[2]int]int{}
	for _, x := range Ask(games[:40], 40, Limits{PerGame: 2, Most: 30}, 5) {
		alone[[2]int{x.Question, x.Level}]++
	}
	late := 0
	for _, x := range asked {
		if k := [2]int{x.Question, x.Level}; x.Game >= 40 {
			if late++; alone[k] == 30 {
				t.Errorf("%s is asked about in game %d, with 30 choices before it", questions[x.Question].ID, x.Game)
			}
		}
	}
	if late == 0 {
		t.Errorf("nothing is asked about in the last games")
	}
	for k, n := range inGame {
		if n > 2 {
			t.Errorf("%d choices of %s in game %d", n, questions[k[0]].ID, k[2])
		}
	}
	if via == 0 {
		t.Errorf("nothing is asked beside the games")
	}
}

// scripted is an analyst to whom a position is worth what of says, for side A, and who
// prefers the first legal move.
type scripted struct {
	of   func(*konreh.State) float64
	seen []string
}

func (p *scripted) NewGame(context.Context, uint64) error { return nil }

func (p *scripted) Think(_ context.Context, es engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	if !b.Analyze {
		panic("BUG: asked to choose")
	}
	s := es.(*konreh.State)
	p.seen = append(p.seen, string(s.AppendPosition(nil)))
	a := &match.Analysis{Value: p.of(s), Judged: true}
	if s.Side() == 1 {
		a.Value = -a.Value
	}
	for i, m := range s.Legal(nil, h) {
		a.Moves = append(a.Moves, match.Move{Action: m, Visits: max(0, 5-i)})
	}
	return a, nil
}

// onSanctum asks A whether to seed.
const onSanctum = "7b/8/8/8/8/8/8/R6B A sh1 HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 40"

// TestJudgesDoNotChoose: each network's moves are judged by the other one, and a gain is
// in scores of who decides.
func TestJudgesDoNotChoose(t *testing.T) {
	g := standard(t)
	for _, line := range []string{onSanctum, "b6r/8/8/8/8/8/8/B7 B sa8 HD,r0,s0,x0,c0,n-,h0,k0 HD,r0,s0,x0,c0,n-,h1,k0 0 41"} {
		s, h := g.NewState().(*konreh.State), g.NewHistory()
		if err := s.ParsePosition(line); err != nil {
			t.Fatal(err)
		}
		var scan Scanner
		choices := scan.Scan(s, h)
		if len(choices) == 0 || questions[choices[0].Question].ID != "seed" {
			t.Fatalf("%s: choices %+v", line, choices)
		}
		x := Asked{Via: NoAction, Acts: choices[0].Acts, Others: choices[0].Others}
		// A Green is worth 0.4 to the first judge and 0.1 to the second.
		judges, choosers := []*scripted{}, []*scripted{}
		j := &Judge{}
		for _, worth := range []float64{0.4, 0.1} {
			of := func(s *konreh.State) float64 {
				return worth * float64(len(squares(s.Army(0)[konreh.Green]))-len(squares(s.Army(1)[konreh.Green])))
			}
			a, b := &scripted{of: of}, &scripted{of: of}
			judges, choosers = append(judges, a), append(choosers, b)
			j.Judges, j.Choosers = append(j.Judges, a), append(j.Choosers, b)
		}
		list, err := j.Ask(t.Context(), s, h, &x)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []float64{0.2, 0.05} {
			if v := list[i]; v.Gain < want-1e-9 || v.Gain > want+1e-9 || v.Act != x.Acts[0] || v.Other != x.Others[0] || !v.Prefers {
				t.Errorf("%s: network %d: %+v, want a gain of %g", line, i, v, want)
			}
			if len(judges[i].seen) != 2 || len(choosers[i].seen) != 1 || choosers[i].seen[0] != line {
				t.Errorf("%s: judge %d saw %q, chooser %q", line, i, judges[i].seen, choosers[i].seen)
			}
		}
		if h.Len() != 0 {
			t.Errorf("the history has %d positions", h.Len())
		}
	}
}

func squares(set uint64) []int {
	var list []int
	for sq := range 64 {
		if set>>sq&1 != 0 {
			list = append(list, sq)
		}
	}
	return list
}

// TestObserve counts the decisions of a game in which a rule could be obeyed and broken,
// and their scores.
func TestObserve(t *testing.T) {
	g := standard(t)
	var scan Scanner
	total := 0.0
	for _, x := range randomGames(g, 20) {
		x.First = 1
		o := scan.Observe(&x)
		s, h := g.NewState().(*konreh.State), g.NewHistory()
		want := map[string]float64{}
		x.walk(s, h, func(_ int, a engine.Action) bool {
			switch word := string(s.AppendAction(nil, a)); word {
			case "seed", "noseed":
				if len(s.Legal(nil, h)) == 2 {
					want["decisions"]++
					if s.Actor() == engine.First {
						want["points"]++
					}
				}
			}
			return true
		})
		r := slices.IndexFunc(rules, func(r Rule) bool { return r.ID == "seed-safety" })
		decisions, points := o.Obeyed[r].Count+o.Broke[r].Count, o.Obeyed[r].Sum+o.Broke[r].Sum
		if decisions != want["decisions"] || points != want["points"] {
			t.Errorf("%g decisions with %g points, want %g with %g", decisions, points, want["decisions"], want["points"])
		}
		total += decisions
	}
	if total == 0 {
		t.Errorf("no decision to seed in any game")
	}
}
