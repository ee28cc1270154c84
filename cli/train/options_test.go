package train

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/builtin"
	"github.com/ludozero/ludozero/cli/shell"
)

// TestOptionsResolve: what options come to, and what is refused, without any training.
func TestOptionsResolve(t *testing.T) {
	env, err := shell.NewEnv(builtin.Games())
	if err != nil {
		t.Fatal(err)
	}
	defer env.Close()
	dir := filepath.Join(t.TempDir(), "run")
	s, err := options{config: "tictactoe/tiny", dir: dir, set: []string{"self_play.teacher.player=exact", "self_play.teacher.share=0.5"}, games: 7}.resolve(env)
	if err != nil {
		t.Fatal(err)
	}
	if s.cfg.Game != "tictactoe" || s.cfg.GamesPerGeneration != 7 || s.teacher == nil || s.first != nil || s.fork != nil {
		t.Errorf("a run: %+v, want 7 games of tic-tac-toe with a teacher", s)
	}
	s, err = options{config: "connect4/tiny", dir: dir, network: "connect4"}.resolve(env)
	if err != nil {
		t.Fatal(err)
	}
	if s.first == nil || s.first.Name == "" || s.cfg.Model.Channels != s.first.Weights.Network().Config.Channels || s.teacher != nil {
		t.Errorf("a run that begins with a network: %+v, want its size", s)
	}
	for want, o := range map[string]options{
		"--games -1: want at least 1":                {games: -1},
		"--network: a run that goes on":              {network: "connect4", from: "runs/first"},
		"--fresh-window: want --from":                {freshWindow: true},
		"--run is required":                          {from: "runs/first"},
		"--from connect4: a shipped network":         {from: "connect4", dir: dir},
		"it is no run with a checkpoint":             {from: "runs/gone@3", dir: dir},
		"--config is required":                       {dir: dir},
		"evaluation.simulations: ":                   {config: "tictactoe/tiny", dir: dir, set: []string{"evaluation.simulations=100000000"}},
		"evaluation.match.opening_turns: ":           {config: "tictactoe/tiny", dir: dir, set: []string{"evaluation.match.opening_turns=50"}},
		`evaluation.opponents: player "nobody"`:      {config: "tictactoe/tiny", dir: dir, set: []string{"evaluation.opponents=[nobody]"}},
		`self_play.teacher.player: player "nobody"`:  {config: "tictactoe/tiny", dir: dir, set: []string{"self_play.teacher.player=nobody"}},
		"want a clock, evaluation.match.clock, or a": {config: "tictactoe/tiny", dir: dir, set: []string{`evaluation.opponents=["mcts:time=clock"]`}},
	} {
		if _, err := o.resolve(env); err == nil || !strings.Contains(err.Error(), want) || shell.ExitCode(err) != 2 {
			t.Errorf("%+v: %v (exit code %d), want %q, 2", o, err, shell.ExitCode(err), want)
		}
	}
}
