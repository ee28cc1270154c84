package bench

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
)

// wantPerParameter is how many searched positions a network should see for each
// of its parameters: KataGo's main run made 241 million training samples and
// ended with 20 blocks of 256 channels, some 24 million parameters (Wu 2020).
const wantPerParameter = 10

// mostSimulations is what AlphaZero used (Silver et al. 2018).
const mostSimulations = 800

// Where the rates of a candidate come from.
const (
	Measured     = "measured"
	Interpolated = "interpolated"
	Extrapolated = "extrapolated"
)

// Night is what a night of learning would give with networks of several sizes,
// and which of them a rule of thumb takes.
type Night struct {
	Hours float64 `json:"hours"`
	// Candidates are in order of their multiply-adds.
	Candidates []Candidate `json:"candidates"`
	Choice     Choice      `json:"choice"`
	// Rule says how the choice was made, Basis what the numbers rest on.
	Rule  string   `json:"rule"`
	Basis []string `json:"basis"`
	// Settings are the keys of the configuration that the choice comes to.
	Settings []Setting `json:"settings"`
}

// Candidate is a network and what it would get.
type Candidate struct {
	Network      string `json:"network"` // blocks x channels
	Parameters   int    `json:"parameters"`
	MultiplyAdds int64  `json:"multiply_adds"`
	// Evaluations and Samples are rates on all threads: one or the other. Rates
	// says where they come from.
	Evaluations float64 `json:"evaluations_per_second"`
	Samples     float64 `json:"samples_per_second"`
	Rates       string  `json:"rates"`
	// Outcomes are predictions, by simulations.
	Outcomes []Outcome `json:"outcomes"`

	size size
}

// Outcome predicts a night with this number of simulations.
type Outcome struct {
	Simulations int     `json:"simulations"`
	Positions   float64 `json:"positions"`
	Games       float64 `json:"games"`
	// Steps of training, on each position as often as configured.
	Steps float64 `json:"steps"`
	// PerParameter is Positions over the network's parameters.
	PerParameter float64 `json:"positions_per_parameter"`
}

// Choice is what the rule takes.
type Choice struct {
	Network string `json:"network"`
	Outcome
	// Enough says that the network gets what the rule wants; if not, none does.
	Enough bool `json:"enough"`
}

// Setting is a key of the configuration and its value as text.
type Setting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// newNight predicts from at least one rate, in order of multiply-adds.
func newNight(b basis, rates []rate) *Night {
	n := &Night{Hours: b.night.Hours()}
	sizes := slices.Clone(candidateSizes)
	if own := (size{b.network.Config.Blocks, b.network.Config.Channels}); !slices.Contains(sizes, own) {
		sizes = append(sizes, own)
	}
	var simulations []int
	for s := b.simulations; len(simulations) < 3 || s <= mostSimulations; s *= 2 {
		simulations = append(simulations, s)
	}
	for _, size := range sizes {
		network := size.of(b.network)
		r, from := rateFor(network, rates)
		c := Candidate{
			Network: size.String(), size: size, Parameters: model.NewWeights(network).Count(), MultiplyAdds: network.MultiplyAdds(),
			Evaluations: r.evaluations, Samples: r.samples, Rates: from,
		}
		for _, s := range simulations {
			c.Outcomes = append(c.Outcomes, b.predict(&c, s))
		}
		n.Candidates = append(n.Candidates, c)
	}
	slices.SortFunc(n.Candidates, func(x, y Candidate) int { return int(x.MultiplyAdds - y.MultiplyAdds) })
	n.Choice = choose(n.Candidates)
	n.Rule = fmt.Sprintf("the largest network that gets at least %d searched positions for each parameter at the configured %d simulations; "+
		"if that is the largest of all, twice the simulations as long as it still does, up to %d", wantPerParameter, b.simulations, mostSimulations)
	if !n.Choice.Enough {
		n.Rule += ". None gets that many, so it is the smallest"
	}
	n.Basis = b.words(rates)
	return n
}

// predict is what a night would give: a position is searched at what all threads
// evaluate together, with the work beside the network added to each evaluation,
// and learned several times at what all threads train together.
func (b *basis) predict(c *Candidate, simulations int) Outcome {
	evaluations := b.perPosition * float64(simulations) / float64(b.simulations)
	play := evaluations * (1/c.Evaluations + b.beside/float64(b.threads))
	positions := b.night.Seconds() / (play + b.passes/c.Samples)
	return Outcome{
		Simulations: simulations, Positions: positions, Games: positions / b.perGame,
		Steps: positions * b.passes / float64(b.batch), PerParameter: positions / float64(c.Parameters),
	}
}

