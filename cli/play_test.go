package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/table"
)

// atTable plays with what a person types, one line each.
func atTable(t testing.TB, typed []string, args ...string) string {
	t.Helper()
	out, errOut, err := call(t, strings.Join(typed, "\n")+"\n", append([]string{"play"}, args...)...)
	if err != nil || errOut != "" {
		t.Fatalf("play %q: %v %s\n%s", args, err, errOut, out)
	}
	return out
}

// contains demands parts of an output in their order.
func contains(t testing.TB, out string, parts ...string) {
	t.Helper()
	rest := out
	for _, p := range parts {
		i := strings.Index(rest, p)
		if i < 0 {
			t.Fatalf("the table does not say %q, or not in this order:\n%s", p, out)
		}
		rest = rest[i+len(p):]
	}
}

// konrehGame is a whole game of a person, who decides at random but likes to
// seed and to plant, against the random player.
func konrehGame(t *testing.T, seed uint64) (s *table.Session, typed []string) {
	t.Helper()
	g := openFamily(t, "konreh")
	spec, err := player.Parse("random", nil)
	if err != nil {
		t.Fatal(err)
	}
	opponent, err := spec.New(g)
	if err != nil {
		t.Fatal(err)
	}
	start := g.NewState()
	start.Start(nil)
	s, err = table.New(t.Context(), g, start, [2]table.Seat{{Name: table.You}, {Name: "random", Player: opponent}}, seed)
	if err != nil {
		t.Fatal(err)
	}
	rng, next := rand.New(rand.NewPCG(seed, 1)), g.NewState()
	for {
		if _, over := s.Result(); over {
			return s, typed
		}
		if s.Asked() == engine.Nobody {
			if _, err := s.Continue(context.Background()); err != nil {
				t.Fatal(err)
			}
			continue
		}
		legal := s.Legal()
		a := legal[rng.IntN(len(legal))]
		for _, x := range legal {
			// "s" asks for a Seed, "p" where a Blue is placed.
			next.CopyFrom(s.State())
			next.Apply(x, nil)
			phase := strings.Fields(string(next.AppendPosition(nil)))[2]
			if word := string(s.State().AppendAction(nil, x)); word == "seed" || phase[0] == 's' || phase[0] == 'p' && phase != "pie" {
				a = x
			}
		}
		step, err := s.Play(a)
		if err != nil {
			t.Fatal(err)
		}
		typed = append(typed, step.Word)
	}
}

// ofYou tells whether a person said word in s.
func ofYou(s *table.Session, words ...string) bool {
	return slices.ContainsFunc(s.Steps(), func(x table.Step) bool {
		return x.Actor == engine.First && slices.Contains(words, x.Word)
	})
}

// TestWholeKonrehGame types a game in which the person seeds and places a Blue,
// and saves it: the table plays the same game, and what was saved replays.
func TestWholeKonrehGame(t *testing.T) {
	seed := uint64(0)
	var s *table.Session
	var typed []string
	for {
		if seed++; seed > 300 {
			t.Fatal("no game with a Seed and a placement")
		}
		s, typed = konrehGame(t, seed)
		if r, _ := s.Result(); r.Winner != engine.Nobody && ofYou(s, "seed") && ofYou(s, "home", "left", "right", "apex") {
			break
		}
	}
	path := filepath.Join(t.TempDir(), "game.txt")
	out := atTable(t, append(typed, "save "+path), "--game", "konreh", "--against", "random", "--seed", fmt.Sprint(seed))
	r, _ := s.Result()
	contains(t, out,
		": seed or noseed: a Green on ", "A seed     [Seed] [Rooted]", "\nB: Blue on ", "; Rooted",
		fmt.Sprintf("wins (%s player, %s) after %d turns: reforge.", r.Winner, s.Seat(r.Winner).Name, s.State().Turn()))
	contains(t, out, "Reforge: ", ": where Blue is reforged: home, left, right or apex.", "[Plant ")
	file := readText(t, path)
	if n := strings.Count(out, "to decide"); n < len(typed)/2 {
		t.Errorf("%d questions for %d decisions", n, len(typed))
	}
	replayed, _, err := call(t, file, "replay", "--jsonl")
	if err != nil || !strings.Contains(replayed, fmt.Sprintf(`"final":%q`, s.State().AppendPosition(nil))) {
		t.Errorf("the saved game replays as %s, %v", replayed, err)
	}
	contains(t, file, `{"game":"konreh","preset":"standard","options":[],"pos":"","moves":"`, fmt.Sprintf(`"seats":["you","random"],"seed":%d}`, seed))
	again := atTable(t, []string{"save " + path}, "--game", "konreh", "--against", "random")
	contains(t, again, "exists")
	if readText(t, path) != file {
		t.Error("a file that exists was written over")
	}
}

