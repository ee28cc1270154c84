package foreign

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/ugi"
)

// beEngine makes the test binary an engine: an honest one, or one with a fault.
const beEngine = "TEST_BE_ENGINE"

func TestMain(m *testing.M) {
	if kind := os.Getenv(beEngine); kind != "" {
		be(kind)
		return
	}
	os.Exit(m.Run())
}

// be plays Connect Four, or as "dice" kn@w, over standard input and output. After the
// second bestmove faulty engines do what they are called.
func be(kind string) {
	game, text := "connect4", "mcts:sims=20"
	if kind == "dice" {
		game, text = "knaw", "alphabeta:depth=1"
	}
	f, _ := games.All().ByName(game)
	g, _ := f.Parse("")
	if kind == "deep" {
		text = "mcts:time=clock"
	}
	spec, _ := player.Parse(text, nil)
	out := os.Stdout
	if kind == "mute" {
		time.Sleep(time.Hour)
	}
	if kind == "parent" { // of one that holds its output and never ends
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), beEngine+"=mute")
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
		fmt.Fprintln(os.Stderr, "child", child.Process.Pid)
	}
	if kind == "chatty" {
		fmt.Fprint(os.Stderr, strings.Repeat("nonsense ", 100_000), "the end")
	}
	if !slices.Contains([]string{"honest", "deep", "chatty", "parent", "dice"}, kind) {
		r, w, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		go filter(kind, r)
		out = w
	}
	err := ugi.Serve(context.Background(), ugi.Config{
		Name: "engine " + kind, Author: "tests", Game: g, Parse: f.Parse,
		Player: func(engine.Game, ugi.Choice) (*player.Spec, string, error) { return spec, "", nil },
	}, os.Stdin, out)
	if err != nil {
		panic(err)
	}
	if kind == "stubborn" {
		time.Sleep(time.Hour)
	}
	out.Close()
	time.Sleep(100 * time.Millisecond) // filter ends
}

// filter hands on what an engine says, with a fault.
func filter(kind string, r *os.File) {
	moves := 0
	for s := bufio.NewScanner(r); s.Scan(); {
		line := s.Text()
		if strings.HasPrefix(line, "bestmove") {
			if moves++; moves > 2 {
				switch kind {
				case "crash":
					fmt.Fprintln(os.Stderr, "out of luck")
					os.Exit(3)
				case "illegal":
					line = "bestmove 9"
				case "silent":
					continue
				case "empty":
					line = "bestmove"
				}
			}
			if kind == "slow" {
				time.Sleep(300 * time.Millisecond)
			}
		}
		fmt.Println(line)
	}
}

// described is a player of a description, whose program is the test binary.
func described(t *testing.T, game, text string) (*player.Spec, engine.Game) {
	t.Helper()
	f, err := games.All().ByName(game)
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	spec, err := player.Parse(text, map[string]player.Kind{"ugi": Kind(&Programs{})})
	if err != nil {
		t.Fatal(err)
	}
	return spec, g
}

func engineOf(t *testing.T, kind, options string) (*player.Spec, engine.Game) {
	t.Helper()
	t.Setenv(beEngine, kind)
	return described(t, "connect4", `ugi:"`+os.Args[0]+`",`+options)
}

