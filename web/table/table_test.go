package table

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// offers are players that need no network.
func offers() []Offer {
	depth := []Limit{{Option: "depth", Min: 1, Max: 3, Default: 2}}
	return []Offer{
		{Name: "minimax", Limits: depth},
		{Name: "mcts", Limits: []Limit{{Option: "sims", Min: 1, Max: 100, Default: 20}, {Option: "time", Unit: "ms", Min: 10, Max: 50, Default: 20}}},
		{Name: "exact", Games: []string{"tictactoe"}},
		{Name: "random"},
		{Name: "slow"},
		{Name: "clerk"},
		{Name: "broken"},
		{Name: "crasher"},
	}
}

// slow takes an hour and plays the first move.
type slow struct{}

func (slow) NewGame(context.Context, uint64) error { return nil }

func (p slow) Think(ctx context.Context, s engine.State, h *engine.History, _ match.Bounds) (*match.Analysis, error) {
	a, err := p.decide(ctx, s, h)
	return &match.Analysis{Choice: a, Line: []engine.Action{a}}, err
}

func (slow) decide(ctx context.Context, s engine.State, h *engine.History) (engine.Action, error) {
	select {
	case <-time.After(time.Hour):
		return s.Legal(nil, h)[0], nil
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

// clerk is slow and notes what it is told of the clocks, and whether its move is played.
type clerk struct {
	slow
	own, other time.Duration
	plays      bool
}

func (c *clerk) Think(ctx context.Context, s engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	c.own, c.other, c.plays = b.Remaining, b.Other, b.Play
	return c.slow.Think(ctx, s, h, b)
}

// broken never decides.
type broken struct{ slow }

func (p broken) Think(ctx context.Context, s engine.State, h *engine.History, _ match.Bounds) (*match.Analysis, error) {
	a, err := p.decide(ctx, s, h)
	return &match.Analysis{Choice: a, Line: []engine.Action{a}}, err
}

func (broken) decide(context.Context, engine.State, *engine.History) (engine.Action, error) {
	return 0, errors.New("it is broken")
}

// crasher forfeits the game at its first decision and decides after that.
type crasher struct {
	slow
	crashed bool
}

func (c *crasher) Think(ctx context.Context, s engine.State, h *engine.History, _ match.Bounds) (*match.Analysis, error) {
	a, err := c.decide(ctx, s, h)
	return &match.Analysis{Choice: a, Line: []engine.Action{a}}, err
}

func (c *crasher) decide(_ context.Context, s engine.State, h *engine.History) (engine.Action, error) {
	if !c.crashed {
		c.crashed = true
		return 0, &match.Forfeit{Reason: match.ForfeitCrash, Err: errors.New("it has ended")}
	}
	return s.Legal(nil, h)[0], nil
}

func config() Config {
	return Config{
		Games: games.All(), Guides: games.Guides(), Offers: offers(), MaxSteps: 400, Unwatched: time.Minute,
		New: func(text string, g engine.Game) (match.Player, error) {
			switch text {
			case "slow":
				return slow{}, nil
			case "clerk":
				return &clerk{}, nil
			case "broken":
				return broken{}, nil
			case "crasher":
				return &crasher{}, nil
			}
			spec, err := player.Parse(text, nil)
			if err != nil {
				return nil, err
			}
			return spec.New(g)
		},
	}
}

// sit runs a table until the test ends.
func sit(t *testing.T, s Setup) *Table {
	t.Helper()
	table, err := New(s, config())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { table.Run(ctx); close(done) }()
	t.Cleanup(func() { stop(); <-done })
	return table
}

// until waits for a view that fits.
func until(t *testing.T, table *Table, what string, fits func(*View) bool) *View {
	t.Helper()
	limit := time.After(time.Minute)
	for {
		v := table.View()
		if fits(v) {
			return v
		}
		select {
		case <-table.Changed(v.Version):
		case <-limit:
			t.Fatalf("no view in which %s: %+v", what, v)
		}
	}
}

func asked(v *View) bool { return v.Asked != "" }

func do(t *testing.T, table *Table, r Request) *View {
	t.Helper()
	if err := table.Do(r); err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	return table.View()
}

func words(v *View) (list []string) {
	for _, c := range v.Legal {
		list = append(list, c.Word)
	}
	return list
}

// TestPersonAgainstPlayer plays a game of tic-tac-toe that cannot be won, and
// follows the views as a page does.
func TestPersonAgainstPlayer(t *testing.T) {
	table := sit(t, Setup{Game: "tictactoe", Seats: [2]string{"you", "exact"}})
	v := until(t, table, "the person is asked", asked)
	for n := 0; v.Result == nil; n++ {
		if len(v.Legal) != 9-v.Steps || v.Asked != "first" || n > 5 {
			t.Fatalf("%+v", v)
		}
		if len(v.Values) != n {
			t.Errorf("%d judgements after %d decisions, want %d: one for each of the player's that was a choice", len(v.Values), v.Steps, n)
		}
		seen := v.Steps
		if err := table.Do(Request{Op: OpAct, Word: v.Legal[0].Word, Steps: &seen}); err != nil {
			t.Fatal(err)
		}
		if err := table.Do(Request{Op: OpAct, Word: v.Legal[0].Word, Steps: &seen}); !errors.Is(err, ErrStale) {
			t.Fatalf("a second click: %v", err)
		}
		v = until(t, table, "the person is asked or the game over", func(v *View) bool { return asked(v) || v.Result != nil })
	}
	if v.Result.Winner == "first" || len(v.Log) != v.Steps || v.Legal != nil || v.CanResign || v.CanDraw {
		t.Errorf("%+v", v)
	}
	if v.Setup.Moves == "" || len(strings.Fields(v.Setup.Moves)) != v.Steps {
		t.Errorf("moves %q of %d", v.Setup.Moves, v.Steps)
	}
	again, err := New(v.Setup, config())
	if err != nil {
		t.Fatal(err)
	}
	if w := again.View(); w.Picture.Position != v.Picture.Position || w.Result == nil || *w.Result != *v.Result {
		t.Errorf("set up again: %+v, want %+v", w, v)
	}
}

// TestPhasesHaveTheirPlaces: what a page needs to draw the decisions of all phases.
func TestPhasesHaveTheirPlaces(t *testing.T) {
	const fresh = " HD,r0,s0,x0,c0,n-,h1,k0"
	for _, c := range []struct {
		name, rules, line, moves string
		words                    []string
		from, to                 []string // of the words
	}{
		{"move", "", "", "", []string{"a4c4"}, []string{"a4"}, []string{"c4"}},
		{"seed", "standard", "7b/8/3r4/8/2G5/8/8/2B5 A m" + fresh + fresh + " 3 10", "c1h1", []string{"seed", "noseed"}, []string{"", ""}, []string{"a8", ""}},
		{"placement", "standard", "8/8/7R/8/8/1G4b1/R7/8 A m HD,r0,s0,x0,c5,n-,h0,k0" + fresh + " 0 10", "h6h8", []string{"home", "left", "right", "apex"}, []string{"", "", "", ""}, []string{"a1", "h1", "a8", ""}},
		{"Green", "standard", "8/8/7R/8/8/1G4b1/R7/8 A m HD,r0,s0,x0,c5,n-,h0,k0" + fresh + " 0 10", "h6h8 apex", []string{"-b3"}, []string{""}, []string{"b3"}},
		{"swap", "standard,balance=pie", "", "d1f1", []string{"hold", "swap"}, []string{"", ""}, []string{"", ""}},
	} {
		table := sit(t, Setup{Game: "konreh", Rules: c.rules, Position: c.line, Moves: c.moves})
		v := table.View()
		for i, word := range c.words {
			at := slices.Index(words(v), word)
			if at < 0 {
				t.Errorf("%s: no %s among %v", c.name, word, words(v))
				continue
			}
			cell := func(n *int) string {
				if n == nil {
					return ""
				}
				return v.Picture.Layout.Cells[*n].Name
			}
			if got := v.Legal[at]; cell(got.From) != c.from[i] || cell(got.To) != c.to[i] {
				t.Errorf("%s: %s from %q to %q, want %q to %q", c.name, word, cell(got.From), cell(got.To), c.from[i], c.to[i])
			}
		}
		if v.Picture.Asked == "" || c.moves != "" && len(v.Picture.Marks) == 0 {
			t.Errorf("%s: asked %q, marks %v", c.name, v.Picture.Asked, v.Picture.Marks)
		}
		if _, err := json.Marshal(v); err != nil {
			t.Error(err)
		}
	}
}

// TestListsAreLists: what a page goes through is no null.
func TestListsAreLists(t *testing.T) {
	table := sit(t, Setup{Game: "connect4"})
	text, err := json.Marshal(table.View())
	if err != nil || strings.Contains(string(text), "null") {
		t.Errorf("%s, %v", text, err)
	}
}

// TestSwapChangesSeats: views say whose side is whose after it.
func TestSwapChangesSeats(t *testing.T) {
	table := sit(t, Setup{Game: "konreh", Rules: "lightning", Moves: "d1f1"})
	if v := table.View(); v.Asked != "second" || v.Seats[0].Side != "A" {
		t.Fatalf("%+v", v.Seats)
	}
	if v := do(t, table, Request{Op: OpAct, Word: "swap"}); v.Asked != "first" || v.Seats[0].Side != "B" || v.Seats[1].Side != "A" {
		t.Errorf("after swap %s is asked, %+v", v.Asked, v.Seats)
	}
}

// TestTakeback goes back to a decision of the person, past those of the player, also
// while it thinks.
func TestTakeback(t *testing.T) {
	table := sit(t, Setup{Game: "connect4", Seats: [2]string{"random", "you"}})
	v := until(t, table, "the person is asked", asked)
	if v.CanTakeback || table.Do(Request{Op: OpTakeback}) == nil {
		t.Error("a takeback before any decision of the person")
	}
	begin := v.Picture.Position
	do(t, table, Request{Op: OpAct, Word: "4"})
	until(t, table, "the player has answered", func(v *View) bool { return v.Steps == 3 && asked(v) })
	if v := do(t, table, Request{Op: OpTakeback}); v.Picture.Position != begin || v.Steps != 1 || v.Asked != "second" {
		t.Errorf("after a takeback: %+v", v)
	}
	table = sit(t, Setup{Game: "connect4", Seats: [2]string{"you", "slow"}})
	do(t, table, Request{Op: OpAct, Word: "4"})
	until(t, table, "the player thinks", func(v *View) bool { return v.Thinking != "" })
	if err := table.Do(Request{Op: OpAct, Word: "4"}); err == nil {
		t.Error("a move out of turn")
	}
	if v := do(t, table, Request{Op: OpTakeback}); v.Steps != 0 || v.Asked != "first" {
		t.Errorf("after a takeback: %+v", v)
	}
	until(t, table, "nobody thinks", func(v *View) bool { return v.Thinking == "" })
}

// TestResignAndTakeItBack: against a player the person loses, whoever is to decide.
func TestResignAndTakeItBack(t *testing.T) {
	table := sit(t, Setup{Game: "connect4", Seats: [2]string{"you", "slow"}, Moves: "4"})
	v := do(t, table, Request{Op: OpResign})
	if v.Result == nil || v.Result.Winner != "second" || v.Result.Reason != "resignation" || v.Result.Side != v.Seats[1].Side {
		t.Errorf("%+v", v.Result)
	}
	if table.Do(Request{Op: OpResign}) == nil || table.Do(Request{Op: OpAct, Word: "4"}) == nil {
		t.Error("something goes on after resigning")
	}
	if again := sit(t, v.Setup).View(); again.Result == nil || *again.Result != *v.Result || again.Setup.Ended == nil {
		t.Errorf("a table by its setup: %+v, want %+v", again.Result, v.Result)
	}
	if v = do(t, table, Request{Op: OpTakeback}); v.Result != nil || v.Setup.Ended != nil || v.Steps != 1 {
		t.Errorf("taken back: %+v", v)
	}
	two := sit(t, Setup{Game: "connect4", Moves: "4"})
	if v := do(t, two, Request{Op: OpResign}); v.Result.Winner != "first" {
		t.Errorf("of two people who is asked loses: %+v", v.Result)
	}
}

// TestDrawOffers to a player that judges, to one that does not, and to a person.
func TestDrawOffers(t *testing.T) {
	for _, c := range []struct{ player, moves, want string }{
		{"exact", "", "accepted"}, {"exact", "b1 b2 a2 a1 b3 c1", "declined"}, {"random", "", "declined"},
	} {
		table := sit(t, Setup{Game: "tictactoe", Seats: [2]string{"you", c.player}, Moves: c.moves})
		do(t, table, Request{Op: OpDraw})
		v := until(t, table, "there is an answer", func(v *View) bool { return v.Answer != "" })
		if v.Answer != c.want || (v.Result != nil) != (c.want == "accepted") || v.Offer != "" {
			t.Errorf("%s after %q: %s, %+v", c.player, c.moves, v.Answer, v.Result)
		}
		if c.want == "declined" && (v.CanDraw || table.Do(Request{Op: OpDraw}) == nil) {
			t.Errorf("%s: a second offer in one turn", c.player)
		}
	}
	table := sit(t, Setup{Game: "tictactoe"})
	if v := do(t, table, Request{Op: OpDraw}); v.Offer != "first" || v.Asked != "second" || v.Legal != nil {
		t.Fatalf("%+v", v)
	}
	if v := do(t, table, Request{Op: OpAccept}); v.Result == nil || v.Result.Reason != "agreement" || v.Result.Winner != "nobody" {
		t.Errorf("%+v", v.Result)
	}
	if v := do(t, table, Request{Op: OpTakeback}); v.Result != nil || v.Answer != "" {
		t.Errorf("after an agreed draw was taken back the answer to the offer is %q: %+v", v.Answer, v.Result)
	}
}

// TestDrawOfferStopsClocks: nobody's time runs while a player thinks about an offer;
// that of who has offered goes on when it has declined. The player is told of its own
// clock, though the other one is to decide.
func TestDrawOfferStopsClocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := sit(t, Setup{Game: "connect4", Seats: [2]string{"you", "clerk"}, Clock: "1+2", Moves: "4 4"})
		synctest.Wait()
		time.Sleep(10 * time.Second)
		do(t, table, Request{Op: OpDraw})
		time.Sleep(55 * time.Minute)
		v := table.View()
		if v.Clocks.Left != [2]int64{50_000, 60_000} || v.Clocks.Running != "" || v.Offer != "first" || v.Thinking == "" {
			t.Errorf("while it thinks about the offer: %+v, %+v", v.Clocks, v)
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		time.Sleep(5 * time.Second)
		if v := table.View(); v.Clocks.Left != [2]int64{45_000, 60_000} || v.Clocks.Running != "first" || v.Answer != "declined" {
			t.Errorf("after its answer: %+v, %+v", v.Clocks, v)
		}
		c := table.players[1].(*clerk)
		if c.own != 60*time.Second || c.other != 50*time.Second || c.plays {
			t.Errorf("it was told that it has %v and the other %v, and plays: %t", c.own, c.other, c.plays)
		}
		do(t, table, Request{Op: OpAct, Word: "4"})
		if synctest.Wait(); !c.plays {
			t.Error("it decides, and was not told that its move is played")
		}
	})
}