// TestSavedGamesAreLoaded with rules, position, players and how they ended, those of the page
// in the browser too.
func TestSavedGamesAreLoaded(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "resigned.json")
	out := atTable(t, []string{"b4b5", "resign", "save " + path}, "--game", "konreh", "--rules", "tutor,reforge_turns=4", "--first", "you", "--second", "random")
	contains(t, out, path+" has the game.")
	file := readText(t, path)
	contains(t, file, `"preset":"tutor","options":["reforge_turns=4"]`, `"ended":{"winner":"second","reason":"resignation"}`)
	again := filepath.Join(dir, "again.json")
	out = atTable(t, []string{"save " + again, "undo", "save " + filepath.Join(dir, "undone.json")}, "--load", path)
	contains(t, out, "konreh, tutor,reforge_turns=4", "second player, B: random", "by resignation", "The game goes on.")
	if text := readText(t, again); text != file {
		t.Errorf("saved again: %s, want %s", text, file)
	}
	if text := readText(t, filepath.Join(dir, "undone.json")); strings.Contains(text, "ended") {
		t.Errorf("after undo: %s", text)
	}
	page := filepath.Join(dir, "page.json")
	writeFile(t, page, `{"game":"tictactoe","preset":"standard","options":[],"pos":"","moves":"a1 b1","seats":["random","you"]}`+"\n")
	contains(t, atTable(t, []string{"quit"}, "--load", page, "--against", "minimax:depth=1"), "first player, x: you", "second player, o: minimax:depth=1", "--moves 'a1 b1'")
	for text, want := range map[string]string{
		"a1 b1": "want a game as one line of JSON", `{"moves":"a1"}`: "with game, preset",
		`{"game":`: "it is not JSON: want a game",
		`{"game":"tictactoe","preset":"standard","moves":"a1","ended":{"winner":"","reason":"resignation"}}`:       "want first, second or nobody",
		`{"game":"tictactoe","preset":"standard","moves":"a1","ended":{"winner":"first","reason":"agreement"}}`:    "want a draw by agreement alone",
		`{"game":"tictactoe","preset":"standard","moves":"a1","ended":{"winner":"first","reason":"fairy dust"}}`:   "or a forfeit",
		`{"game":"tictactoe","preset":"standard","moves":"a1 b1 a2 b2 a3","ended":{"winner":"first","reason":""}}`: "over by its moves",
	} {
		writeFile(t, page, text)
		mustFail(t, 2, []string{"play", "--load", page}, "--load", want)
	}
	mustFail(t, 2, []string{"play", "--load", path, "--moves", "a1"}, "--moves: the file of --load says it")
	mustFail(t, 2, []string{"play", "--load", path, "--lesson", "goal"}, "--load: a lesson has its own")
}

