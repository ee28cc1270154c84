package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/clitest"
	"github.com/ludozero/ludozero/cli/networks"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/study"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestWhichNetworkAWordMeans sits in a folder with networks and others under the
// names of shipped ones.
func TestWhichNetworkAWordMeans(t *testing.T) {
	weights := weightFile(t, "konreh")
	t.Chdir(t.TempDir())
	file := func(path string) string {
		t.Helper()
		b, err := os.ReadFile(weights)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o777)
		}
		if err == nil {
			err = os.WriteFile(path, b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	is := func(word string, want open.Network) {
		t.Helper()
		if got, err := open.Find(word); err != nil || got != want {
			t.Errorf("%s is %+v, %v, want %+v", word, got, err, want)
		}
	}
	isWrong := func(word string, want ...string) {
		t.Helper()
		got, err := open.Find(word)
		for _, part := range want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s is %+v, %v, want %q", word, got, err, part)
			}
		}
	}
	names := strings.Join(zoo.Names(), " or ")
	is("konreh", open.Network{Shipped: "konreh"})
	is("shipped:konreh", open.Network{Shipped: "konreh"})
	is("./konreh", open.Network{Path: "./konreh"}) // whoever opens it says that it is not there
	isWrong("kon", "no file or folder kon", names)
	isWrong("shipped:kon", names)
	isWrong("shipped:", names)

	// A folder that holds no network does not count.
	if err := os.MkdirAll(filepath.Join("konreh", "games"), 0o777); err != nil {
		t.Fatal(err)
	}
	is("konreh", open.Network{Shipped: "konreh"})
	isWrong("./konreh", "no weight file, checkpoint or run")

	// A run, a checkpoint and a file do.
	both := []string{"konreh is a shipped network and also a network here", "./konreh", "shipped:konreh"}
	newest := file(rundir.WeightsPath("konreh", 3))
	isWrong("konreh", both...)
	is("./konreh", open.Network{Path: newest})
	is("shipped:konreh", open.Network{Shipped: "konreh"})
	is("connect4", open.Network{Shipped: "connect4"})
	file(filepath.Join("konreh", rundir.WeightsFile))
	isWrong("konreh", both...)
	if err := os.RemoveAll("konreh"); err != nil {
		t.Fatal(err)
	}
	file("konreh")
	isWrong("konreh", both...)
	is("./konreh", open.Network{Path: "./konreh"})

	// Other words without a slash are paths as before.
	is(file("mine.safetensors"), open.Network{Path: "mine.safetensors"})
	file(rundir.WeightsPath("mine", 1))
	is("mine", open.Network{Path: rundir.WeightsPath("mine", 1)})
}

// hashed is a word for a network with the hash of its weights, hashedPlayer the
// description of a player with its network by such a word.
func hashed(t *testing.T, word string) string {
	t.Helper()
	named := open.ByHash(word)
	if named == word {
		t.Fatalf("%s cannot be read", word)
	}
	return named
}

func hashedPlayer(text string) string { return builtinEnv().Players.ByHash(text)[0] }

