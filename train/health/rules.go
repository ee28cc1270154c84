package health

import (
	"fmt"

	"github.com/ludozero/ludozero/train/run"
)

// rules are all there are.
var rules = []rule{
	// The network that the first generation's games are of is untrained: its sign
	// is a matter of chance.
	{"value-sign", Alarm, 2, 1, valueSign},
	// By generation 4 a run has trained on some hundred games; three in a row,
	// since one of fifty has such an error by chance.
	{"value-blind", Warn, 4, 3, valueBlind},
	{"value-overconfident", Warn, 4, 3, valueOverconfident},
	{"targets-certain", Warn, 1, 2, targetsCertain},
	{"games-repeat", Alarm, 1, 1, gamesRepeat},
	{"window-small", Warn, 4, 2, windowSmall},
	// Gradients are large while a network is fresh.
	{"gradient-clipped", Warn, 4, 3, gradientClipped},
	{"gradient-spike", Warn, 2, 1, gradientSpike},
}

// valueSign: the network's value and the outcomes go against each other. Three
// standard errors are a chance of 1 in 700 for a value that knows nothing, none
// for one that knows something.
func valueSign(rows []run.Metrics, _ *run.Config) string {
	m := &rows[len(rows)-1]
	if len(m.ValueBins) == 0 || m.ValueSlope >= -3*m.ValueSlopeError {
		return ""
	}
	return fmt.Sprintf("The network's value points the wrong way: where it is higher by 1, outcomes are lower by %.2f ± %.2f (expected: higher, by about 1), "+
		"and it explains %.0f %% of their variance. A sign is wrong: look at how outcomes become value targets, and whose view values are in "+
		"where the game's rules or encoder were changed.",
		-m.ValueSlope, m.ValueSlopeError, 100*m.ValueExplained)
}

// valueBlind: the search can tell who wins and the network cannot. Where the
// search cannot either, outcomes may be a matter of luck yet.
func valueBlind(rows []run.Metrics, _ *run.Config) string {
	m := &rows[len(rows)-1]
	if len(m.ValueBins) == 0 || m.RootExplained < 0.05 || m.ValueSlope >= 2*m.ValueSlopeError || m.ValueSlope < -3*m.ValueSlopeError {
		return ""
	}
	return fmt.Sprintf("The network's value knows nothing of who wins: slope of outcomes on it %.2f ± %.2f (expected: about 1), while the search's value explains %.0f %% of them. "+
		"If the value loss (%.2f) does not fall either, try a higher train.learning_rate or train.value_loss; if it falls, games are memorised: more games_per_generation or fewer passes_per_position.",
		m.ValueSlope, m.ValueSlopeError, 100*m.RootExplained, m.ValueLoss)
}

// valueOverconfident: values are more than twice as extreme as outcomes bear out.
// Networks that learn from few games are a little so: 0.6 to 0.9 is common.
func valueOverconfident(rows []run.Metrics, _ *run.Config) string {
	m := &rows[len(rows)-1]
	if len(m.ValueBins) == 0 || m.ValueSlope < 2*m.ValueSlopeError || m.ValueSlope+2*m.ValueSlopeError >= 0.5 {
		return ""
	}
	return fmt.Sprintf("The network's value is too sure of itself: where it is higher by 1, outcomes are higher by %.2f ± %.2f only (expected: 0.6 to 1.2). "+
		"It has learned its games by heart. Try more games_per_generation, fewer passes_per_position, a larger window.min_positions or more train.weight_decay.",
		m.ValueSlope, m.ValueSlopeError)
}

// targetsCertain: a tenth of a nat is one move at 98 % and another at 2 %.
func targetsCertain(rows []run.Metrics, _ *run.Config) string {
	m := &rows[len(rows)-1]
	if m.PolicyEntropy == 0 || m.PolicyEntropy >= 0.1 { // 0: there were no targets
		return ""
	}
	return fmt.Sprintf("The policy targets leave nothing open: their mean entropy is %.3f nats (expected: 0.3 or more; one move at 98 %% has 0.1). "+
		"What is not searched is not learned. Try root noise (self_play.search.noise_fraction), a higher self_play.search.cpuct or games that begin elsewhere (self_play.beginnings).",
		m.PolicyEntropy)
}

// gamesRepeat: half of the games were played before.
func gamesRepeat(rows []run.Metrics, cfg *run.Config) string {
	m := &rows[len(rows)-1]
	if m.NewGames < 20 || 2*m.RepeatedGames < m.NewGames {
		return ""
	}
	return fmt.Sprintf("%d of the %d games of the generation repeat another, move by move: so much work taught nothing new. "+
		"Try root noise (self_play.search.noise_fraction, now %g), a temperature for more turns (self_play.temperature %g for %d turns, then %g) or self_play.beginnings.",
		m.RepeatedGames, m.NewGames, cfg.SelfPlay.Search.NoiseFraction, cfg.SelfPlay.Temperature, cfg.SelfPlay.TemperatureTurns, cfg.SelfPlay.FinalTemperature)
}

// windowSmall: nearly all that is learned from is of the newest generation.
func windowSmall(rows []run.Metrics, cfg *run.Config) string {
	m := &rows[len(rows)-1]
	if m.Steps == 0 || m.NewPositions == 0 || float64(m.WindowPositions) >= 1.5*float64(m.NewPositions) {
		return ""
	}
	return fmt.Sprintf("The window holds %d positions, %.1f generations of games: what was learned before is forgotten. "+
		"Expected: three or more by generation %d. Try a larger window.min_positions (now %d) or max_positions.",
		m.WindowPositions, float64(m.WindowPositions)/float64(m.NewPositions), m.Generation, cfg.Window.MinPositions)
}

// gradientClipped: clipping is meant for the odd step.
func gradientClipped(rows []run.Metrics, cfg *run.Config) string {
	m := &rows[len(rows)-1]
	if m.Steps == 0 || 2*m.ClippedSteps < m.Steps {
		return ""
	}
	return fmt.Sprintf("The gradient was cut down in %d of %d steps: its mean norm is %.1f, the limit %g (train.clip_norm). "+
		"Steps follow the limit, not the losses. Try a lower train.learning_rate or a higher train.clip_norm.",
		m.ClippedSteps, m.Steps, m.GradientNorm, cfg.Train.ClipNorm)
}

// gradientSpike: healthy runs here had maxima of two to four times the mean.
func gradientSpike(rows []run.Metrics, _ *run.Config) string {
	m := &rows[len(rows)-1]
	if m.Steps < 20 || m.GradientNormMax < 20*m.GradientNorm {
		return ""
	}
	return fmt.Sprintf("A step had a gradient of norm %.1f, the mean being %.2f: the training is near falling apart. Try a lower train.learning_rate or train.clip_norm.",
		m.GradientNormMax, m.GradientNorm)
}