// TestTakebackOverPhases goes back from a Seed to before the slide that led to
// the question; undo goes back to the question alone.
func TestTakebackOverPhases(t *testing.T) {
	const line = "7b/8/8/8/8/8/8/R1B4r A m HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 8"
	g := openFamily(t, "konreh")
	s := g.NewState()
	if err := s.ParsePosition(strings.Replace(line, "R1B4r", "R1B5", 1)); err != nil {
		t.Fatal(err)
	}
	out := atTable(t, []string{"c1h1", "seed", "undo", "position", "noseed", "takeback", "position"},
		"--first", "you", "--second", "random", "--position", string(s.AppendPosition(nil)))
	const asked = " A sh1 "
	contains(t, out, "A c1h1 ", ": seed or noseed: a Green on a8", "A seed  ", "decisions were taken back", ": seed or noseed",
		asked, "A noseed", "decisions were taken back", "to decide (first player)", string(s.AppendPosition(nil)))
	if strings.Contains(out, "unknown word") {
		t.Error(out)
	}
}

// TestSwap changes the seats' sides, and undo changes them back.
func TestSwap(t *testing.T) {
	out := atTable(t, []string{"swap", "undo", "hold"}, "--rules", "standard,balance=pie", "--first", "random", "--second", "you")
	contains(t, out, "first player, A: random\nsecond player, B: you\n", ": hold or swap.",
		"B swap", "The players have changed sides.\nfirst player, B: random\nsecond player, A: you\n",
		"taken back", "first player, A: random\nsecond player, B: you\n", ": hold or swap.", "B hold", "B to decide (second player)")
}

// TestWrongInputIsExplained and changes nothing.
func TestWrongInputIsExplained(t *testing.T) {
	for typed, want := range map[string]string{
		"d1":            `"d1" may be one of d1f1, d1d3`,
		"d1f":           "  1. A d1f1     R onL 2",
		"d1e1":          "not exact: a Red goes exactly 2 steps onward",
		"xyz":           "unknown word; `moves` lists what is possible, `help` the commands",
		"seed":          "not now: this decision asks for",
		"moves please":  `moves stands alone; "please" follows it`,
		"save":          "want save FILE: write the game",
		"save /no/such": "no such file",
		"accept":        "no draw is offered",
		"undo":          "nothing to take back",
		"takeback":      "nothing to take back",
		"hint nonsense": `no kind "nonsense"`,
		"d1f1 h5f5 x":   `"h5f5 x" was not played: it is not you who decides now`,
		"":              "The game is not over.",
		"log":           "The game is not over.",
		"board":         "The game is not over.",
		"moves":         "  c2e2  R onL 2\n",
		"help":          "  hint [PLAYER]      what PLAYER",
		"position":      "A m HD,r0",
		"hint random":   "plays    ",
	} {
		// A move is the last thing typed, and the opponent sits still after it.
		contains(t, atTable(t, []string{typed}, "--first", "you", "--second", "random"), "A to decide", want)
	}
	out := atTable(t, []string{"board"}, "--game", "connect4")
	if strings.Count(out, "1 2 3 4 5 6 7") != 2 {
		t.Errorf("board draws no second board:\n%s", out)
	}
	contains(t, atTable(t, []string{"44x"}, "--game", "connect4", "--first", "you", "--second", "you"), "1. x 4", "2. o 4", `move "x": want a column`)
}

func TestResignAtTheTable(t *testing.T) {
	out := atTable(t, []string{"b2", "resign", "a1", "hint", "moves", "resign", "undo", "position"}, "--game", "tictactoe", "--first", "you", "--second", "you")
	contains(t, out, "The game is over: x wins (first player, you), by resignation, after 1 turn.",
		`"a1": the game is over`, "no person is to decide here", "there are no moves", "no person is to decide here", "The game goes on.", "o to decide", ".../.x./... o")
	if strings.HasSuffix(out, "over\n") || !strings.Contains(out, "--moves b2") {
		t.Errorf("a game that goes on again ends with\n%s", out)
	}
}