// TestNetworksByHash: a word with a hash means weights of that hash and no others, in a
// run also those of an older network.
func TestNetworksByHash(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	old, newest := rundir.WeightsPath("run", 1), rundir.WeightsPath("run", 2)
	var hash []string
	for i, path := range []string{old, newest} {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		clitest.WriteWeights(t, path, "tictactoe", uint64(i+1))
		word := hashed(t, path)
		hash = append(hash, strings.TrimPrefix(word, path+"@"))
	}
	if hash[0] == hash[1] || len(hash[0]) != 8 {
		t.Fatalf("hashes %q", hash)
	}
	for word, want := range map[string]open.Network{
		"run@" + hash[1]: {Path: newest}, "run@" + hash[0]: {Path: old}, "run": {Path: newest}, "./" + old + "@" + hash[0]: {Path: "./" + old},
		hashed(t, "shipped:konreh"): {Shipped: "konreh"}, open.ByHash(hashed(t, "konreh")): {Shipped: "konreh"},
	} {
		if got, err := open.Find(word); err != nil || got != want {
			t.Errorf("%s is %+v, %v, want %+v", word, got, err, want)
		}
	}
	for word, want := range map[string]string{
		old + "@" + hash[1]: old + " has weights with the hash " + hash[0] + " now, not " + hash[1], "run@00000000": "not 00000000", "konreh@00000000": "shipped network konreh has weights with the hash",
		"run@" + hash[0][:7]: "no file or folder run@", "nowhere/at/all@00000000": "no such file",
	} {
		for _, player := range []string{"net:" + word + ",sims=1", "net:'" + word + "',sims=1"} {
			mustFail(t, 1, []string{"match", "--game", "tictactoe", player, "random"}, want)
		}
	}
	// A file whose own name looks like that.
	odd := "odd@" + hash[0]
	if b, err := os.ReadFile(newest); err != nil || os.WriteFile(odd, b, 0o666) != nil {
		t.Fatal(err)
	}
	if got, err := open.Find(odd); err != nil || got != (open.Network{Path: odd}) || hashed(t, odd) != odd+"@"+hash[1] {
		t.Errorf("%s is %+v, %v", odd, got, err)
	}
	mustFail(t, 2, []string{"match", "--game", "konreh", "konreh@00000000x,sims=2", "random"}, "no kind")
}

// TestCopiesOfANetworkPlayTheSameGames: seeds follow from weights, not from where they
// are. Games that an older program began have seeds that follow from names and go on with
// them.
func TestCopiesOfANetworkPlayTheSameGames(t *testing.T) {
	t.Chdir(t.TempDir())
	const first, copied = "first.safetensors", "a,b.safetensors"
	clitest.WriteWeights(t, first, "tictactoe", 1)
	clitest.WriteWeights(t, copied, "tictactoe", 1)
	args := func(network, dir string, pairs int) []string {
		return []string{"match", "--game", "tictactoe", `net:"` + network + `",sims=4,temperature=1`, "mcts:sims=3", "--opening-turns", "0", "--pairs", fmt.Sprint(pairs), "--out", dir}
	}
	moves := func(dir string) (list []string) {
		rows, _, err := archive.ReadGames(dir)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			list = append(list, rows[i].Moves)
		}
		return list
	}
	mustCall(t, args(first, "one", 20)...)
	mustCall(t, args(copied, "other", 20)...)
	if !slices.Equal(moves("one"), moves("other")) {
		t.Error("a copy of a network elsewhere plays other games")
	}
	if asked, err := archive.ReadAsked("one"); err != nil || asked.Seeds != archive.SeedsByHash || asked.Players[0].Name != hashedPlayer("net:"+first+",sims=4,temperature=1") {
		t.Errorf("series.json says %+v, %v", asked, err)
	}
	mustFail(t, 1, args(copied, "one", 20), "player 1: ", copied+"@")

	// As an older program would have played them.
	env := builtinEnv()
	family := openFamily(t, "tictactoe")
	spec, err := env.Players.Parse("net:" + first + ",sims=4,temperature=1")
	if err != nil {
		t.Fatal(err)
	}
	other, err := env.Players.Parse("mcts:sims=3")
	if err != nil {
		t.Fatal(err)
	}
	old := func(dir string, until int) []match.Game {
		cfg := match.DefaultConfig()
		cfg.Pairs, cfg.OpeningTurns = 20, 0
		openings, err := match.RandomOpenings(t.Context(), family, cfg.Pairs, 0, cfg.Seed)
		if err != nil {
			t.Fatal(err)
		}
		series, err := match.NewSeries(cfg, family, []match.Contestant{spec.Contestant(family), other.Contestant(family)}, false, openings)
		if err != nil {
			t.Fatal(err)
		}
		series.Until = until
		games, err := (&study.Series{Kind: "match", Players: []*player.Spec{spec, other}, Work: archive.Work{
			Dir: dir, Series: series, Result: func([]match.Game) (any, error) { return nil, nil },
		}}).Play(t.Context(), shell.NewProgress(io.Discard))
		if err != nil {
			t.Fatal(err)
		}
		return games
	}
	whole := old("", 0)
	old("old", 10)
	mustCall(t, args(first, "old", 20)...)
	list := moves("old")
	for i := range whole {
		if list[i] != whole[i].Moves {
			t.Fatalf("game %d of a resumed folder is another", i+1)
		}
	}
	if slices.Equal(list, moves("one")) {
		t.Error("seeds by name and by hash play the same games: the test shows nothing")
	}
}