// choose goes by the rule.
func choose(candidates []Candidate) Choice {
	for i, c := range slices.Backward(candidates) {
		if c.Outcomes[0].PerParameter < wantPerParameter {
			continue
		}
		o := c.Outcomes[0]
		if i == len(candidates)-1 {
			for _, more := range c.Outcomes[1:] {
				if more.PerParameter >= wantPerParameter && more.Simulations <= mostSimulations {
					o = more
				}
			}
		}
		return Choice{c.Network, o, true}
	}
	return Choice{candidates[0].Network, candidates[0].Outcomes[0], false}
}

// rateFor finds or estimates the rates of a network: between two that were
// measured, times follow a power of the multiply-adds; beyond, they are in
// proportion to them.
func rateFor(n model.Network, rates []rate) (rate, string) {
	larger := slices.IndexFunc(rates, func(r rate) bool { return r.network.MultiplyAdds() >= n.MultiplyAdds() })
	if larger >= 0 && rates[larger].network == n {
		return rates[larger], Measured
	}
	if larger <= 0 {
		near := &rates[0]
		if larger < 0 {
			near = &rates[len(rates)-1]
		}
		return rate{
			n, near.evaluations * float64(near.network.MultiplyAdds()) / float64(n.MultiplyAdds()),
			near.samples * float64(near.network.TrainingMultiplyAdds()) / float64(n.TrainingMultiplyAdds()),
		}, Extrapolated
	}
	a, z := &rates[larger-1], &rates[larger]
	between := func(x, low, high int64, from, to float64) float64 {
		part := math.Log(float64(x)/float64(low)) / math.Log(float64(high)/float64(low))
		return from * math.Pow(to/from, part)
	}
	return rate{
		n, between(n.MultiplyAdds(), a.network.MultiplyAdds(), z.network.MultiplyAdds(), a.evaluations, z.evaluations),
		between(n.TrainingMultiplyAdds(), a.network.TrainingMultiplyAdds(), z.network.TrainingMultiplyAdds(), a.samples, z.samples),
	}, Interpolated
}

// words say what the numbers rest on.
func (b *basis) words(rates []rate) []string {
	var names []string
	for _, r := range rates {
		names = append(names, size{r.network.Config.Blocks, r.network.Config.Channels}.String())
	}
	list := []string{
		"rates were measured for " + strings.Join(names, ", ") + "; between them times follow a power of the multiply-adds, beyond them they are in proportion",
		fmt.Sprintf("%.3g evaluations for a position at %d simulations and %.2g µs of a worker beside each, as self-play has just had; with other simulations in proportion",
			b.perPosition, b.simulations, b.beside*1e6),
		fmt.Sprintf("%.3g positions a game, as in games of an untrained network; trained ones play longer or shorter games", b.perGame),
		fmt.Sprintf("%.3g samples of training for each position, self-play and training in turn on all threads, all of the night; ratings, shards, and the ends of generations, when few games are left, take some of it", b.passes),
	}
	if t := &b.teacher; t.Player != "" {
		list = append(list, fmt.Sprintf("all games are reckoned as the network's own; the teacher %s plays %.0f %% of those of generation 0, falling to none at generation %d",
			t.Player, 100*t.Share, t.Generations))
	}
	return list
}

// finalRate is the learning rate that a night ends with, as a part of the one it
// begins with.
const finalRate = 0.1

// settings are the keys that differ from the configuration's defaults in a night
// as chosen.
func settings(cfg *plan.Config, n *Night) []Setting {
	c := n.Candidates[slices.IndexFunc(n.Candidates, func(c Candidate) bool { return c.Network == n.Choice.Network })]
	list := []Setting{
		{"budget", (time.Duration(n.Hours * float64(time.Hour))).Round(time.Second).String()},
		{"model.blocks", strconv.Itoa(c.size.blocks)},
		{"model.channels", strconv.Itoa(c.size.channels)},
		{"self_play.search.simulations", strconv.Itoa(n.Choice.Simulations)},
	}
	if cfg.Train.DecayShare == 0 { // else the budget decides how the rate falls
		list = append(list,
			Setting{"train.decay_steps", strconv.FormatInt(decaySteps(n.Choice.Steps, cfg.Train.WarmupSteps), 10)},
			Setting{"train.final_learning_rate", strconv.FormatFloat(cfg.Train.LearningRate*finalRate, 'g', 3, 64)})
	}
	if len(cfg.Growth) > 0 {
		list = append(list, Setting{"growth", "[]"}) // it is made for another network
	}
	if cfg.SelfPlay.FirstSimulations > 0 {
		list = append(list, Setting{"self_play.first_simulations", "0"}) // the prediction is of whole searches all night
	}
	return list
}

// decaySteps is the length of the schedule in two digits: a prediction has no more.
func decaySteps(steps float64, warmup int64) int64 {
	rest := max(steps-float64(warmup), 1)
	unit := math.Pow(10, math.Floor(math.Log10(rest))-1)
	return int64(math.Max(1, math.Round(rest/unit)*unit))
}