// TestDrawOffersAtTheTable are accepted and declined by a player and by people.
func TestDrawOffersAtTheTable(t *testing.T) {
	args := []string{"--game", "tictactoe", "--first", "you", "--second", "exact"}
	contains(t, atTable(t, []string{"draw"}, args...), "The draw is accepted.\n", "The game is over: a draw, by agreement, after 0 turns.\n")
	out := atTable(t, []string{"draw", "draw"}, append(args, "--moves", "b1 b2 a2 a1 b3 c1")...)
	contains(t, out, "The draw is declined.\n", "you have offered a draw in this turn", "The game is not over.")
	out = atTable(t, []string{"draw", "draw", "decline", "b2", "draw", "accept"}, "--game", "tictactoe", "--first", "you", "--second", "you")
	contains(t, out, "x offers a draw: accept or decline.\n", "a draw is offered already", "The draw is declined.\nx to decide",
		"o offers a draw", "The game is over: a draw, by agreement, after 1 turn.\n")
}

// TestEndOfInput prints a command that goes on where the game was left: it is
// run.
func TestEndOfInput(t *testing.T) {
	out := atTable(t, []string{"d1f1", "quit", "d1f1"}, "--rules", "standard,buyback=true", "--against", "minimax:depth=1", "--hints", "random", "--seed", "7")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	n := len(lines)
	if n < 4 || lines[n-4] != "The game is not over. Position:" || lines[n-2] != "This goes on:" {
		t.Fatalf("the table is left with\n%s", out)
	}
	command := words(t, strings.ReplaceAll(lines[n-1], "'", `"`))
	if command[0] != "ludozero" {
		t.Fatal(command)
	}
	again, _, err := call(t, "position\n", command[1:]...)
	if err != nil {
		t.Fatal(err)
	}
	contains(t, again, "konreh, standard,buyback=true\n", "B: minimax:depth=1", "  1. A d1f1 ", "  2. B ", "  2. B ", "A to decide",
		"\n"+strings.TrimSpace(lines[n-3])+"\n", "This goes on:\n"+lines[n-1])
	// From a position, too.
	out = atTable(t, []string{"a1"}, "--game", "tictactoe", "--first", "you", "--second", "you", "--position", ".../.x./... o")
	contains(t, out, "--position '.../.x./... o' --moves a1\n")
	if out := atTable(t, nil, "--game", "tictactoe", "--first", "random", "--second", "exact"); !strings.Contains(out, "The game is over: ") {
		t.Errorf("two players play\n%s", out)
	}
}

// TestHints are of the opponent, of --hints or of any player, and change nothing
// in the game.
func TestHints(t *testing.T) {
	args := []string{"--game", "connect4", "--against", "mcts:sims=50"}
	plain := atTable(t, []string{"4", "4", "log"}, args...)
	hinted := atTable(t, []string{"hint", "4", "hint random", "hint", "4", "log"}, args...)
	log := func(out string) (moves []string) {
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "  ") && line[3:5] == ". " {
				moves = append(moves, line)
			}
		}
		return moves
	}
	if a, b := log(plain), log(hinted); len(a) != 8 || !slices.Equal(a, b) {
		t.Errorf("with hints the game is\n%swithout\n%s", b, a)
	}
	contains(t, hinted, "mcts:sims=50\nplays    ", "\nvalue    ", "\nexpects  ", "move  policy  visits   value", "random\nplays    ")
	contains(t, atTable(t, []string{"hint"}, "--game", "tictactoe", "--first", "you", "--second", "you", "--hints", "exact"), "exact\nplays    ", "solved")
}

func TestSeatsOfPlay(t *testing.T) {
	for args, want := range map[string]string{
		"":                                    "first player, x: you\nsecond player, o: mcts:sims=1000,cap=600\n",
		"--against random":                    "first player, x: you\nsecond player, o: random\n",
		"--second you --against random":       "first player, x: random\nsecond player, o: you\n",
		"--first you --against random":        "first player, x: you\nsecond player, o: random\n",
		"--first random":                      "first player, x: random\nsecond player, o: you\n",
		"--first random --second exact":       "first player, x: random\nsecond player, o: exact\n",
		"--first you --second you":            "first player, x: you\nsecond player, o: you\n",
		"--first exact --second you --seed 4": "first player, x: exact\nsecond player, o: you\n",
	} {
		contains(t, atTable(t, nil, append([]string{"--game", "tictactoe"}, strings.Fields(args)...)...), want)
	}
}

