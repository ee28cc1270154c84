package ugi

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/player"
)

// TestSearchMoves: a search chooses among the moves that it is told, of every kind of
// player that can be limited; others refuse.
func TestSearchMoves(t *testing.T) {
	var made []match.Player
	kinds := map[string]Config{
		"alphabeta": configure(t, "connect4", "", "alphabeta:depth=3"),
		"mcts":      configure(t, "connect4", "", "mcts:sims=50"),
		"timed":     configure(t, "connect4", "", "mcts:time=clock"),
		"net":       threaded(t, "net:x,sims=40", &made),
		"net timed": threaded(t, "net:x,time=clock", &made),
	}
	for name, cfg := range kinds {
		moves := []string{"1", "7"}
		if cfg.Game.Info().Name == "konreh" {
			moves = []string{"d1f1", "a4c4"}
		}
		for words, want := range map[string][]string{
			"searchmoves " + strings.Join(moves, " ") + " nodes 60": moves,
			"nodes 60 searchmoves " + moves[1] + " " + moves[1]:     moves[1:],
			"searchmoves " + moves[0] + " nodes 60 depth 1 ponder":  moves[:1],
		} {
			if !strings.HasPrefix(name, "alpha") {
				words = strings.Replace(words, "depth 1 ", "", 1)
			}
			e := talk(t, cfg)
			e.say("setoption name MultiPV value 9", "setoption name VerboseMoveStats value true", "go "+words)
			said := e.hear("bestmove")
			if got := strings.TrimPrefix(said[len(said)-1], "bestmove "); !slices.Contains(want, got) {
				t.Errorf("%s, go %s: %q", name, words, said)
			}
			if !strings.Contains(strings.Join(said, " "), " score cp ") {
				t.Errorf("%s, go %s: %q, want a score", name, words, said)
			}
			for _, line := range said {
				if word, ok := strings.CutPrefix(line, "info string move "); ok && !slices.Contains(want, strings.Fields(word)[0]) {
					t.Errorf("%s, go %s: %q", name, words, line)
				}
				if _, pv, ok := strings.Cut(line, " pv "); ok && !slices.Contains(want, strings.Fields(pv)[0]) {
					t.Errorf("%s, go %s: %q", name, words, line)
				}
			}
		}
	}
	for asked, want := range map[string]string{
		"go searchmoves":           "searchmoves has no moves",
		"go searchmoves nodes 5":   "searchmoves has no moves",
		"go searchmoves 9 nodes 5": `searchmoves: move "9"`,
	} {
		e := talk(t, kinds["mcts"])
		e.say(asked)
		if said := e.hear("bestmove"); !strings.Contains(said[0], want) || said[1] != "bestmove (none)" {
			t.Errorf("%s: %q, want %q", asked, said, want)
		}
	}
	e := talk(t, configure(t, "connect4", "", "random"))
	e.say("go searchmoves 1")
	if said := e.hear("bestmove"); !strings.Contains(said[0], "this player considers all moves") {
		t.Errorf("%q", said)
	}
}

// TestUnknownWordsOfGo are ignored with a note, and the rest counts.
func TestUnknownWordsOfGo(t *testing.T) {
	said := all(t, configure(t, "connect4", "", "mcts:time=clock"), "go mate 3 nodes 33 ponder searchmoves 2 5 movetime 60000")
	if !strings.HasPrefix(said[0], "info string go: ignored mate 3 ponder: the words are p1time, ") || !strings.Contains(said[1], " nodes 33 ") {
		t.Errorf("%q", said)
	}
}

// TestQuit: a search that has a limit comes to its end, another is stopped; a second
// quit, or stop, ends the first, too. What follows is not obeyed.
func TestQuit(t *testing.T) {
	cfg := configure(t, "connect4", "", "mcts:time=clock")
	said := all(t, cfg, "go nodes 3000", "quit", "isready", "query p1turn")
	if last := said[len(said)-2:]; !strings.Contains(last[0], " nodes 3000 ") || !strings.HasPrefix(last[1], "bestmove ") {
		t.Errorf("%q", said)
	}
	for _, lines := range [][]string{{"go infinite", "quit"}, {"go movetime 3600000", "quit", "stop"}, {"go movetime 3600000", "quit", "quit"}, {"quit"}} {
		e := talk(t, cfg)
		e.say(lines...)
		if lines[0] != "quit" {
			e.hear("bestmove ")
		}
		if err := <-e.ended; err != nil {
			t.Errorf("%q: %v", lines, err)
		}
	}
}

