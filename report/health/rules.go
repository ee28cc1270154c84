package health

import (
	"fmt"

	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// rules are all there are. docs/health.md has the runs that the numbers of
// generations and the thresholds were tried on.
var rules = []rule{
	// What a window does not hold is plain from the start, but the positions of a
	// generation may double when games grow longer.
	{code: "window-small", severity: Warn, from: 1, streak: 2, off: windowSmall},
	{code: "games-identical", severity: Alarm, from: 1, streak: 1, off: gamesIdentical},
	{code: "games-repeat", severity: Warn, from: 1, streak: 2, off: gamesRepeat},
	{code: "targets-certain", severity: Warn, from: 1, streak: 2, off: targetsCertain},
	// Until generation 3 the running statistics of batch normalisation move the
	// network, also at a learning rate of 0.
	{code: "nothing-learned", severity: Alarm, from: 3, streak: 1, off: nothingLearned},
	{code: "search-idle", severity: Warn, from: 4, streak: 3, off: searchIdle},
	{code: "policy-behind", severity: Warn, from: 8, streak: 3, off: policyBehind},
	// The first games are of a network that was not trained: what its value says
	// is a matter of chance. Values are judged by three generations together, and
	// networks that have seen a few hundred games are sure of what they saw.
	{code: "value-sign", severity: Alarm, from: 4, streak: 1, off: valueSign},
	{code: "value-blind", severity: Warn, from: 4, streak: 3, off: valueBlind},
	{code: "value-overconfident", severity: Warn, from: 8, streak: 3, off: valueOverconfident},
	// Gradients are large while a network is fresh.
	{code: "gradient-clipped", severity: Warn, from: 4, streak: 3, off: gradientClipped},
	{code: "gradient-spike", severity: Warn, from: 2, streak: 1, off: gradientSpike},
}

// windowSmall: nearly all that is learned from is of the newest generation.
func windowSmall(rows []rundir.Metrics, cfg *plan.Config) string {
	m := &rows[len(rows)-1]
	generations := float64(m.WindowPositions) / float64(max(1, m.NewPositions))
	if m.Steps == 0 || m.NewPositions == 0 || generations >= 1.5 || generations >= 1 && m.Generation < 3 {
		return ""
	}
	return fmt.Sprintf("The window holds %d positions, %.1f generations of games, so that what was learned before is soon forgotten. "+
		"Expected: all positions at first, then three generations or more. Try a larger window.min_positions (now %d) or window.max_positions (now %d).",
		m.WindowPositions, generations, cfg.Window.MinPositions, cfg.Window.MaxPositions)
}

// enoughGames is the number of different games that any of these figures needs.
const enoughGames = 20

// repeats tells whether more games repeat others than should. Of a solved game
// of nine turns a third did, with noise and temperature; in long runs of games
// of twenty turns and more one in a hundred at most.
func repeats(m *rundir.Metrics) bool {
	share := 0.2
	if m.MeanTurns < 12 {
		share = 0.5
	}
	return float64(m.RepeatedGames) >= share*float64(m.NewGames)
}

// identical tells whether nearly all games are the same few.
func identical(m *rundir.Metrics) bool { return float64(m.RepeatedGames) >= 0.9*float64(m.NewGames) }

func gamesIdentical(rows []rundir.Metrics, cfg *plan.Config) string {
	m := &rows[len(rows)-1]
	if m.NewGames < enoughGames || !identical(m) {
		return ""
	}
	return saysRepeated(m, cfg)
}

func gamesRepeat(rows []rundir.Metrics, cfg *plan.Config) string {
	m := &rows[len(rows)-1]
	if m.NewGames < enoughGames || !repeats(m) || identical(m) {
		return ""
	}
	return saysRepeated(m, cfg)
}

func saysRepeated(m *rundir.Metrics, cfg *plan.Config) string {
	s := &cfg.SelfPlay
	return fmt.Sprintf("%d of the generation's %d games repeat another of them, move by move, and teach nothing new. Expected: one in a hundred, in the smallest games a third. "+
		"Try root noise (self_play.search.noise_fraction, now %g), a temperature for more turns (now %g for %d turns, then %g) or self_play.beginnings.",
		m.RepeatedGames, m.NewGames, s.Search.NoiseFraction, s.Temperature, s.TemperatureTurns, s.FinalTemperature)
}

// targetsCertain: 0.1 nats is one move at 98 % and another at 2 %. A solved
// tic-tac-toe, in which most moves are as good as any, kept 0.8.
func targetsCertain(rows []rundir.Metrics, _ *plan.Config) string {
	m := &rows[len(rows)-1]
	if m.PolicyEntropy == 0 || m.PolicyEntropy >= 0.1 { // 0: there were no targets
		return ""
	}
	return fmt.Sprintf("The policy targets leave nothing open: their mean entropy is %.3f nats (expected: 0.3 or more; one move at 98 %% has 0.1). "+
		"What is not searched is not learned. Try root noise (self_play.search.noise_fraction), a higher self_play.search.cpuct or games that begin elsewhere (self_play.beginnings).",
		m.PolicyEntropy)
}

// nothingLearned: the network is the one before it. Values that are 0.002 apart
// are the same to a search; runs with 15 steps a generation moved them by 0.02.
func nothingLearned(rows []rundir.Metrics, _ *plan.Config) string {
	m := &rows[len(rows)-1]
	if m.FrozenPositions == 0 || m.FrozenDrift >= 5e-5 || m.FrozenValueDrift >= 0.002 {
		return ""
	}
	return fmt.Sprintf("Training changes nothing: on the frozen set the new network differs from the one before by %.1g nats in its policy and by %.1g in its value "+
		"(expected: over 0.001 and over 0.02), after %d steps at a learning rate of %.1g. Try a higher train.learning_rate or more passes_per_position; a schedule that has run out (train.decay_steps, train.decay_share) ends learning, too.",
		m.FrozenDrift, m.FrozenValueDrift, m.Steps, m.LearningRate)
}

// searchIdle: the visits of 32 simulations cannot meet a policy that leaves
// something open to better than a few hundredths of a nat; a solved tic-tac-toe
// kept 0.12. Below that the policy leaves nothing to search.
func searchIdle(rows []rundir.Metrics, _ *plan.Config) string {
	m := &rows[len(rows)-1]
	if m.FrozenPositions == 0 || m.FrozenDivergence >= 0.02 {
		return ""
	}
	return fmt.Sprintf("On the frozen set a search adds %.3f nats to what the network says by itself (expected: 0.1 or more), whose policy has an entropy of %.2f nats: "+
		"it can find nothing that is not known. Try root noise (self_play.search.noise_fraction), a higher self_play.search.cpuct, a smaller train.learning_rate or games that begin elsewhere (self_play.beginnings).",
		m.FrozenDivergence, m.FrozenEntropy)
}

// policyBehind: at 2 nats the network gives what the search plays a seventh of
// the share that it has there; healthy runs had half of that at most.
func policyBehind(rows []rundir.Metrics, cfg *plan.Config) string {
	m := &rows[len(rows)-1]
	if m.FrozenDivergence <= 2 {
		return ""
	}
	return fmt.Sprintf("On the frozen set the search departs from the network's policy by %.2f nats (expected: 1 or less): the network does not follow what searches recommend. "+
		"Try more passes_per_position (now %g), a higher train.learning_rate or a larger network; if only the frozen set shows it, games that begin elsewhere (self_play.beginnings).",
		m.FrozenDivergence, cfg.PassesPerPosition)
}