// TestInterruptAtTheTable leaves it with the position and the command.
func TestInterruptAtTheTable(t *testing.T) {
	for name, args := range map[string][]string{
		"a person is asked": {"--first", "you", "--second", "you"},
		"a player thinks":   {"--first", "mcts:time=1h", "--second", "you"},
	} {
		c := command(nil, append([]string{"play", "--game", "connect4", "--moves", "44"}, args...)...)
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		watch := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
		r := bufio.NewReader(out)
		for said := ""; !strings.Contains(said, "`help` lists"); {
			line, err := r.ReadString('\n')
			if err != nil {
				t.Fatalf("%s: %v after\n%s", name, err, said)
			}
			said += line
		}
		time.Sleep(50 * time.Millisecond)
		if err := c.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		rest, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		err = c.Wait()
		watch.Stop()
		in.Close()
		if err == nil || c.ProcessState.ExitCode() != 1 {
			t.Errorf("%s: %v, want exit code 1", name, err)
		}
		contains(t, string(rest), "Position:\n  ......./......./......./......./...o.../...x... x\n", "--moves '4 4'\n")
	}
}

// TestPlayTeaches: a lesson is played at the table, a missed goal is tried again, and the
// page of rules can be read there.
func TestPlayTeaches(t *testing.T) {
	if out, _, err := call(t, "", "play", "--lesson", "list"); err != nil || !strings.Contains(out, "displacement  Capture Blue           Capture the enemy Blue.\n") {
		t.Errorf("%v\n%s", err, out)
	}
	contains(t, atTable(t, []string{"e3*e2", "c1e1", "hint", "takeback", "rules crown", "e3*f3", "board"}, "--lesson", "displacement"),
		"konreh, tutor", "The goal: Capture the enemy Blue.", "The goal is missed. `takeback` tries again", "the lesson is over: `takeback`", "stands on f3, next to yours",
		"decisions were taken back", "Crown Stagger: becoming Rooted", "Done: the goal is reached.\nThe next lesson:\n  ludozero play --game konreh --lesson hop\n")
	contains(t, atTable(t, []string{"draw", "e3*f3"}, "--lesson", "displacement"), "a lesson ends with its goal", "Done: the goal is reached.")
	contains(t, atTable(t, []string{"44"}, "--game", "connect4", "--against", "random"), `"4" was not played: it is not you who decides now`)
	contains(t, atTable(t, []string{"a1"}, "--game", "tictactoe", "--first", "you", "--second", "you", "--against", "minimax:depth=1"), "This goes on:\n", "--hints minimax:depth=1")
	contains(t, mustCall(t, "show", "--game", "tictactoe", "--moves", "a1 b1 c1 a2 c2 b2 a3 c3 b3"), "over: full, a draw, 9 turns")
	contains(t, mustCall(t, "show", "--game", "knaw", "--moves", "3"), "chance 3")
	contains(t, atTable(t, []string{"6", "3", "4"}, "--game", "connect4", "--lesson", "game"), "This goes on:\n  ludozero play --game connect4 --lesson game --moves '6 7 3")
	contains(t, atTable(t, []string{"quit"}, "--rules", "tutor", "--against", "easy"), "second player, B: minimax:depth=1")
	for words, want := range map[string]string{
		"--lesson nothing":             `no lesson "nothing": --lesson list lists them`,
		"--lesson hop --rules letter":  "--rules: a lesson has its own",
		"--lesson hop --game trictrac": "trictrac",
	} {
		if _, _, err := call(t, "", append([]string{"play"}, strings.Fields(words)...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", words, err, want)
		}
	}
}

// TestRulesExplain prints the page of rules, or a part of it.
func TestRulesExplain(t *testing.T) {
	for words, want := range map[string]string{
		"--page":                   "Capture the enemy Blue and keep it from coming back.",
		"--section seed_limit":     "seed_limit\n----------\n\nHow many seeds",
		"--section glossary":       "Hop",
		"--section end --rules no": "loses",
		"--page --game tictactoe":  "Tic-tac-toe\n===========\n",
	} {
		if out, _, err := call(t, "", append([]string{"rules"}, strings.Fields(words)...)...); err != nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v\n%.300s", words, err, out)
		}
	}
	if _, _, err := call(t, "", "rules", "--section", "chess"); err == nil || !strings.Contains(err.Error(), `no section "chess": want one of goal, board`) {
		t.Error(err)
	}
}