// TestOfferToABrokenPlayer is off, and the game goes on.
func TestOfferToABrokenPlayer(t *testing.T) {
	table := sit(t, Setup{Game: "connect4", Seats: [2]string{"you", "broken"}})
	do(t, table, Request{Op: OpDraw})
	v := until(t, table, "it has failed", func(v *View) bool { return v.Problem != "" })
	if v.Offer != "" || v.Asked != "first" || len(v.Legal) != 7 || !strings.Contains(v.Problem, "it is broken") {
		t.Errorf("%+v", v)
	}
}

// TestForfeitsEndGames: a player whose program fails has lost, which is said, and may
// be asked again.
func TestForfeitsEndGames(t *testing.T) {
	table := sit(t, Setup{Game: "connect4", Seats: [2]string{"you", "crasher"}})
	do(t, table, Request{Op: OpAct, Word: "4"})
	v := until(t, table, "it has crashed", func(v *View) bool { return v.Result != nil })
	if v.Result.Winner != "first" || v.Result.Reason != match.ForfeitCrash || v.Problem != "crasher: crash: it has ended" {
		t.Errorf("%+v, %+v", v, v.Result)
	}
	do(t, table, Request{Op: OpTakeback})
	until(t, table, "it has decided", func(v *View) bool { return v.Result == nil && v.Steps == 2 && v.Problem == "" })
}

