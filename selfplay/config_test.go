package selfplay

import (
	"math"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/mcts"
)

func TestValidateReportsAll(t *testing.T) {
	c := DefaultConfig()
	if err := c.Validate(); err != nil {
		t.Errorf("DefaultConfig: %v", err)
	}
	c.GamesInFlight = 0
	c.Temperature = -1
	c.TemperatureTurns = -2
	c.FinalTemperature = math.NaN()
	c.FullShare = 0
	c.FastSimulations = 0
	c.FirstSimulations = -1
	c.GrowthGenerations = 0
	c.Teacher.Share, c.Teacher.Generations, c.Teacher.RandomShare, c.Teacher.Temperature = 0, 0, math.NaN(), -1
	c.CachePositions = -1
	c.Search.Simulations = 0
	c.Search.PendingLeaves = 2
	c.Search.CPuct = math.Inf(1)
	err := c.Validate()
	if err == nil {
		t.Fatal("Validate = nil")
	}
	lines := strings.Split(err.Error(), "\n")
	want := []string{
		"games_in_flight: 0: ", "temperature_turns: -2: ", "temperature: -1: ", "final_temperature: NaN: ", "full_share: 0: ", "fast_simulations: 0: ",
		"first_simulations: -1: ", "growth_generations: 0: ", "cache_positions: -1: ",
		"teacher.share: 0: ", "teacher.generations: 0: ", "teacher.random_share: NaN: ", "teacher.temperature: -1: ",
		"search.pending_leaves: 2: ", "search.simulations: 0: ", "search.cpuct: +Inf: ",
	}
	for _, w := range want {
		n := 0
		for _, l := range lines {
			if strings.HasPrefix(l, w) && strings.Contains(l, "want") {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d lines begin with %q, want 1, in\n%v", n, w, err)
		}
	}
	if len(lines) != len(want) {
		t.Errorf("%d problems, want %d:\n%v", len(lines), len(want), err)
	}
}

func TestValidateBounds(t *testing.T) {
	for _, c := range []struct {
		set  func(*Config)
		good bool
	}{
		{func(c *Config) { c.GamesInFlight = 1 }, true},
		{func(c *Config) { c.GamesInFlight = 1024 }, true},
		{func(c *Config) { c.GamesInFlight = 1025 }, false},
		{func(c *Config) { c.Temperature, c.FinalTemperature = 0, 0 }, true},
		{func(c *Config) { c.Temperature = maxTemperature }, true},
		{func(c *Config) { c.Temperature = maxTemperature + 0.1 }, false},
		{func(c *Config) { c.TemperatureTurns = 0 }, true},
		{func(c *Config) { c.Search.PendingLeaves = 0 }, false},
		{func(c *Config) { c.CachePositions = 0 }, true},
		{func(c *Config) { c.CachePositions = maxCachePositions }, true},
		{func(c *Config) { c.CachePositions = maxCachePositions + 1 }, false},
		{func(c *Config) { c.FullShare = 1.1 }, false},
		{func(c *Config) { c.FullShare, c.FastSimulations = 0.5, c.Search.Simulations }, true},
		{func(c *Config) { c.FullShare, c.FastSimulations = 0.5, c.Search.Simulations+1 }, false},
		{func(c *Config) { c.FastSimulations = c.Search.Simulations + 1 }, true},
		{func(c *Config) { c.FirstSimulations = 1 }, false},
		{func(c *Config) { c.FirstSimulations = 2 }, true},
		{func(c *Config) { c.FirstSimulations, c.Search.Search = 2, mcts.SearchGumbel }, false},
		{func(c *Config) { c.FirstSimulations, c.Search.Search = 3, mcts.SearchGumbel }, true},
		{func(c *Config) { c.FirstSimulations = c.Search.Simulations }, true},
		{func(c *Config) { c.FirstSimulations = c.Search.Simulations + 1 }, false},
		{func(c *Config) { c.GrowthGenerations = 1 }, true},
		{func(c *Config) { c.GrowthGenerations = maxGrowthGenerations }, true},
		{func(c *Config) { c.GrowthGenerations = maxGrowthGenerations + 1 }, false},
	} {
		cfg := DefaultConfig()
		c.set(&cfg)
		if err := cfg.Validate(); (err == nil) != c.good {
			t.Errorf("Validate(%+v) = %v, want good: %v", cfg, err, c.good)
		}
	}
}
