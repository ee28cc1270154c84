package lab

import (
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/match"
)

// storedGame is a game with its moves.
type storedGame struct {
	Game
	moves string
}

// stored reads the games of testdata/tictactoe.txt, two to a pair, by player, with curves by
// minimax: 1000 games of each of two players with themselves,
//
//	ludozero lab --game tictactoe --players random --players mcts:sims=30 --games 1000 --seed 20
func stored(t *testing.T) (players []string, pairs map[string][][2]storedGame) {
	t.Helper()
	data, err := os.ReadFile("testdata/tictactoe.txt")
	if err != nil {
		t.Fatal(err)
	}
	g, err := tictactoe.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	pairs = map[string][][2]storedGame{}
	known := map[uint64]float64{}
	r := NewReader(g)
	var half *storedGame
	for line := range strings.Lines(string(data)) {
		player, word, _ := strings.Cut(strings.TrimSpace(line), "\t")
		s, m, c := g.NewState(), match.Game{Number: 1, Pair: 1, AFirst: true}, &Curve{}
		s.Start(nil)
		for at := 0; at < len(word); at += 2 {
			v := solve(s, known)
			c.Values = append(c.Values, v)
			list := s.Legal(nil, nil)
			next := g.NewState() // at every turn, since no random numbers belong to the file
			for _, a := range list {
				next.CopyFrom(s)
				next.Apply(a, nil)
				c.Stakes = append(c.Stakes, math.Abs(v-solve(next, known))/2)
			}
			a, err := s.ParseAction(word[at:at+2], nil)
			if err != nil {
				t.Fatal(err)
			}
			s.Apply(a, nil)
			m.Moves += word[at:at+2] + " "
		}
		m.Turns, m.Reason, m.Points = s.Turn(), s.Outcome().Reason, match.Points(s.Outcome(), true)
		c.Values = append(c.Values, float64(s.Outcome().Value(engine.First)))
		read, err := r.Read(&m)
		if err != nil {
			t.Fatal(err)
		}
		read.Curve = c
		one := storedGame{read, word}
		if half == nil {
			half = &one
			continue
		}
		if pairs[player] == nil {
			players = append(players, player)
		}
		pairs[player] = append(pairs[player], [2]storedGame{*half, one})
		half = nil
	}
	return players, pairs
}

// drawn makes a cell of pairs, of which the first games are judged.
func drawn(pairs [][2]storedGame, side, player, judged int) Cell {
	c := Cell{Side: side, Player: player}
	seen := map[string]bool{}
	for i, pair := range pairs {
		for _, g := range pair {
			g.Pair = i + 1
			g.Repeats = seen[g.moves]
			seen[g.moves] = true
			if len(c.Games) >= judged {
				g.Curve = nil
			}
			c.Games = append(c.Games, g.Game)
		}
	}
	return c
}

// A ruleset against its own copy: stored games of tic-tac-toe are divided at random into two
// sides. At most 5 % of the sheets may claim any difference; 17 of 200 are more than that with
// a probability of 1.6 % if it is exactly 5 %.
func TestCopiesDoNotDiffer(t *testing.T) {
	players, pairs := stored(t)
	const sheets, size, judged = 200, 100, 80
	rng := rand.New(rand.NewPCG(5, 9))
	alarms, tests, below := 0, 0, 0
	for range sheets {
		in := &Input{Game: "tictactoe", Rules: []string{"standard", "copy"}, Players: players, Config: DefaultConfig()}
		var sides [2][]Cell
		for k, player := range players {
			all := pairs[player]
			rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			for side := range sides {
				sides[side] = append(sides[side], drawn(all[side*size:(side+1)*size], side, k, judged))
			}
		}
		in.Cells = append(sides[0], sides[1]...)
		r := Build(in)
		alarm := false
		for i := range r.Strengths {
			for _, d := range r.Strengths[i].Differences {
				alarm = alarm || d.Found
				tests++
				if d.P <= 0.05 {
					below++
				}
			}
		}
		if alarm {
			alarms++
		}
	}
	t.Logf("%d of %d sheets claim a difference; p is at most 5 %% in %.1f %% of %d tests", alarms, sheets, 100*float64(below)/float64(tests), tests)
	if alarms > 17 {
		t.Errorf("%d of %d sheets claim a difference where there is none, want at most 17", alarms, sheets)
	}
	// Tests that never call anything out would pass above: by themselves they have to be
	// near 5 %.
	if share := float64(below) / float64(tests); share < 0.02 || share > 0.06 {
		t.Errorf("%.1f %% of the tests by themselves are below 5 %%", 100*share)
	}
	// And what differs is found: the games of one player as those of the other's.
	in := &Input{Game: "tictactoe", Rules: []string{"standard", "other"}, Players: players[:1], Config: DefaultConfig()}
	in.Cells = []Cell{drawn(pairs[players[0]][:size], 0, 0, judged), drawn(pairs[players[1]][:size], 1, 0, judged)}
	found := map[string]bool{}
	for _, d := range Build(in).Strengths[0].Differences {
		found[d.Measure] = d.Found
	}
	for _, id := range []string{"turns", "decisions", "board"} {
		if !found[id] {
			t.Errorf("%s of random games and of good ones is not found to differ", id)
		}
	}
}