// TestHints come once or always, are of the position shown, and change nothing.
func TestHints(t *testing.T) {
	table := sit(t, Setup{Game: "tictactoe", Seats: [2]string{"you", "random"}, Moves: "a1 b2 a2 b1", Hints: "exact"})
	do(t, table, Request{Op: OpHint})
	v := until(t, table, "there is a hint", func(v *View) bool { return v.Hint != nil })
	if h := v.Hint; h.By != "exact" || h.Line[0] != "a3" || h.Value == nil || *h.Value != 1 || !h.Solved || len(h.Moves) != 5 || v.Steps != 4 {
		t.Errorf("%+v", h)
	}
	if len(v.Values) != 1 || v.Values[0].Value != 1 || v.Values[0].Steps != 4 {
		t.Errorf("values %+v", v.Values)
	}
	table = sit(t, Setup{Game: "tictactoe", Hints: "exact"})
	do(t, table, Request{Op: OpHints, Word: "on"})
	for _, w := range []string{"a1", "b2"} {
		if v := until(t, table, "there is a hint", func(v *View) bool { return v.Hint != nil }); v.Hint.Line[0] == "" {
			t.Error("no line")
		}
		if v := do(t, table, Request{Op: OpAct, Word: w}); v.Hint != nil && v.Hint.Steps != v.Steps {
			t.Error("a hint of the position before")
		}
	}
	if err := table.Do(Request{Op: OpHints, Word: "perhaps"}); err == nil {
		t.Error("hints perhaps")
	}
}

