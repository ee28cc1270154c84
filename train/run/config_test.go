package run

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/train/plan"
)

func TestValidateReportsAll(t *testing.T) {
	c := plan.DefaultConfig()
	c.Game, c.Rules, c.Generations = "konreh", "standard", 1
	if err := c.Validate(games.All()); err != nil {
		t.Errorf("DefaultConfig with a game and an end: %v", err)
	}
	c.Game = "chess"
	c.Budget, c.CoreBudget, c.Generations = -time.Second, -time.Second, -1
	c.GamesPerGeneration, c.GamesPerShard = 0, 0
	c.PassesPerPosition = math.NaN()
	c.FullPassesAt = -1
	c.PlayCPuct, c.PlaySearch = -1, "mcts"
	c.Workers = -1
	c.Model.Blocks = -1
	c.SelfPlay.GamesInFlight = 0
	c.SelfPlay.Search.Simulations = 0
	c.Train.Batch = 0
	c.Window.MinPositions = 0
	err := c.Validate(games.All())
	if err == nil {
		t.Fatal("Validate = nil")
	}
	for _, want := range []string{
		`"chess"`, "budget: ", "core_budget: ", "generations: ", "games_per_generation: ", "games_per_shard: ", "passes_per_position: ", "full_passes_at: ", "play_cpuct: ", `play_search: "mcts"`, "workers: ",
		"model.blocks", "self_play.games_in_flight", "self_play.search.simulations", "train.batch", "window.min_positions",
	} {
		if n := strings.Count("\n"+err.Error(), "\n"+want) + strings.Count(err.Error(), "no game "+want); n != 1 {
			t.Errorf("%d lines begin with %q, want 1, in\n%v", n, want, err)
		}
	}
}

// TestValidateMovesLeft refuses it where nothing reads it and where nothing learns it.
func TestValidateMovesLeft(t *testing.T) {
	c := tiny()
	c.SelfPlay.Search.Tuning.MovesLeft = 0.3
	if err := c.Validate(games.All()); err != nil {
		t.Errorf("Validate with moves_left = %v", err)
	}
	c.SelfPlay.Search.Search, c.Train.TurnsLoss = mcts.SearchGumbel, 0
	err := c.Validate(games.All())
	for _, want := range []string{"self_play.search.moves_left: 0.3 with search.search: gumbel", "self_play.search.moves_left: 0.3 with train.turns_loss: 0"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Validate = %v, want %q", err, want)
		}
	}
}

func TestValidateNeedsAnEndAndRules(t *testing.T) {
	c := tiny()
	c.Generations = 0
	if err := c.Validate(games.All()); err == nil || !strings.Contains(err.Error(), "budget, core_budget and generations") {
		t.Errorf("Validate without an end = %v", err)
	}
	c.Budget = time.Second
	if err := c.Validate(games.All()); err != nil {
		t.Errorf("Validate with a budget = %v", err)
	}
	c.Budget, c.CoreBudget = 0, time.Second
	if err := c.Validate(games.All()); err != nil {
		t.Errorf("Validate with a budget of core time = %v", err)
	}
	c.Rules = "standard,nonsense=1"
	if err := c.Validate(games.All()); err == nil || !strings.Contains(err.Error(), "nonsense") {
		t.Errorf("Validate with rules that are not = %v", err)
	}
	if err := work(t.Context(), newDir(t), c); err == nil || !strings.Contains(err.Error(), "nonsense") {
		t.Errorf("Run with rules that are not = %v", err)
	}
}

// TestHashIsOfWhatMustStay: what may change within a run does not count.
func TestHashIsOfWhatMustStay(t *testing.T) {
	base := tiny()
	for _, c := range []struct {
		set  func(*plan.Config)
		same bool
	}{
		{func(c *plan.Config) { c.Budget = time.Hour }, true},
		{func(c *plan.Config) { c.CoreBudget = time.Hour }, true},
		{func(c *plan.Config) { c.Generations = 99 }, true},
		{func(c *plan.Config) { c.Workers = 7 }, true},
		{func(c *plan.Config) { c.Retention = plan.Retention{Checkpoints: 1, Every: 3} }, true},
		{func(c *plan.Config) { c.SelfPlay.CachePositions = 9 }, true},
		{func(c *plan.Config) { c.SelfPlay.FoldSymmetries = true }, false},
		{func(c *plan.Config) { c.Seed++ }, false},
		{func(c *plan.Config) { c.Rules = "" }, false},
		{func(c *plan.Config) { c.GamesPerShard++ }, false},
		{func(c *plan.Config) { c.PassesPerPosition += 1e-9 }, false},
		{func(c *plan.Config) { c.SelfPlay.Search.CPuct += 1e-9 }, false},
		{func(c *plan.Config) { c.Train.Beta2 = 0.99 }, false},
		{func(c *plan.Config) { c.Model.Channels = 16 }, false},
		{func(c *plan.Config) { c.Window.Taper = 0.5 }, false},
	} {
		other := base
		c.set(&other)
		if same := other.Hash() == base.Hash(); same != c.same {
			t.Errorf("hash of %+v is the same: %v, want %v", other, same, c.same)
		}
	}
}

// TestMarginsNeedAGameThatHasThem: other games refuse the key by name.
func TestMarginsNeedAGameThatHasThem(t *testing.T) {
	for game, want := range map[string]string{"konreh": "train.margin_share: 0.5: want 0 in konreh, whose results have no margin", "knaw": ""} {
		c := plan.DefaultConfig()
		c.Game, c.Generations, c.Train.MarginShare = game, 1, 0.5
		if err := c.Validate(games.All()); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("Validate of %s = %v, want %q", game, err, want)
		}
	}
}