// TestShippedNetworksAsPlayers: by name in matches, of their game alone, known in
// folders by their weights.
func TestShippedNetworksAsPlayers(t *testing.T) {
	t.Chdir(t.TempDir())
	mustCall(t, "match", "--game", "connect4", "net:connect4,sims=2", "net:shipped:connect4,sims=2,precision=int8", "--pairs", "1", "--out", "games")
	file, err := zoo.File("connect4")
	if err != nil {
		t.Fatal(err)
	}
	if text := readText(t, filepath.Join("games", "series.json")); strings.Count(text, "weights "+zoo.Digest(file)) != 2 {
		t.Errorf("series.json does not name the weights of both:\n%s", text)
	}
	mustFail(t, 1, []string{"match", "--game", "connect4", "net:konreh,sims=2", "random"}, hashedPlayer("net:konreh,sims=2"), "network plays konreh, not connect4")
	mustFail(t, 1, []string{"match", "--game", "tictactoe", "net:tictactoe,sims=2", "random"}, "no file or folder tictactoe", strings.Join(zoo.Names(), " or "))
}

// TestNetworks lists the shipped networks and shows others.
func TestNetworks(t *testing.T) {
	out := mustCall(t, "networks")
	contains(t, out, "connect4\n", "plays      connect4", "weights    ", " bytes", "int8       calibrated on ", "search     gumbel", "learned    generation ", "rules      ", "licence    MIT", "strength   ",
		"\n\nkonreh\n", "plays      konreh", "cpuct      0.7", "strength   ")
	list := decode[[]json.RawMessage](t, mustCall(t, "networks", "--json"))
	if len(list) != len(zoo.Names())+len(zoo.Evaluations()) {
		t.Fatalf("networks --json has %d entries", len(list))
	}
	konreh := decode[networks.Info](t, string(list[slices.Index(zoo.Names(), "konreh")]))
	if konreh.Name != "konreh" || konreh.Card.Game != "konreh" || konreh.Parameters == 0 || konreh.Strength == "" {
		t.Errorf("networks --json: %+v", konreh)
	}
	// The words of its page are there, without the marks of Markdown.
	text, err := zoo.Strength("konreh")
	if err != nil {
		t.Fatal(err)
	}
	_, strength, _ := strings.Cut(mustCall(t, "networks", "konreh"), "strength ")
	for word := range strings.FieldsSeq(text) {
		if !strings.ContainsAny(word, "`*[]") {
			contains(t, strength, word)
		}
	}
	if strings.ContainsAny(strength, "`*[]") {
		t.Errorf("networks prints Markdown:\n%s", strength)
	}
	path := weightFile(t, "tictactoe")
	contains(t, mustCall(t, "networks", path), path, "plays      tictactoe", "not calibrated")
	mustFail(t, 1, []string{"networks", path + ".no"}, "no such file")
	mustFail(t, 1, []string{"networks", "nobody"}, "no shipped network of that name")
	mustFail(t, 2, []string{"networks", "konreh", "connect4"}, "arg")

	contains(t, out, "\n\nnnue:knaw\n", "\n\nnnue:konreh\n")
	evaluation := filepath.Join(t.TempDir(), "my.eval")
	data, err := zoo.Evaluation("konreh")
	if err == nil {
		err = os.WriteFile(evaluation, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if a, b := mustCall(t, "networks", evaluation), mustCall(t, "networks", "nnue:"+evaluation); a != b {
		t.Errorf("the file alone is shown as\n%s", a)
	}
	matches, err := zoo.EvaluationMatches("konreh")
	if err != nil {
		t.Fatal(err)
	}
	m := matches.Matches[len(matches.Matches)-1]
	match := fmt.Sprintf("%s against the shipped network in %d games of %d ms a move\n", m.ScoreText(), m.Games, m.Milliseconds)
	contains(t, mustCall(t, "networks", "nnue:"+evaluation), "nnue:"+evaluation+"\n", "plays      konreh, game version 1\n", "128 units", "weights    "+zoo.Digest(data)+"\n",
		"learned    ", "from       alphabeta\n", "loss       ", "100.0 %  standard\n", "licence    MIT\n", match)
	shown := decode[[]networks.EvaluationInfo](t, mustCall(t, "networks", "nnue:konreh", "--json"))
	if len(shown) != 1 || shown[0].Evaluation != "konreh" || shown[0].Card.Units != 128 || shown[0].Weights != zoo.Digest(data) || shown[0].Matches == nil {
		t.Errorf("networks nnue:konreh --json: %+v", shown)
	}
	mustFail(t, 1, []string{"networks", "nnue:" + path}, path, "no card of one")
	mustFail(t, 1, []string{"networks", "nnue:nobody"}, "no shipped evaluation of that name")
}

// TestShippedNetworkIsMeasuredOnly: calibrate says how int8 and f32 agree, and
// changes nothing.
func TestShippedNetworkIsMeasuredOnly(t *testing.T) {
	shards := filepath.Join(recordedRun(t, 1), "shards")
	contains(t, mustCall(t, "calibrate", "shipped:konreh", "--shards", shards), "shipped network konreh: is calibrated on ", "the same first move in")
	mustFail(t, 2, []string{"calibrate", "shipped:konreh", "--shards", shards, "--again"}, "--again", "keeps its calibration")
	mustFail(t, 2, []string{"calibrate", "shipped:konreh"}, "is in no run", "--shards")
}

// TestTrainANetwork begins runs with networks that are there: of a file, which
// gives its size to a configuration that says another, and shipped.
func TestTrainANetwork(t *testing.T) {
	root := t.TempDir()
	old, dir := filepath.Join(root, "old"), filepath.Join(root, "new")
	mustCall(t, tiny(old, "--no-rating", "--set", "generations=1", "--set", "model.channels=16")...)
	args := tiny(dir, "--no-rating", "--set", "generations=1", "--network")
	for range 2 { // the second time nothing is missing
		mustCall(t, append(args, rundir.WeightsPath(old, 1))...)
	}
	if text := readText(t, filepath.Join(dir, "config.yaml")); !strings.Contains(text, "channels: 16") {
		t.Errorf("the configuration says\n%s", text)
	}
	mustFail(t, 1, append(args, rundir.WeightsPath(old, 0)), "began with another network than")
	mustFail(t, 1, append(args, "nobody"), "no shipped network of that name")
	mustFail(t, 2, append(args, old, "--from", old), "--network", "--from")
	mustFail(t, 2, []string{"train", "--config", "../configs/tictactoe/tiny.yaml", "--network", "connect4", "--run", filepath.Join(root, "third")}, "--network connect4 plays connect4, not tictactoe")
	mustFail(t, 2, []string{"train", "--config", "connect4/quick", "--network", "konreh", "--run", filepath.Join(root, "third")}, "--network konreh plays konreh, not connect4")
	mustFail(t, 2, []string{"train", "--config", "connect4/quick", "--network", "connect4", "--set", "game=connect4", "--run", filepath.Join(root, "third")}, "--set game=connect4: --network connect4 says it")
	mustFail(t, 2, []string{"train", "--from", "shipped:konreh", "--run", filepath.Join(root, "third")}, "want --network shipped:konreh")
	mustFail(t, 2, []string{"train", "--from", "konreh", "--run", filepath.Join(root, "third")}, "comes without optimizer and games: want --network konreh")

	games := filepath.Join(root, "games")
	mustCall(t, "selfplay", "--config", "../configs/connect4/tiny.yaml", "--network", "connect4", "--games", "2", "--run", games,
		"--set", "self_play.search.simulations=2")
	a, b := decode[[]networks.Info](t, mustCall(t, "networks", games, "--json")), decode[[]networks.Info](t, mustCall(t, "networks", "connect4", "--json"))
	if a[0].Parameters != b[0].Parameters || a[0].Card.Network != b[0].Card.Network {
		t.Errorf("the run begins with %+v, not with %+v", a[0], b[0])
	}
}