// TestLookWhileAHinterIsMade: as while a page loads its network.
func TestLookWhileAHinterIsMade(t *testing.T) {
	var table *Table
	cfg := config()
	cfg.New = func(string, engine.Game) (match.Player, error) {
		if !table.mu.TryLock() {
			return nil, errors.New("nobody can look at the table meanwhile")
		}
		table.mu.Unlock()
		return slow{}, nil
	}
	table, err := New(Setup{Game: "connect4", Hints: "slow"}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	do(t, table, Request{Op: OpHint})
	ctx, stop := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, stop)
	j, _ := table.nextTask()
	if table.carryOut(ctx, j); table.hinter == nil {
		t.Error(table.View().Problem)
	}
}

// TestLeadsAreNoExpectations, and are told apart whoever asks.
func TestLeadsAreNoExpectations(t *testing.T) {
	for name, lead := range map[string]bool{"minimax:depth=1": true, "mcts:sims=20": false} {
		table := sit(t, Setup{Game: "connect4", Hints: name})
		do(t, table, Request{Op: OpHint})
		v := until(t, table, "there is a hint", func(v *View) bool { return v.Hint != nil })
		if v.Hint.Lead != lead || len(v.Values) != 1 || v.Values[0].Lead != lead {
			t.Errorf("%s: %+v, %+v, want lead %v", name, v.Hint, v.Values, lead)
		}
	}
}

// TestValuesAreTheFirstPlayers, whoever judged.
func TestValuesAreTheFirstPlayers(t *testing.T) {
	table := sit(t, Setup{Game: "tictactoe", Seats: [2]string{"you", "exact"}, Moves: "a1 a2 b2 c3"})
	// a3 and c2, for two lines at once: whatever the second player does, it loses.
	do(t, table, Request{Op: OpAct, Word: "b1"})
	v := until(t, table, "the player has decided", func(v *View) bool { return v.Steps == 6 })
	if len(v.Values) != 1 || v.Values[0].Value != 1 || v.Values[0].Steps != 5 {
		t.Errorf("%+v, want +1 for the first player", v.Values)
	}
}

// TestClocksRun for people and players, and end games.
func TestClocksRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := sit(t, Setup{Game: "connect4", Seats: [2]string{"you", "slow"}, Clock: "1+2"})
		synctest.Wait()
		time.Sleep(10 * time.Second)
		if v := table.View(); v.Clocks.Left != [2]int64{50_000, 60_000} || v.Clocks.Running != "first" {
			t.Errorf("%+v", v.Clocks)
		}
		do(t, table, Request{Op: OpAct, Word: "4"})
		synctest.Wait()
		time.Sleep(5 * time.Second)
		if v := table.View(); v.Clocks.Left != [2]int64{52_000, 55_000} || v.Clocks.Running != "second" {
			t.Errorf("%+v", v.Clocks)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if v := table.View(); v.Result == nil || v.Result.Winner != "first" || v.Result.Reason != match.TimeForfeit {
			t.Errorf("the player's flag: %+v", v.Result)
		}
		table = sit(t, Setup{Game: "connect4", Seats: [2]string{"you", "slow"}, Clock: "1+2"})
		synctest.Wait()
		version := table.View().Version
		time.Sleep(61 * time.Second)
		synctest.Wait()
		select {
		case <-table.Changed(version):
		default:
			t.Error("nobody is told that the flag fell")
		}
		if v := table.View(); v.Result == nil || v.Result.Winner != "second" {
			t.Errorf("the person's flag: %+v", v.Result)
		}
		if v := do(t, table, Request{Op: OpHints, Word: "off"}); v.Result == nil {
			t.Error("the game goes on")
		}
		if err := table.Do(Request{Op: OpTakeback}); err == nil || table.View().CanTakeback {
			t.Errorf("a decision is taken back where there was none: %v", err)
		}
	})
}

