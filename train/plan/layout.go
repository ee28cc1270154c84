package plan

// The games of an alternating run lie in shards that are numbered over the whole
// run. No shard holds games of two generations.

// ShardOf is the number of the shard that game n is in.
func (c *Config) ShardOf(n int64) int64 {
	games, per, shards := c.Layout()
	return n/games*shards + n%games/per
}

// ShardGames is the range of games, from first up to but not including end,
// that a shard is for.
func (c *Config) ShardGames(number int64) (first, end int64) {
	games, per, shards := c.Layout()
	base := number / shards * games
	first = base + number%shards*per
	return first, min(first+per, base+games)
}

// ShardEnd is where the shard of game n ends.
func (c *Config) ShardEnd(n int64) int64 {
	_, end := c.ShardGames(c.ShardOf(n))
	return end
}

// Layout is the number of games of a generation, of games in each of its shards
// but the last, and of its shards.
func (c *Config) Layout() (games, per, shards int64) {
	games = int64(c.GamesPerGeneration)
	per = min(games, int64(c.GamesPerShard))
	return games, per, (games-1)/per + 1
}

// Plays is the generation of the network that plays the games of a generation of an
// alternating run.
func (c *Config) Plays(generation int) int { return max(0, generation-c.Lag) }

// Overlaps reports whether games are played while a network is trained.
func (c *Config) Overlaps() bool { return c.Mode == ModeConcurrent || c.Lag > 0 }

// GrownSimulations is the budget of a generation's full searches, 0 if it is the same
// for all generations.
func (c *Config) GrownSimulations(generation int) int {
	if c.SelfPlay.FirstSimulations == 0 {
		return 0
	}
	full, _ := c.SelfPlay.SimulationsAt(generation)
	return full
}