// series plays pairs between an engine and a random player.
func series(t *testing.T, spec *player.Spec, g engine.Game, pairs int, clock match.TimeControl) ([]match.Game, error) {
	t.Helper()
	other, err := player.Parse("random", nil)
	if err != nil {
		t.Fatal(err)
	}
	openings, err := match.RandomOpenings(t.Context(), g, pairs, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	cfg := match.DefaultConfig()
	cfg.Pairs, cfg.Workers, cfg.Clock = pairs, 2, clock.String()
	s := seriesOf(t, cfg, g, spec.Contestant(g), other.Contestant(g), openings)
	return s.Run(t.Context(), nil, match.Hooks{})
}

func TestEngineWinsItsGames(t *testing.T) {
	spec, g := engineOf(t, "honest", "nodes=20")
	games, err := series(t, spec, g, 3, match.TimeControl{})
	if err != nil || len(games) != 6 {
		t.Fatalf("%d games, %v", len(games), err)
	}
	points := 0.0
	for _, g := range games {
		points += g.Points
		if g.Note != "" || match.IsForfeit(g.Reason) {
			t.Errorf("game %+v", g)
		}
	}
	if points < 4 {
		t.Errorf("%g points of 6 against random", points)
	}
	// The same seed plays the same games: the program is told it.
	again, err := series(t, spec, g, 3, match.TimeControl{})
	for i := range games {
		if err != nil || again[i].Moves != games[i].Moves {
			t.Errorf("game %d: %s and %s, %v", i+1, games[i].Moves, again[i].Moves, err)
		}
	}
	if id, err := spec.Identity(); err != nil || id != "program engine honest" {
		t.Errorf("identity %q, %v", id, err)
	}
}

// TestEnginePlaysWithDice that this side rolls and tells it, the same in both games of a
// pair, from the start and from position lines.
func TestEnginePlaysWithDice(t *testing.T) {
	t.Setenv(beEngine, "dice")
	spec, _ := described(t, "knaw", `ugi:"`+os.Args[0]+`",depth=1`)
	f, err := games.All().ByName("knaw")
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Parse("standard,max_turns=50")
	if err != nil {
		t.Fatal(err)
	}
	var first []match.Game
	for range 2 {
		played, err := series(t, spec, g, 2, match.TimeControl{})
		if err != nil || len(played) != 4 {
			t.Fatalf("%d games, %v", len(played), err)
		}
		if first == nil {
			first = played
		}
		for i := range played {
			if played[i].Moves != first[i].Moves {
				t.Errorf("game %d is another when played again", i+1)
			}
		}
		won := 0.0
		for _, x := range played {
			if won += x.Points; x.Note != "" || match.IsForfeit(x.Reason) || !strings.Contains(x.Moves, ">") {
				t.Errorf("game %+v", x)
			}
		}
		if won < 3 {
			t.Errorf("%g points of 4 against random", won)
		}
	}
	p, err := spec.New(g)
	if err != nil {
		t.Fatal(err)
	}
	defer match.Dismiss(p)
	s := g.NewState()
	if err := s.ParsePosition("F20,F12,R12,R8,R11,R9 F4,F28,R2,R18,R1,R19 south move dice=3"); err != nil {
		t.Fatal(err)
	}
	if err := p.NewGame(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	a, err := choose(t.Context(), p, s, nil)
	if err != nil || !slices.Contains(s.Legal(nil, nil), a) {
		t.Errorf("from a position line: %d, %v", a, err)
	}
	s.Start(nil)
	if _, err := choose(t.Context(), p, s, nil); !errors.Is(err, player.ErrNoDecision) {
		t.Errorf("asked where chance decides: %v", err)
	}
}

// TestFaultsLoseGames holds what an engine does wrong to a loss by a reason of its
// own, and a program that does it in every game to an error that says all about it.
func TestFaultsLoseGames(t *testing.T) {
	for kind, want := range map[string][2]string{
		"crash":   {match.ForfeitCrash, "out of luck"},
		"illegal": {match.ForfeitIllegal, `bestmove "9" in `},
		"empty":   {match.ForfeitIllegal, `bestmove "" in `},
		"silent":  {match.ForfeitSilence, "no bestmove within 300ms"},
	} {
		t.Run(kind, func(t *testing.T) {
			limits := "nodes=20"
			if kind == "silent" { // the others answer, if late beside other work
				limits += ",timeout=300ms"
			}
			spec, g := engineOf(t, kind, limits)
			p, err := spec.New(g)
			if err != nil {
				t.Fatal(err)
			}
			defer match.Dismiss(p)
			for game := 1; game <= mostFailures+1; game++ {
				p.NewGame(t.Context(), uint64(game))
				s, h := g.NewState(), g.NewHistory()
				s.Start(h)
				for err = nil; err == nil; {
					var a engine.Action
					if a, err = choose(t.Context(), p, s, h); err == nil {
						s.Apply(a, h)
					}
				}
				if n := s.Turn(); n != 2 { // each process errs at its third move
					t.Errorf("game %d: %d moves: want a process of its own", game, n)
				}
				var f *match.Forfeit
				switch forfeit := errors.As(err, &f); {
				case forfeit != (game <= mostFailures), forfeit && f.Reason != want[0]:
					t.Errorf("game %d: %v, want %s", game, err, want[0])
				case !strings.Contains(err.Error(), want[1]), kind == "crash" && !strings.Contains(err.Error(), "exit status 3"):
					t.Errorf("game %d: %v, want it to say %q", game, err, want[1])
				}
			}
		})
	}
}

// TestEngineIsToldOfItsGameAgain: at a table a game that was lost is taken back, and the
// engine that has gone is begun anew with the game and the seed that it had.
func TestEngineIsToldOfItsGameAgain(t *testing.T) {
	spec, g := engineOf(t, "crash", "nodes=20")
	p, err := spec.New(g)
	if err != nil {
		t.Fatal(err)
	}
	defer match.Dismiss(p)
	p.NewGame(t.Context(), 7)
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	for err = nil; err == nil; { // to its third answer
		_, err = choose(t.Context(), p, s, h)
	}
	f := p.(*foreign)
	if !f.failed || f.seed != 7 || !f.ChoiceOnly() {
		t.Fatalf("%v, %+v", err, f)
	}
	if a, err := choose(t.Context(), p, s, h); err != nil || !slices.Contains(s.Legal(nil, h), a) {
		t.Errorf("asked again it answers %d, %v", a, err)
	}
}

func TestForfeitIsAResult(t *testing.T) {
	spec, g := engineOf(t, "illegal", "nodes=20")
	games, err := series(t, spec, g, 1, match.TimeControl{})
	if err != nil || len(games) != 2 {
		t.Fatalf("%d games, %v", len(games), err)
	}
	for _, g := range games {
		if g.Points != 0 || g.Reason != match.ForfeitIllegal || !strings.Contains(g.Note, `bestmove "9"`) {
			t.Errorf("%+v", g)
		}
	}
}

func TestClocksAreTold(t *testing.T) {
	spec, g := engineOf(t, "honest", "time=clock")
	if !spec.ByClock {
		t.Error("it does not think by the clock")
	}
	control := match.TimeControl{Base: 10 * time.Second, Increment: 10 * time.Millisecond}
	games, err := series(t, spec, g, 1, control)
	if err != nil || len(games) != 2 || games[0].AEffort == nil || games[0].AEffort.Simulations == 0 {
		t.Fatalf("%+v, %v", games, err)
	}
	slow, g := engineOf(t, "slow", "time=clock")
	games, err = series(t, slow, g, 1, match.TimeControl{Base: 200 * time.Millisecond})
	if err != nil || len(games) != 2 || games[0].Reason != match.TimeForfeit || games[1].Reason != match.TimeForfeit {
		t.Errorf("slow: %+v, %v", games, err)
	}
}

func TestProgramsThatAreNone(t *testing.T) {
	_, g := engineOf(t, "honest", "nodes=1")
	for text, want := range map[string]string{
		"ugi:/no/such/program,nodes=1":                    "no such file",
		`ugi:"` + os.Args[0] + `",nodes=1,set=Nonsense:1`: `no option "Nonsense": it has Rules`,
		`ugi:"` + os.Args[0] + `",nodes=1,set=MultiPV:0`:  `MultiPV "0": want a whole number`,
		`ugi:"` + os.Args[0] + ` -test.run none",nodes=1`: "",
	} {
		spec, err := player.Parse(text, map[string]player.Kind{"ugi": Kind(&Programs{})})
		if err != nil {
			t.Fatal(err)
		}
		p, err := spec.New(g)
		if want == "" {
			if err != nil {
				t.Error(err)
			}
			match.Dismiss(p)
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	t.Setenv(beEngine, "")
	spec, _ := described(t, "connect4", `ugi:"`+os.Args[0]+` -test.run=none",nodes=1`)
	if _, err := spec.New(g); err == nil || !strings.Contains(err.Error(), "it has ended; its last lines: ") {
		t.Errorf("a program that speaks otherwise: %v", err)
	}
}

// TestProgramsEnd leaves no process behind, whatever the program thinks of it.
func TestProgramsEnd(t *testing.T) {
	for _, kind := range []string{"honest", "stubborn", "chatty"} {
		spec, g := engineOf(t, kind, "nodes=5")
		p, err := spec.New(g)
		if err != nil {
			t.Fatal(err)
		}
		process := p.(*foreign).program
		match.Dismiss(p)
		select {
		case <-process.ended:
		default:
			t.Errorf("%s has not ended", kind)
		}
		if kind == "chatty" && (len(process.errs.String()) > keptBytes || !strings.HasSuffix(process.errs.String(), "the end")) {
			t.Errorf("kept %d bytes: %.50s", len(process.errs.String()), process.errs.String())
		}
		match.Dismiss(p) // once more is nothing
	}
}

// TestInterruptedSearchIsStopped asks a program again after a search that was broken
// off: the bestmove of the first must not be taken for that of the second.
func TestInterruptedSearchIsStopped(t *testing.T) {
	spec, g := engineOf(t, "slow", "nodes=20")
	p, err := spec.New(g)
	if err != nil {
		t.Fatal(err)
	}
	defer match.Dismiss(p)
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	p.NewGame(t.Context(), 1)
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if _, err := choose(ctx, p, s, h); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	process := p.(*foreign).program
	p.NewGame(t.Context(), 2)
	if _, err := choose(t.Context(), p, s, h); err != nil || p.(*foreign).program != process {
		t.Errorf("%v, another program: %t", err, p.(*foreign).program != process)
	}
}

// TestInterruptedSearchAnswersNothingElse asks for one position and, without a new
// game, for another, as a table does after a takeback: the answer to the first is
// legal in the first alone.
func TestInterruptedSearchAnswersNothingElse(t *testing.T) {
	spec, g := engineOf(t, "deep", "nodes=1000000")
	p, err := spec.New(g)
	if err != nil {
		t.Fatal(err)
	}
	defer match.Dismiss(p)
	p.NewGame(t.Context(), 1)
	before, last, h := g.NewState(), g.NewState(), g.NewHistory()
	only := lastColumn(t, g, last)
	for before.Start(h); slices.Contains(before.Legal(nil, h), only); {
		before.Apply(only, h)
	}
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if _, err := choose(ctx, p, before, g.NewHistory()); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	if a, err := choose(t.Context(), p, last, g.NewHistory()); err != nil || a != only {
		t.Errorf("chose %d, %v, want %d", a, err, only)
	}
}

// lastColumn plays at random until s has one legal action left, which it returns.
func lastColumn(t *testing.T, g engine.Game, s engine.State) engine.Action {
	t.Helper()
	h := g.NewHistory()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		for s.Start(h); !s.Outcome().Over; {
			legal := s.Legal(nil, h)
			if len(legal) == 1 {
				return legal[0]
			}
			s.Apply(legal[rng.IntN(len(legal))], h)
		}
	}
	t.Fatal("no such position")
	return 0
}

func TestSplit(t *testing.T) {
	for command, want := range map[string]string{
		`a b  c`:            "a|b|c",
		`"a b" 'c "d"' e`:   `a b|c "d"|e`,
		`C:\bin\engine.exe`: `C:\bin\engine.exe`,
		`a ""`:              "a|",
		`a"b c"d`:           "ab cd",
	} {
		if got, err := split(command); err != nil || strings.Join(got, "|") != want {
			t.Errorf("split(%q) = %q, %v", command, got, err)
		}
	}
	for _, command := range []string{"", "  ", `a "b`, `""`} {
		if got, err := split(command); err == nil {
			t.Errorf("split(%q) = %q", command, got)
		}
	}
}

func TestDescriptions(t *testing.T) {
	kinds := map[string]player.Kind{"ugi": Kind(&Programs{})}
	for text, want := range map[string]string{
		"ugi:engine,nodes=5":                              "ugi:engine,nodes=5",
		`ugi:"engine --player net:x,sims=4",time=100ms`:   `ugi:"engine --player net:x,sims=4",time=100ms`,
		`ugi:'engine a',depth=3,timeout=60s`:              `ugi:engine a,depth=3`,
		`ugi:'"my engine" 1,2',nodes=1,set=Hash:16|X:a b`: `ugi:'"my engine" 1,2',nodes=1,set=Hash:16|X:a b`,
	} {
		spec, err := player.Parse(text, kinds)
		if err != nil || spec.Text != want {
			t.Errorf("Parse(%q) = %+v, %v", text, spec, err)
			continue
		}
		if again, err := player.Parse(spec.Text, kinds); err != nil || again.Text != want {
			t.Errorf("%q does not read back: %v", want, err)
		}
	}
	for text, want := range map[string]string{
		"ugi:engine":                     "needs exactly one of",
		"ugi:engine,nodes=1,depth=1":     "needs exactly one of",
		`ugi:"engine,nodes=1`:            "a quote is open",
		`ugi:"engine"x,nodes=1`:          "want a comma",
		"ugi:engine,nodes=1,set=Hash":    "want NAME:VALUE",
		"ugi:,nodes=1":                   "needs its COMMAND first",
		`ugi:"",nodes=1`:                 "needs its COMMAND first",
		"ugi:a 'b,nodes=1":               "a quote ' is open",
		"ugi:engine,nodes=1,timeout=1us": "want 10ms to",
		"ugi:engine,nodes=0":             "want 1 to",
	} {
		if spec, err := player.Parse(text, kinds); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %+v, %v: want %q", text, spec, err, want)
		}
	}
}

// TestEngineInPython plays with a program in another language that has rules of its
// own, against a solver that knows ours.
func TestEngineInPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("tic-tac-toe in Python: this machine: ", err)
	}
	play := func(options string, pairs int) ([]match.Game, error) {
		spec, g := described(t, "tictactoe", "ugi:"+python+" testdata/tictactoe.py"+options+",nodes=1")
		exact, err := player.Parse("exact", nil)
		if err != nil {
			t.Fatal(err)
		}
		openings, err := match.RandomOpenings(t.Context(), g, pairs, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		cfg := match.DefaultConfig()
		cfg.Pairs, cfg.Workers = pairs, 1
		s := seriesOf(t, cfg, g, spec.Contestant(g), exact.Contestant(g), openings)
		return s.Run(t.Context(), nil, match.Hooks{})
	}
	games, err := play("", 4)
	if err != nil || len(games) != 8 {
		t.Fatalf("%d games, %v", len(games), err)
	}
	for _, g := range games {
		if g.Points == 1 || match.IsForfeit(g.Reason) {
			t.Errorf("against a perfect player: %+v", g)
		}
	}
	// It crashes at its first move: how many it gets in a game depends on the seeds, in
	// which its description counts, and so the path of Python.
	games, err = play(" --misbehave crash", 1)
	if err != nil || len(games) != 2 {
		t.Errorf("crash: %+v, %v", games, err)
	}
	for _, g := range games {
		if g.Reason != match.ForfeitCrash || g.Turns > 2 || !strings.Contains(g.Note, "the board is on fire") {
			t.Errorf("crash: %+v", g)
		}
	}
}

// choose asks p for its move.
func choose(ctx context.Context, p match.Player, s engine.State, h *engine.History) (engine.Action, error) {
	x, err := p.Think(ctx, s, h, match.Bounds{})
	if err != nil {
		return 0, err
	}
	return x.Choice, nil
}

func seriesOf(t testing.TB, cfg match.Config, g engine.Game, a, b match.Contestant, openings *match.Openings) *match.Series {
	t.Helper()
	s, err := match.NewSeries(cfg, g, []match.Contestant{a, b}, false, openings)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