// TestFlagFallsDuringAHint, without anybody looking.
func TestFlagFallsDuringAHint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := sit(t, Setup{Game: "connect4", Seats: [2]string{"you", "slow"}, Clock: "1+2"})
		do(t, table, Request{Op: OpHint})
		synctest.Wait()
		version := table.View().Version
		time.Sleep(60 * time.Second)
		synctest.Wait()
		select {
		case <-table.Changed(version):
		default:
			t.Error("nobody is told that the flag fell")
		}
		if v := table.View(); v.Result == nil || v.Result.Reason != match.TimeForfeit || v.Thinking != "" {
			t.Errorf("%+v", v)
		}
	})
}

// TestStaleThoughtStartsNoClock: when the person has moved before a hint is begun,
// the clock of the player begins with its own thought, not with the hint's.
func TestStaleThoughtStartsNoClock(t *testing.T) {
	table, err := New(Setup{Game: "connect4", Seats: [2]string{"you", "slow"}, Clock: "1+0", Moves: "4"}, config())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	table.carryOut(ctx, &task{kind: advise, epoch: table.epoch - 1})
	if v := table.View(); v.Clocks.Running != "" {
		t.Errorf("the clock of %s runs", v.Clocks.Running)
	}
}

// TestUnwatchedPlayersRest, and go on when somebody looks.
func TestUnwatchedPlayersRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := sit(t, Setup{Game: "connect4", Seats: [2]string{"slow", "slow"}})
		time.Sleep(10*time.Hour + time.Minute)
		synctest.Wait()
		if n := table.View().Steps; n != 1 {
			t.Errorf("%d decisions, want 1: the one that was begun", n)
		}
		time.Sleep(time.Hour + time.Second)
		synctest.Wait()
		if n := table.View().Steps; n != 2 {
			t.Errorf("%d decisions, want 2", n)
		}
	})
}

// TestSlotsBoundThinking: with one place only one player thinks, and waiting takes
// no time on the clock.
func TestSlotsBoundThinking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := config()
		cfg.Slots = make(chan struct{}, 1)
		var tables []*Table
		ctx, stop := context.WithCancel(t.Context())
		for range 3 {
			table, err := New(Setup{Game: "connect4", Seats: [2]string{"slow", "you"}, Clock: "600+0"}, cfg)
			if err != nil {
				t.Fatal(err)
			}
			tables = append(tables, table)
			go table.Run(ctx)
		}
		synctest.Wait()
		count := func() (thinking, waited int) {
			for _, table := range tables {
				v := table.View()
				if v.Thinking != "" {
					thinking++
				}
				if v.Steps == 0 && v.Clocks.Left[0] == 600*60*1000 {
					waited++
				}
			}
			return thinking, waited
		}
		time.Sleep(30 * time.Minute)
		if thinking, waited := count(); thinking != 1 || waited != 2 {
			t.Errorf("%d think, %d wait, want 1 and 2", thinking, waited)
		}
		stop()
	})
}

// TestSetupsAreRefused by a sentence that says what is wrong.
func TestSetupsAreRefused(t *testing.T) {
	for _, c := range []struct {
		s    Setup
		want string
	}{
		{Setup{Game: "chess"}, "no game"},
		{Setup{Game: "konreh", Rules: "standard,pie"}, "option=value"},
		{Setup{Game: "konreh", Position: "x"}, "position"},
		{Setup{Game: "konreh", Moves: "d1f1 d1f1"}, "move 2"},
		{Setup{Game: "tictactoe", Moves: "a1 a2 b1 b2 c1 c2"}, "move 6"},
		{Setup{Game: "konreh", Clock: "5"}, "clock"},
		{Setup{Game: "konreh", Seats: [2]string{"you", "exact"}}, "want one of"},
		{Setup{Game: "konreh", Seats: [2]string{"you", "mcts"}}, "mcts:sims=20 or mcts:time=20ms"},
		{Setup{Game: "konreh", Seats: [2]string{"you", "mcts:sims=101"}}, "1 to 100"},
		{Setup{Game: "konreh", Seats: [2]string{"you", "mcts:sims=+5"}}, "1 to 100"},
		{Setup{Game: "konreh", Seats: [2]string{"you", "mcts:sims=5,cap=9"}}, "1 to 100"},
		{Setup{Game: "konreh", Seats: [2]string{"you", "mcts:cap=9"}}, "want mcts"},
		{Setup{Game: "konreh", Seats: [2]string{"you", "mcts:time=20"}}, "10 to 50ms"},
		{Setup{Game: "konreh", Seats: [2]string{"random:x", "random"}}, "no options"},
		{Setup{Game: "konreh", Seats: [2]string{"net:/etc/passwd,sims=1", "you"}}, "want one of"},
		{Setup{Game: "konreh", Hints: "ugi:rm"}, "want one of"},
		{Setup{Game: "konreh", Dice: "hand"}, "nothing is drawn in konreh"},
		{Setup{Game: "knaw", Dice: "mine"}, "want hand"},
		{Setup{Game: "connect4", Moves: strings.Repeat("1 ", 401)}, "at most 400"},
	} {
		if _, err := New(c.s, config()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.s, err, c.want)
		}
	}
}

