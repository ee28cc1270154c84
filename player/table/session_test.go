package table

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// session opens a table under rules; seats are descriptions of players or You.
func session(t *testing.T, f *engine.Family, rules, first, second string, seed uint64) *Session {
	t.Helper()
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	start := g.NewState()
	start.Start(nil)
	var seats [2]Seat
	for i, name := range []string{first, second} {
		seats[i].Name = name
		if name == You {
			continue
		}
		spec, err := player.Parse(name, nil)
		if err == nil {
			seats[i].Player, err = spec.New(g)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s, err := New(t.Context(), g, start, seats, seed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func enter(t *testing.T, s *Session, words string) {
	t.Helper()
	for _, word := range strings.Fields(words) {
		a, err := s.State().ParseAction(word, s.History())
		if err == nil {
			_, err = s.Play(a)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// proceed lets players decide until a person is asked.
func proceed(t *testing.T, s *Session) {
	t.Helper()
	for {
		if _, over := s.Result(); over || s.Asked() != engine.Nobody {
			return
		}
		if _, err := s.Continue(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

func line(s *Session) string { return string(s.State().AppendPosition(nil)) }

// TestUndoRestoresEveryPosition plays random games of a person against a random
// player, undoes them decision by decision, and compares position, past and
// what is legal with what they were.
func TestUndoRestoresEveryPosition(t *testing.T) {
	for _, c := range []struct {
		f     *engine.Family
		rules string
	}{{&konreh.Family, "micro,balance=pie"}, {&konreh.Family, "standard"}, {&racegame.Family, ""}, {&connect4.Family, ""}} {
		s := session(t, c.f, c.rules, You, "random", 3)
		rng := rand.New(rand.NewPCG(1, 1))
		type moment struct {
			line  string
			past  int
			steps int
			legal string
		}
		now := func() moment { return moment{line(s), s.History().Len(), len(s.Steps()), fmt.Sprint(s.Legal())} }
		var asked []moment
		for range 150 {
			proceed(t, s)
			if _, over := s.Result(); over {
				break
			}
			asked = append(asked, now())
			legal := s.Legal()
			if _, err := s.Play(legal[rng.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
		}
		if len(asked) < 5 {
			t.Fatalf("%s: only %d decisions", c.f.Name, len(asked))
		}
		for i := len(asked) - 1; i >= 0; i-- {
			before := len(s.Steps())
			n, err := s.Undo()
			if err != nil || n != before-asked[i].steps || now() != asked[i] {
				t.Fatalf("%s %s: undo %d: %d of %d decisions, %v, now %+v, want %+v", c.f.Name, c.rules, i, n, before, err, now(), asked[i])
			}
		}
		if _, err := s.Undo(); err == nil || len(s.Steps()) != asked[0].steps {
			t.Errorf("%s: undo beyond the first decision: %v", c.f.Name, err)
		}
	}
}

// TestTakebackIsOfATurn goes back over both moves of the opening double move, or
// over the one that was made.
func TestTakebackIsOfATurn(t *testing.T) {
	s := session(t, &konreh.Family, "standard", You, You, 1)
	enter(t, s, "d1f1")
	want := line(s)
	for _, words := range []string{"h5f5", "h5f5 e8c8"} {
		enter(t, s, words)
		n, err := s.Takeback()
		if err != nil || n != len(strings.Fields(words)) || line(s) != want {
			t.Errorf("takeback of %q: %d decisions, %v, now %s", words, n, err, line(s))
		}
	}
	if n, err := s.Takeback(); n != 1 || err != nil || len(s.Steps()) != 0 {
		t.Errorf("takeback of the first move: %d, %v", n, err)
	}
	if _, err := s.Takeback(); err == nil {
		t.Error("takeback of nothing")
	}
	// The players of a swap are two: the turn of the one who said it is that word.
	s = session(t, &konreh.Family, "standard,balance=pie", You, You, 1)
	enter(t, s, "d1f1 swap")
	swapped := line(s)
	enter(t, s, "h5f5")
	if n, err := s.Takeback(); n != 1 || err != nil || line(s) != swapped {
		t.Errorf("takeback of the move after a swap: %d, %v, now %s", n, err, line(s))
	}
}

// TestChanceIsDrawnAgainAlike: a person cannot have another roll by an undo.
func TestChanceIsDrawnAgainAlike(t *testing.T) {
	s := session(t, &racegame.Family, "", You, You, 9)
	rolls := func() (words []string) {
		for range 6 {
			proceed(t, s)
			if _, over := s.Result(); over {
				break
			}
			if _, err := s.Play(s.Legal()[0]); err != nil {
				t.Fatal(err)
			}
		}
		for _, step := range s.Steps() {
			words = append(words, step.Actor.String()+step.Word)
		}
		return words
	}
	first := fmt.Sprint(rolls())
	if !strings.Contains(first, "chance") {
		t.Fatalf("no chance in %s", first)
	}
	for {
		if _, err := s.Undo(); err != nil {
			break
		}
	}
	if again := fmt.Sprint(rolls()); again != first {
		t.Errorf("after undo the same decisions lead to\n%s, not\n%s", again, first)
	}
}

func TestResign(t *testing.T) {
	s := session(t, &tictactoe.Family, "", You, You, 1)
	enter(t, s, "a1")
	if err := s.Resign(); err != nil {
		t.Fatal(err)
	}
	if r, over := s.Result(); !over || r.Winner != engine.First || r.Reason != Resigned {
		t.Errorf("%+v, want First to win", r)
	}
	if err := s.Resign(); !errors.Is(err, ErrNotAsked) {
		t.Errorf("resigning twice: %v", err)
	}
	if _, err := s.Play(0); err == nil {
		t.Error("a move after resigning")
	}
	if n, err := s.Undo(); n != 0 || err != nil || s.Asked() != engine.Second {
		t.Errorf("undo of resigning: %d, %v", n, err)
	}
}

// TestConcede ends a game for who is not to decide, too.
func TestConcede(t *testing.T) {
	s := session(t, &tictactoe.Family, "", You, You, 1)
	enter(t, s, "a1 b2")
	before := s.Game().NewState()
	for n, want := range []int{9, 8, 7} {
		if s.Before(before, n); len(before.Legal(nil, nil)) != want {
			t.Errorf("before step %d there are %d moves, want %d", n, len(before.Legal(nil, nil)), want)
		}
	}
	if err := s.Concede(engine.Second); err != nil {
		t.Fatal(err)
	}
	if r, over := s.Result(); !over || r != (Result{engine.First, Resigned}) {
		t.Errorf("%+v, want First to win", r)
	}
	if s.Concede(engine.First) == nil {
		t.Error("conceding a game that is over")
	}
}

// TestDrawOffers to a player that knows what positions are worth: it accepts
// level and lost ones and declines those that it wins.
func TestDrawOffers(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		moves, player string
		want          Answer
	}{
		{"", "exact", Accepted},                  // a draw
		{"a1 a2 b1 b3", "exact", Accepted},       // c1 wins for who offers
		{"a1 b2 a2 a3", "exact", Accepted},       // c1 parries: a draw
		{"a1 b2 b1 c1 c3 a3", "exact", -1},       // over
		{"b1 b2 a2 a1 b3 c1", "exact", Declined}, // two threats of the player
		{"", "random", Declined},                 // judges nothing
		{"", "minimax:depth=1", Accepted},        // no material: level
	} {
		s := session(t, &tictactoe.Family, "", You, c.player, 1)
		enter(t, s, c.moves)
		answer, err := s.OfferDraw(ctx)
		if c.want < 0 {
			if !errors.Is(err, ErrNotAsked) {
				t.Errorf("%q: %v after the end", c.moves, err)
			}
			continue
		}
		r, over := s.Result()
		if err != nil || answer != c.want || over != (c.want == Accepted) || over && (r != Result{engine.Nobody, Agreed}) {
			t.Errorf("%q, %s: %d, %v, %+v, want %d", c.moves, c.player, answer, err, r, c.want)
		}
		if answer == Declined {
			if _, err := s.OfferDraw(ctx); err == nil {
				t.Errorf("%q: a second offer in one turn", c.moves)
			}
			if _, err := s.Play(s.Legal()[0]); err != nil {
				t.Fatal(err)
			}
			if proceed(t, s); s.Asked() == engine.First {
				if _, err := s.OfferDraw(ctx); err != nil {
					t.Errorf("%q: an offer in the next turn: %v", c.moves, err)
				}
			}
		}
	}
}

// TestDrawOffersOfPeople wait for the other one's answer.
func TestDrawOffersOfPeople(t *testing.T) {
	ctx := context.Background()
	s := session(t, &tictactoe.Family, "", You, You, 1)
	if err := s.Answer(true); err == nil {
		t.Error("accepting what nobody offers")
	}
	offer := func() {
		t.Helper()
		if a, err := s.OfferDraw(ctx); a != Waits || err != nil || s.Offered() != s.State().Actor() || s.Asked() != s.State().Actor().Other() {
			t.Fatalf("%d, %v, offered by %s, asked %s", a, err, s.Offered(), s.Asked())
		}
	}
	offer()
	if _, err := s.OfferDraw(ctx); err == nil {
		t.Error("an offer instead of an answer")
	}
	if err := s.Answer(false); err != nil || s.Asked() != engine.First {
		t.Errorf("declining: %v", err)
	}
	enter(t, s, "a1")
	offer()
	enter(t, s, "b2") // lapses
	if s.Offered() != engine.Nobody {
		t.Error("an offer outlives a move")
	}
	offer()
	if err := s.Answer(true); err != nil {
		t.Fatal(err)
	}
	if r, over := s.Result(); !over || r != (Result{engine.Nobody, Agreed}) {
		t.Errorf("%+v, want a draw", r)
	}
}

// TestSameSeedSameGame of two players, and another with another seed.
func TestSameSeedSameGame(t *testing.T) {
	play := func(seed uint64) string {
		s := session(t, &connect4.Family, "", "mcts:sims=20", "random", seed)
		proceed(t, s)
		if _, over := s.Result(); !over {
			t.Fatal("the game is not over")
		}
		return line(s)
	}
	one, again, other := play(1), play(1), play(2)
	if one != again || one == other {
		t.Errorf("seeds 1, 1, 2: %s, %s, %s", one, again, other)
	}
}

// TestContinueNamesThePlayer whose work is broken off.
func TestContinueNamesThePlayer(t *testing.T) {
	s := session(t, &konreh.Family, "", "mcts:sims=1000000", You, 1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Continue(ctx); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "mcts:sims=1000000") {
		t.Errorf("%v", err)
	}
	if len(s.Steps()) != 0 {
		t.Error("a decision was made")
	}
}

// crasher forfeits every game.
type crasher struct{}

func (crasher) NewGame(context.Context, uint64) error { return nil }

func (p crasher) Think(ctx context.Context, s engine.State, h *engine.History, _ match.Bounds) (*match.Analysis, error) {
	a, err := p.decide(ctx, s, h)
	return &match.Analysis{Choice: a, Line: []engine.Action{a}}, err
}

func (crasher) decide(context.Context, engine.State, *engine.History) (engine.Action, error) {
	return 0, &match.Forfeit{Reason: match.ForfeitCrash, Err: errors.New("it has ended")}
}

// TestForfeitsEndGames of the one who forfeits; undone, it is asked again.
func TestForfeitsEndGames(t *testing.T) {
	s := session(t, &connect4.Family, "", You, You, 1)
	s.seats[1] = Seat{Name: "crasher", Player: crasher{}}
	enter(t, s, "4")
	for range 2 {
		if _, err := s.Continue(t.Context()); err == nil || err.Error() != "crasher: crash: it has ended" {
			t.Error(err)
		}
		if r, over := s.Result(); !over || r != (Result{Winner: engine.First, Reason: match.ForfeitCrash}) {
			t.Errorf("%+v, %t", r, over)
		}
		if n, err := s.Undo(); n != 0 || err != nil {
			t.Error(n, err)
		}
		if _, over := s.Result(); over {
			t.Error("over after an undo")
		}
	}
}

// TestChanceIsEntered: from a switch on nothing is drawn, entered outcomes can be taken
// back, one a time, and after the switch back the program draws what it always did.
func TestChanceIsEntered(t *testing.T) {
	s := session(t, &racegame.Family, "", You, You, 9)
	enter(t, s, "bold")
	if s.Entering() {
		t.Fatal("an outcome is to be entered before anybody asked for that")
	}
	drawn, err := s.Continue(t.Context())
	if err != nil || !drawn.Drawn || !s.Steps()[1].Drawn {
		t.Fatalf("%+v, %v: want a roll that is marked as drawn", drawn, err)
	}
	s.EnterChance(true)
	if n, err := s.Undo(); n != 1 || err != nil || !s.Entering() || s.Asked() != engine.Nobody {
		t.Fatalf("undo takes %d back, %v; entering %t, %v is asked", n, err, s.Entering(), s.Asked())
	}
	if _, err := s.Continue(t.Context()); err == nil {
		t.Error("the program draws what is to be entered")
	}
	if err := s.MayOffer(); err == nil || !strings.Contains(err.Error(), "enter the dice first") {
		t.Errorf("a draw is offered before the dice are entered: %v", err)
	}
	for seats, loser := range map[[2]bool]engine.Player{{true, true}: engine.First, {false, true}: engine.Second, {true, false}: engine.First, {false, false}: engine.Nobody} {
		was := s.seats
		for i := range s.seats {
			if !seats[i] {
				s.seats[i].Player = crasher{}
			}
		}
		err := s.Resign()
		if r, over := s.Result(); over != (loser != engine.Nobody) || over != (err == nil) || over && r.Winner != loser.Other() {
			t.Errorf("people sit at %v: who resigns as the first player's dice are entered: %+v, %v, want %v", seats, r, err, loser)
		}
		s.settled, s.seats = nil, was
	}
	enter(t, s, "4")
	if s.Steps()[1].Drawn || s.Entering() || s.Asked() != engine.First {
		t.Errorf("%+v, %v is asked: want an entered roll, and the first player", s.Steps()[1], s.Asked())
	}
	for _, want := range []int{1, 0} { // the roll, then the choice
		if n, err := s.Takeback(); n != 1 || err != nil || len(s.Steps()) != want {
			t.Fatalf("takeback of %d, %v: %d steps are left, want %d", n, err, len(s.Steps()), want)
		}
	}
	enter(t, s, "bold")
	s.EnterChance(false)
	if again, err := s.Continue(t.Context()); err != nil || again.Word != drawn.Word {
		t.Errorf("the program rolls %s, %v; it rolled %s", again.Word, err, drawn.Word)
	}
}