// TestStatistics: win, draw and loss add up to a thousand and agree with the value; each
// move has a line, whose visits add up to those of the search.
func TestStatistics(t *testing.T) {
	var made []match.Player
	said := all(t, threaded(t, "net:x,time=clock", &made), "setoption name ShowWDL value true", "setoption name VerboseMoveStats value true",
		"position startpos moves d1f1", "query legal", "go nodes 200")
	legal := len(strings.Fields(strings.TrimPrefix(said[0], "response")))
	moves, visits, prior := 0, 0, 0.0
	for _, line := range said {
		var word string
		var n int
		var share, p float64
		if _, err := fmt.Sscanf(line, "info string move %s visits %d share %f %% prior %f %%", &word, &n, &share, &p); err == nil {
			moves, visits, prior = moves+1, visits+n, prior+p
		}
		if words := strings.Fields(line); slices.Contains(words, "wdl") {
			i := slices.Index(words, "wdl")
			w, _ := strconv.Atoi(words[i+1])
			d, _ := strconv.Atoi(words[i+2])
			l, _ := strconv.Atoi(words[i+3])
			cp, _ := strconv.Atoi(words[slices.Index(words, "cp")+1])
			if w+d+l != 1000 || d < 200 || d > 400 || max(w-l-10*cp, 10*cp-w+l) > 11 { // the network says a third each
				t.Errorf("%s", line)
			}
			moves += 1000
		}
	}
	if moves != 1000+legal || visits != 199 || prior < 99 || prior > 101 {
		t.Errorf("%d moves of %d, %d visits, priors %.1f: %q", moves, legal, visits, prior, said)
	}
	if said := all(t, configure(t, "connect4", "", "alphabeta:depth=1"), "setoption name ShowWDL value true", "go"); strings.Contains(strings.Join(said, " "), "wdl") {
		t.Errorf("a lead has draws: %q", said)
	}
}

// TestScoresAreOfMoves: the score of a line is the value of its move, for the first line
// too, as the statistics of the move have it.
func TestScoresAreOfMoves(t *testing.T) {
	for _, text := range []string{"mcts:time=clock", "alphabeta:time=clock"} {
		said := all(t, configure(t, "connect4", "", text), "setoption name MultiPV value 3", "setoption name VerboseMoveStats value true", "position startpos moves 4 4", "go nodes 300")
		values, lines := map[string]int{}, 0
		for _, line := range said {
			words := strings.Fields(line)
			after := func(word string) string { return append(words, "", "")[slices.Index(words, word)+1] }
			switch {
			case strings.HasPrefix(line, "info string move") && slices.Contains(words, "value"):
				v, err := strconv.ParseFloat(after("value"), 64)
				if err != nil {
					t.Fatal(err)
				}
				values[words[3]] = int(math.Round(100 * v))
				if counts := slices.Contains(words, "visits"); counts != strings.HasPrefix(text, "mcts") {
					t.Errorf("%s: %s: visits: %v", text, line, counts)
				}
			case slices.Contains(words, "multipv"):
				lines++
				if want, ok := values[after("pv")]; !ok || after("cp") != strconv.Itoa(want) {
					t.Errorf("%s: %s, want score cp %d", text, line, want)
				}
			}
		}
		if lines < 3 {
			t.Errorf("%s: %d lines: %q", text, lines, said)
		}
	}
}

// TestHashAndPrecision: both make the player anew by its description with other options,
// in the middle of a game, and refuse what it does not have.
func TestHashAndPrecision(t *testing.T) {
	var opened []precision.Precision
	spec, err := player.Parse("net:x,time=clock", map[string]player.Kind{"net": player.NetKind(func(_ string, p precision.Precision, _ int, _ engine.Game) (*player.Opened, error) {
		opened = append(opened, p)
		return &player.Opened{New: func() (mcts.Network, error) { return level{}, nil }}, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	cfg := configure(t, "konreh", "", "random")
	cfg.Player = func(engine.Game, Choice) (*player.Spec, string, error) { return spec, "", nil }
	e := talk(t, cfg)
	e.say("ugi")
	listed := strings.Join(e.hear("ugiok"), "\n")
	for _, want := range []string{"option name Hash type spin default 1024 min 1 max 4096\n", "option name Precision type combo default auto var auto var f32 var int8"} {
		if !strings.Contains(listed, want) {
			t.Errorf("no %q in %s", want, listed)
		}
	}
	e.say("position startpos moves d1f1", "setoption name precision value INT8", "setoption name Hash value 1", "setoption name Precision value f16", "query islegal d1f1")
	if said := e.answer("info string error:"); !strings.Contains(said, `Precision "f16": want one of auto, f32, int8`) {
		t.Errorf("%s", said)
	}
	if got := e.answer("response"); got != "false" {
		t.Errorf("the position is forgotten")
	}
	if last := opened[len(opened)-1]; last != precision.Int8 || len(opened) != 3 {
		t.Errorf("opened as %v, want int8 last of 3", opened)
	}
	e.say("go nodes 20000")
	if said := e.hear("bestmove"); !strings.Contains(strings.Join(said, "\n"), "the tree has no room left") {
		t.Errorf("a tree of 1 MiB: %q", said)
	}
	said := all(t, configure(t, "connect4", "", "alphabeta:depth=2"), "ugi", "setoption name Hash value 32", "setoption name Precision value int8", "go")
	if text := strings.Join(said, "\n"); !strings.Contains(text, "option name Hash type spin default 8 min 1 max 4096") || strings.Count(text, "error") != 1 || !strings.Contains(text, "Precision: this player has no network") {
		t.Errorf("%s", text)
	}
}