// TestOpponentsPlay: the opponents of guides are players of their games, under the rules
// that they were measured by.
func TestOpponentsPlay(t *testing.T) {
	env := builtinEnv()
	for name, about := range env.Guides {
		for _, o := range about.Opponents {
			g, err := env.Families.Open(name, o.Rules)
			if err != nil {
				t.Fatal(err)
			}
			spec, err := env.Players.Parse(o.Player)
			if err != nil || spec.ByClock || spec.ByTime || spec.Text != o.Player && !strings.HasPrefix(spec.Text, o.Player+",") {
				t.Errorf("%s, %s: %v, %+v", name, o.Name, err, spec)
				continue
			}
			p, err := spec.New(g)
			if err != nil {
				t.Errorf("%s, %s: %v", name, o.Name, err)
				continue
			}
			match.Dismiss(p)
		}
	}
}

// TestDiceAreTyped: of a game at a real board, the player's rolls too, with what goes on
// from there.
func TestDiceAreTyped(t *testing.T) {
	out := atTable(t, []string{"2", "undo", "1", "herald-a>F17", "hint", "3", "dice program", "dice yours", "quit"}, "--game", "knaw", "--against", "random", "--dice", "hand", "--seed", "3")
	contains(t, out, "Enter the dice, one of 1 2 3 4 5 6: south rolls a die.", "a move of 2", "1 decision was taken back.", "a move of 1",
		"one of 1 2 3 4 5 6: north rolls a die.", "no person is to decide here", "chance 3", "The program rolls the dice from here on.", "chance",
		`dice "yours": want program or hand`, "--moves '1 herald-a>F17 3 ")
	if strings.Contains(out, "--dice") {
		t.Errorf("the command that goes on has dice by hand, after they were switched off:\n%s", out)
	}
	out = atTable(t, []string{"5"}, "--game", "knaw", "--first", "you", "--second", "you", "--dice", "hand")
	contains(t, out, "--dice hand --moves 5")
	// What was saved goes on with the same dice, and a > is one in the file.
	path := filepath.Join(t.TempDir(), "game.json")
	atTable(t, []string{"herald-a>F17", "save " + path}, "--game", "knaw", "--against", "random", "--seed", "3", "--moves", "1")
	contains(t, readText(t, path), "herald-a>", `"seed":3`)
	out = atTable(t, []string{"quit"}, "--load", path)
	if rest := out[strings.Index(out, "This goes on:"):]; !strings.Contains(rest, "--seed 3") {
		t.Errorf("a game that was played with another seed: %s", rest)
	}
	contains(t, atTable(t, []string{"quit"}, "--load", path, "--seed", "7"), "--seed 7")
	contains(t, atTable(t, []string{"draw", "dice", "resign"}, "--game", "knaw", "--against", "random", "--dice", "hand"),
		"enter the dice first", "want dice hand|program", "The game is over: north wins (second player, random), by resignation, after 0 turns.")
	if _, errOut, err := call(t, "", "play", "--game", "konreh", "--dice", "hand"); err == nil || !strings.Contains(errOut+err.Error(), "nothing is drawn in konreh") {
		t.Errorf("dice of konreh: %v %s", err, errOut)
	}
}