// holder is a player that holds something.
type holder struct {
	slow
	dismissed *int
	told      *string
}

func (h holder) Think(ctx context.Context, s engine.State, past *engine.History, b match.Bounds) (*match.Analysis, error) {
	start, moves := b.Record()
	*h.told = start + ":" + moves
	return h.slow.Think(ctx, s, past, b)
}

func (h holder) Close() error { *h.dismissed++; return nil }

// TestPlayersAreDismissed when the table ends, and when it cannot be set up; before
// they think they are told how the game came about.
func TestPlayersAreDismissed(t *testing.T) {
	cfg := config()
	dismissed, told := 0, ""
	cfg.New = func(text string, _ engine.Game) (match.Player, error) {
		if text == "random" {
			return nil, errors.New("not today")
		}
		return holder{dismissed: &dismissed, told: &told}, nil
	}
	table, err := New(Setup{Game: "connect4", Seats: [2]string{"slow", "slow"}}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if table.Run(ctx); dismissed != 2 {
		t.Errorf("%d were dismissed, want 2", dismissed)
	}
	table, err = New(Setup{Game: "connect4", Seats: [2]string{"you", "slow"}, Moves: "4 4 3"}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop = context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { table.Run(ctx); close(ended) }()
	until(t, table, "the player thinks", func(v *View) bool { return v.Thinking != "" })
	if stop(); told != ":4 4 3" {
		t.Errorf("the player was told %q", told)
	}
	<-ended
	dismissed = 2
	if _, err := New(Setup{Game: "connect4", Seats: [2]string{"slow", "random"}}, cfg); err == nil || dismissed != 3 {
		t.Errorf("%v, %d were dismissed, want 3", err, dismissed)
	}
}

// TestLongGamesEnd: a game has at most so many decisions.
func TestLongGamesEnd(t *testing.T) {
	cfg := config()
	cfg.MaxSteps = 3
	table, err := New(Setup{Game: "connect4", Moves: "1 2 3"}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if v := table.View(); v.Problem == "" || v.Legal != nil {
		t.Errorf("%+v", v)
	}
	if table.Do(Request{Op: OpAct, Word: "4"}) == nil {
		t.Error("a fourth decision")
	}
	if table, err = New(Setup{Game: "connect4", Moves: "1 2 3", Seats: [2]string{"you", "random"}}, cfg); err != nil {
		t.Fatal(err)
	}
	if v := table.View(); v.Problem == "" {
		t.Errorf("nothing is said where a player is to decide: %+v", v)
	}
	if table, err = New(Setup{Game: "connect4", Moves: "1 2 3", Seats: [2]string{"random", "you"}}, cfg); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go table.Run(ctx)
	do(t, table, Request{Op: OpDraw})
	until(t, table, "the offer is answered", func(v *View) bool { return v.Answer == "declined" })
}

// FuzzRequests sends whatever at a table of two people: nothing panics, and the view
// is always the one of the decisions so far.
func FuzzRequests(f *testing.F) {
	f.Add("konreh", "standard,balance=pie", "", "d1f1", "act swap;act h5f5;takeback;draw;accept;takeback")
	f.Add("tictactoe", "", "", "", "act a1;act a1;resign;takeback;hints on;hint;act b2")
	f.Add("connect4", "", "", "4 4", "draw;act 4;decline;draw;decline;draw;x;act 9")
	f.Add("knaw", "", "", "5", "dice hand;act 9;act herald-a>F1;act 3;resign;takeback;takeback;dice")
	f.Add("konreh", "", "7b/8/3r4/8/2G5/8/8/2B5 A m HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h1,k0 3 10", "c1h1", "act seed;takeback")
	f.Fuzz(func(t *testing.T, game, rules, position, moves, requests string) {
		table, err := New(Setup{Game: game, Rules: rules, Position: position, Moves: moves}, config())
		if err != nil {
			return
		}
		for _, r := range strings.Split(requests, ";") {
			op, word, _ := strings.Cut(r, " ")
			before := table.View()
			if err := table.Do(Request{Op: op, Word: word}); err != nil {
				if v := table.View(); v.Version != before.Version {
					t.Fatalf("%q was refused (%v) and changed the table", r, err)
				}
				continue
			}
			v := table.View()
			s := v.Setup
			again, err := New(s, config())
			if err != nil {
				t.Fatalf("after %q: %v", r, err)
			}
			if w := again.View(); w.Picture.Position != v.Picture.Position {
				t.Fatalf("after %q: %s, again %s", r, v.Picture.Position, w.Picture.Position)
			}
		}
	})
}

// TestDiceOfPeople: the table waits for every roll, of the player's turns too, takes one
// back that was wrong, and rolls again itself after a switch, in the middle of a game too.
func TestDiceOfPeople(t *testing.T) {
	table := sit(t, Setup{Game: "knaw", Seats: [2]string{"you", "random"}, Dice: DiceByHand, Seed: 3})
	rolls := func(v *View) bool { return v.Rolls != nil }
	v := until(t, table, "a roll is to be entered", rolls)
	if v.Asked != "" || v.Legal != nil || len(v.Rolls) != 6 || v.Rolls[5].Word != "6" || v.Picture.Asked != "south rolls a die" || v.Setup.Dice != DiceByHand {
		t.Fatalf("rolls %v, asked %q: %q", v.Rolls, v.Asked, v.Picture.Asked)
	}
	if err := table.Do(Request{Op: OpAct, Word: "7"}); err == nil {
		t.Error("a die of 7 is taken")
	}
	do(t, table, Request{Op: OpAct, Word: "1"})
	do(t, table, Request{Op: OpAct, Word: words(until(t, table, "a person is asked", asked))[0]})
	if v = until(t, table, "a roll is to be entered", rolls); v.Steps != 2 || v.Picture.Asked != "north rolls a die" {
		t.Fatalf("%d steps, asked %q", v.Steps, v.Picture.Asked)
	}
	do(t, table, Request{Op: OpAct, Word: "6"})
	until(t, table, "the next roll is to be entered", rolls)
	do(t, table, Request{Op: OpAct, Word: "2"})
	if v = do(t, table, Request{Op: OpTakeback}); v.Steps != 4 || v.Rolls == nil {
		t.Fatalf("after the roll was taken back: %d steps, rolls %v", v.Steps, v.Rolls)
	}
	do(t, table, Request{Op: OpDice})
	v = until(t, table, "a person is asked", asked)
	if last := v.Log[4]; last.Actor != "chance" || !last.Drawn || v.Log[2].Drawn || v.Rolls != nil || v.Setup.Dice != "" {
		t.Errorf("log %+v: want the last roll alone to be the program's", v.Log)
	}
	if err := table.Do(Request{Op: OpDice, Word: "x"}); err == nil {
		t.Error("dice of x are taken")
	}
	two := sit(t, Setup{Game: "knaw", Dice: DiceByHand, Moves: "1 herald-a>F17"})
	until(t, two, "a roll is to be entered", rolls)
	if v = do(t, two, Request{Op: OpResign}); v.Result == nil || v.Result.Side != "south" {
		t.Errorf("%+v: want north, whose roll it is, to have resigned", v.Result)
	}
}

// TestReviewNamesMistakes: of a game that is over every position is evaluated, and a
// decision that gives the win away is named with what was better.
func TestReviewNamesMistakes(t *testing.T) {
	table := sit(t, Setup{Game: "tictactoe", Moves: "a1 b2 a2 b1 c3 b3", Hints: "exact"})
	do(t, table, Request{Op: OpReview})
	v := until(t, table, "it is reviewed", func(v *View) bool { return v.Review != nil && v.Review.Done == v.Review.Total })
	if r := v.Review; r.Total != 7 || len(r.Values) != 7 || r.Values[4].Value != 1 || r.Values[6].Value != -1 || r.By != "exact" {
		t.Errorf("%+v", r)
	}
	i := slices.IndexFunc(v.Review.Flaws, func(f Flaw) bool { return f.Steps == 4 })
	if i < 0 {
		t.Fatalf("flaws %+v, want one after 4 decisions", v.Review.Flaws)
	}
	if f := v.Review.Flaws[i]; f.Own != "first" || f.Grade != "blunder" || f.Word != "c3" || f.Best != "a3" || f.Before != 1 || f.After != -1 {
		t.Errorf("%+v", f)
	}
	table = sit(t, Setup{Game: "tictactoe", Moves: "a1", Hints: "random"})
	do(t, table, Request{Op: OpReview})
	if v = until(t, table, "it is refused", func(v *View) bool { return v.Review.Problem != "" }); !strings.Contains(v.Review.Problem, "does not evaluate") || v.Problem != "" {
		t.Errorf("%q, %q", v.Review.Problem, v.Problem)
	}
}

// TestExpectationIsExact: what is expected of a roll, when the exact player judges its
// outcomes, is what that player says of the decision to roll, in either player's view.
func TestExpectationIsExact(t *testing.T) {
	g := racegame.New()
	p, err := config().New("exact", g)
	if err != nil {
		t.Fatal(err)
	}
	s, after, h := g.NewState(), g.NewState(), g.NewHistory()
	s.Start(h)
	for range 2 {
		a, err := p.Think(t.Context(), s, h, match.Bounds{Analyze: true})
		if err != nil || len(a.Moves) != 2 {
			t.Fatalf("%+v, %v", a, err)
		}
		for _, m := range a.Moves {
			after.CopyFrom(s)
			after.Apply(m.Action, h)
			x, err := expectation(t.Context(), p, g, after, h, match.Bounds{Analyze: true})
			if want := firstView(s, m.Value); err != nil || !x.Judged || math.Abs(x.Value-want) > 1e-6 {
				t.Errorf("%v to act, action %d: %+v, %v; want %g", s.Actor(), m.Action, x, err, want)
			}
		}
		for _, a := range []engine.Action{racegame.Bold, 2, racegame.Forward} {
			s.Apply(a, h)
		}
	}
}

// TestReviewExpectsRolls: of a game with dice all positions are evaluated, those before
// rolls too.
func TestReviewExpectsRolls(t *testing.T) {
	// South, resolved, waits for the last roll of north, who has no connection to make with a
	// 6 and is far behind: docs/rules-knaw.md, section on resolution.
	const position = "F21,F5,S17,S1,R16,R6 C3,C11,F8,F23,R2,R12 north post-roll resolver=south turn=20"
	table := sit(t, Setup{Game: "knaw", Position: position, Moves: "6", Hints: "mcts:sims=20"})
	do(t, table, Request{Op: OpReview})
	v := until(t, table, "the game is reviewed", func(v *View) bool { return v.Review != nil && v.Review.Done == v.Review.Total })
	if len(v.Review.Values) != v.Steps+1 || v.Review.Values[0].Value != 1 {
		t.Errorf("%+v: want a value of each position, and south to win whatever is rolled", v.Review.Values)
	}
	if l := v.Review.Luck; l == nil || *l != [2]float64{} {
		t.Errorf("luck %v, want none", l)
	}

	// A game on: every roll is worth what the values around it say, to whose turn it is.
	table = sit(t, Setup{Game: "knaw", Rules: "standard,max_turns=20", Moves: "3 fool-b>S12 6 bard-a>F6 1", Hints: "mcts:sims=20"})
	do(t, table, Request{Op: OpReview})
	v = until(t, table, "the game is reviewed", func(v *View) bool { return v.Review != nil && v.Review.Done == v.Review.Total })
	var want [2]float64
	for n, sign := range map[int]float64{0: 1, 2: -1, 4: 1} {
		want[n/2%2] += sign * (v.Review.Values[n+1].Value - v.Review.Values[n].Value)
	}
	if l := v.Review.Luck; l == nil || math.Abs(l[0]-want[0])+math.Abs(l[1]-want[1]) > 1e-3 || want[1] == 0 {
		t.Errorf("luck %v, want %v by the values %+v", l, want, v.Review.Values)
	}
}

// TestReviewFollowsTheGame: what is taken back is forgotten, what is played is evaluated.
func TestReviewFollowsTheGame(t *testing.T) {
	table := sit(t, Setup{Game: "tictactoe", Hints: "exact"})
	do(t, table, Request{Op: OpReview})
	reviewed := func(n int) {
		t.Helper()
		until(t, table, "it is reviewed", func(v *View) bool { return v.Review.Done == n && v.Review.Total == n })
	}
	reviewed(1)
	do(t, table, Request{Op: OpAct, Word: "b2"})
	reviewed(2)
	do(t, table, Request{Op: OpTakeback})
	reviewed(1)
}

// TestAnalysisGoesOn to more simulations than a hint has, and shows the lines of the
// best decisions.
func TestAnalysisGoesOn(t *testing.T) {
	table := sit(t, Setup{Game: "tictactoe", Hints: "mcts:sims=6"})
	visits := func(v *View) (n int) {
		for _, m := range v.Hint.Moves {
			n += m.Visits
		}
		return n
	}
	do(t, table, Request{Op: OpHint})
	if v := until(t, table, "there is a hint", func(v *View) bool { return v.Hint != nil }); visits(v) > 6 {
		t.Errorf("a hint of %d visits, want 6", visits(v))
	}
	do(t, table, Request{Op: OpHints, Word: "on"})
	v := until(t, table, "it goes on", func(v *View) bool { return visits(v) > 40 && v.Thinking == "" })
	if m := v.Hint.Moves[0]; len(m.Line) == 0 || m.Line[0] != m.Word {
		t.Errorf("%+v, want its line", m)
	}
}

// TestAnalysisGoesOnByWhatLimitsIt: whatever counts the search of a hint, an analysis has
// more of it, as far as the offer allows.
func TestAnalysisGoesOnByWhatLimitsIt(t *testing.T) {
	cfg := config()
	cfg.Offers = append(cfg.Offers, Offer{Name: "alphabeta", Limits: []Limit{
		{Option: "nodes", Min: 64, Max: 100_000, Default: 640}, {Option: "time", Unit: "ms", Min: 10, Max: 50, Default: 20},
	}})
	for _, c := range []struct {
		hints, advisor string
		hint, look     int
	}{
		{"mcts:sims=5", "mcts:sims=80", 5, 5},
		{"mcts:time=20ms", "mcts:time=20ms", 0, 0},
		{"alphabeta:nodes=640", "alphabeta:nodes=10240", 640, 640},
		{"alphabeta:nodes=6400", "alphabeta:nodes=100000", 6400, 6400},
		{"minimax:depth=2", "minimax:depth=2", 0, 0},
		{"exact", "exact", 0, 0},
	} {
		table, err := New(Setup{Game: "tictactoe", Hints: c.hints}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		hint, look, deep := table.bounds(&task{kind: advise}), table.bounds(&task{kind: look}), table.bounds(&task{kind: advise, deep: true})
		if table.advisor != c.advisor || hint.Simulations != c.hint || look.Simulations != c.look || deep.Simulations != 0 {
			t.Errorf("%s: %s, hint %d, look %d, analysis %d: want %s, %d, %d and no bound", c.hints, table.advisor, hint.Simulations, look.Simulations, deep.Simulations, c.advisor, c.hint, c.look)
		}
	}
}

// TestPast: the position after each decision is drawn as it was then.
func TestPast(t *testing.T) {
	table := sit(t, Setup{Game: "tictactoe", Moves: "a1 b2 c3"})
	for n, want := range []int{0, 1, 2, 3} {
		p, err := table.At(n)
		if err != nil || p.Steps != n || len(p.Picture.Pieces) != want || len(p.Picture.Marks) != min(n, 1) || p.Boards[0] == "" || p.Discs[1] == "" {
			t.Errorf("after %d: %+v, %v", n, p, err)
		}
	}
	for _, n := range []int{-1, 4} {
		if _, err := table.At(n); err == nil || !strings.Contains(err.Error(), "want 0 to 3") {
			t.Errorf("after %d: %v", n, err)
		}
	}
}
