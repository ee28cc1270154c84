package heuristics

import (
	"math"
	"slices"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/stats/resample"
	"github.com/ludozero/ludozero/study"
	"gonum.org/v1/gonum/stat/distuv"
)

// MinGames is how many games a mean must come from to be tested; below that a few odd
// games decide.
const MinGames = 10

// Alpha is the share of families of tests in which chance alone would find anything.
const Alpha = 0.05

// Input is all that a result follows from.
type Input struct {
	GameVersion int
	Rules       string
	// Networks are the words for the networks in their order, Weights their hashes.
	Networks []string
	Weights  map[string]string
	Config   Config
	// Matches are played by each rule's player against the control, in the order of
	// Rules, in the view of the player with the rule.
	Matches []*match.Result
	// Asked are the choices, Verdicts those of the networks on each.
	Asked    []Asked
	Verdicts [][]Verdict
	// Observed is what games show, Source says which games.
	Observed []Observed
	Source   string
	Command  string
	// Stopped is nil unless a limit ended the test.
	Stopped *study.Stop
}

// Config is what a result depends on besides players.
type Config struct {
	// Pairs of games of each rule against the control, at Depth player turns.
	Pairs int `json:"pairs"`
	Depth int `json:"depth"`
	// Games that choices are drawn from, with Sims simulations a move; Sampled
	// decisions of each player are drawn from its policy.
	Games   int `json:"games"`
	Sims    int `json:"sims"`
	Sampled int `json:"sampled"`
	// PerGame and Most bound the choices, see Limits; ChooseSims and JudgeSims are the
	// simulations of the searches that are asked.
	PerGame    int    `json:"per_game"`
	Most       int    `json:"most"`
	ChooseSims int    `json:"choose_sims"`
	JudgeSims  int    `json:"judge_sims"`
	MaxTurns   int    `json:"max_turns"`
	Seed       uint64 `json:"seed"`
}

// Until are the sizes at the end of a round, counted from 1.
func (c Config) Until(round, rounds int) Config {
	c.Pairs, c.Most = match.Share(c.Pairs, round, rounds), match.Share(c.Most, round, rounds)
	c.Games = 2 * match.Share(c.Games/2, round, rounds)
	return c
}

// Finding is what a test, or all tests of a rule, say about it.
type Finding string

// The findings.
const (
	Supported   Finding = "supported"
	Contradict  Finding = "not supported" // the data say the opposite
	CannotTell  Finding = "cannot tell"
	PartsDiffer Finding = "parts disagree"
)

// Test is one of the declared hypotheses: that a value is above 0 if the rule holds.
type Test struct {
	// P is two-sided and of the first network alone, Holm what it becomes by Holm's
	// correction over all declared tests; 1 where there are too few games.
	P       float64 `json:"p"`
	Holm    float64 `json:"holm"`
	Finding Finding `json:"finding"`
	// Agreement says what the other networks say; empty for games.
	Agreement string `json:"agreement,omitempty"`

	value  float64 // above 0 if it speaks for the rule
	others []opinion
}

// opinion is the sign that another network's value has, and whether its interval of 95 %
// leaves out 0.
type opinion struct {
	value float64
	clear bool
}

// Gain is what one network makes of a question at some levels.
type Gain struct {
	Network   string            `json:"network"`
	Questions int               `json:"questions"`
	Games     int               `json:"games"`
	Gain      resample.Estimate `json:"-"`
	Interval  rating.Estimate   `json:"gain"`
}

// ClaimResult is a claim and what searches expect.
type ClaimResult struct {
	Claim
	Text  string `json:"text"`
	Gains []Gain `json:"gains"`
	Test  `json:"test"`
}

// OrderResult is an order and what searches expect; Gains are differences.
type OrderResult struct {
	Order
	Text  string `json:"text"`
	Gains []Gain `json:"gains"`
	Test  `json:"test"`
}

// OnOff is the match of a rule's player against the control.
type OnOff struct {
	Games   int             `json:"games"`
	Won     int             `json:"won"`
	Drawn   int             `json:"drawn"`
	Lost    int             `json:"lost"`
	Score   rating.Estimate `json:"score"`
	Elo     rating.Estimate `json:"elo"`
	Repeats int             `json:"repeated_pairs"`
	Test    `json:"test"`
}

// Seen is what games show of a rule; nothing follows from it.
type Seen struct {
	Decisions int `json:"decisions"`
	Games     int `json:"games"`
	// Share is of the decisions that obey. The scores are of who decided in games, in
	// decisions that obey and that break it.
	Share      rating.Estimate `json:"obeyed"`
	Obeying    rating.Estimate `json:"score_obeying"`
	Breaking   rating.Estimate `json:"score_breaking"`
	Difference rating.Estimate `json:"difference"`
}

// RuleResult is all about one rule.
type RuleResult struct {
	Rule
	OnOff  OnOff         `json:"on_off"`
	Claims []ClaimResult `json:"regret"`
	Order  *OrderResult  `json:"regret_order,omitempty"`
	// Regret is what claims and order say together.
	Regret  Finding `json:"regret_finding"`
	Seen    Seen    `json:"observed"`
	Finding Finding `json:"finding"`
}

// Situation is a question at one level.
type Situation struct {
	Question string `json:"question"`
	Act      string `json:"act"`
	Else     string `json:"else"`
	Level    string `json:"level"`
	Gains    []Gain `json:"gains"`
	// Prefers is how often the network that chose for the first one would rather have
	// the act; Taken and Left are the first network's gains where it would, and where
	// it would not.
	Prefers rating.Estimate `json:"act_preferred"`
	Taken   rating.Estimate `json:"gain_where_preferred"`
	Left    rating.Estimate `json:"gain_where_not"`
}

// Result is the report's figures.
type Result struct {
	Game        string            `json:"game"`
	GameVersion int               `json:"game_version"`
	Rules       string            `json:"rules"`
	Networks    []string          `json:"networks"`
	Weights     map[string]string `json:"weights"`
	Config      Config            `json:"config"`
	// Tests is the size of the declared family.
	Tests      int          `json:"tests"`
	Heuristics []RuleResult `json:"heuristics"`
	Situations []Situation  `json:"situations"`
	// Source says which games were observed, Games how many.
	Source  string      `json:"observed_source"`
	Games   int         `json:"observed_games"`
	Summary []string    `json:"summary"`
	Command string      `json:"command"`
	Stopped *study.Stop `json:"stopped,omitempty"`
}

// Build makes the result of in. Random numbers of intervals follow from the seed.
func Build(in *Input) *Result {
	b := &builder{in: in, opt: resample.Options{Seed: seed.Number(in.Config.Seed, "heuristics intervals", 0)}}
	r := &Result{
		Game: "konreh", GameVersion: in.GameVersion, Rules: in.Rules, Networks: in.Networks, Weights: in.Weights, Config: in.Config,
		Source: in.Source, Games: len(in.Observed), Command: in.Command, Stopped: in.Stopped,
	}
	for i := range rules {
		r.Heuristics = append(r.Heuristics, b.rule(i))
	}
	tests := r.tests()
	r.Tests = len(tests)
	decide(tests)
	for i := range r.Heuristics {
		r.Heuristics[i].conclude()
	}
	for q := range questions {
		for level := range questions[q].Levels {
			r.Situations = append(r.Situations, b.situation(q, level))
		}
	}
	r.Summary = r.summary()
	return r
}

// tests lists the declared family.
func (r *Result) tests() []*Test {
	var list []*Test
	for i := range r.Heuristics {
		h := &r.Heuristics[i]
		list = append(list, &h.OnOff.Test)
		h.regretTests(func(_, _ string, _ []Gain, t *Test) { list = append(list, t) })
	}
	return list
}

// decide corrects the p-values for their number and says what each test finds.
func decide(tests []*Test) {
	p := make([]float64, len(tests))
	for i, t := range tests {
		p[i] = t.P
	}
	for i, holm := range resample.Holm(p) {
		tests[i].Holm = holm
	}
	for _, t := range tests {
		t.Finding = CannotTell
		agreed := t.agree()
		if t.Holm >= Alpha || !agreed {
			continue
		}
		if t.Finding = Contradict; t.value > 0 {
			t.Finding = Supported
		}
	}
}

// agree tells whether all other networks' values have the sign of the first one's and at
// least one of them is clear of 0; it says so in words. Without others there is nobody
// to disagree.
func (t *Test) agree() bool {
	if len(t.others) == 0 {
		return true
	}
	same, clear := true, false
	for _, o := range t.others {
		if o.value*t.value <= 0 || math.IsNaN(o.value) {
			same = false
		} else if o.clear {
			clear = true
		}
	}
	switch {
	case math.IsNaN(t.value):
		t.Agreement = "no data"
	case !same:
		t.Agreement = "no"
	case clear:
		t.Agreement = "yes"
	default:
		t.Agreement = "same sign"
	}
	return same && clear
}

// conclude draws a rule's tests together.
func (h *RuleResult) conclude() {
	h.Regret = CannotTell
	contradicted, all := false, len(h.Claims) > 0
	h.regretTests(func(_, _ string, _ []Gain, t *Test) {
		contradicted = contradicted || t.Finding == Contradict
		all = all && t.Finding == Supported
	})
	switch {
	case contradicted:
		h.Regret = Contradict
	case all:
		h.Regret = Supported
	}
	parts := []Finding{h.OnOff.Finding, h.Regret}
	yes, no := slices.Contains(parts, Supported), slices.Contains(parts, Contradict)
	switch {
	case yes && no:
		h.Finding = PartsDiffer
	case yes:
		h.Finding = Supported
	case no:
		h.Finding = Contradict
	default:
		h.Finding = CannotTell
	}
}

// builder makes estimates.
type builder struct {
	in  *Input
	opt resample.Options
}

func (b *builder) rule(i int) RuleResult {
	h := RuleResult{Rule: rules[i]}
	q := questionOf(h.Question)
	h.OnOff = onOff(b.in.Matches[i])
	for _, c := range h.Rule.Claims {
		x := ClaimResult{Claim: c, Text: claimText(q, &c), Gains: b.gains(q, c.Levels, nil)}
		sign := -1.0
		if c.Better {
			sign = 1
		}
		x.Test = testOf(x.Gains, sign)
		h.Claims = append(h.Claims, x)
	}
	if o := h.Rule.Order; o != nil {
		x := &OrderResult{Order: *o, Text: orderText(q, o), Gains: b.gains(q, o.High, o.Low)}
		x.Test = testOf(x.Gains, 1)
		h.Order = x
	}
	h.Seen = b.seen(i)
	return h
}

// gains estimates the gain by each network at some levels, less the gain at others if
// less is not nil.
func (b *builder) gains(q int, levels, less []int) []Gain {
	var list []Gain
	for n := range b.in.Networks {
		of := func(x *Asked, v *Verdict) (float64, bool) { return v.Gain, true }
		plus, questions := b.parts(n, q, levels, of)
		terms := []resample.RatioTerm{{Weight: 1, Parts: plus}}
		games := gamesOf(plus)
		if less != nil {
			minus, more := b.parts(n, q, less, of)
			terms = append(terms, resample.RatioTerm{Weight: -1, Parts: minus})
			questions += more
			games = min(games, gamesOf(minus))
		}
		e := resample.Ratios(terms, b.opt)
		list = append(list, Gain{Network: b.in.Networks[n], Questions: questions, Games: games, Gain: e, Interval: e.Estimate})
	}
	return list
}

// parts sums up what of says of network n's verdicts on question q, by game.
func (b *builder) parts(n, q int, levels []int, of func(*Asked, *Verdict) (float64, bool)) (parts []resample.Part, questions int) {
	last := 0
	for i := range b.in.Asked {
		last = max(last, b.in.Asked[i].Game)
	}
	parts = make([]resample.Part, last+1)
	for i := range b.in.Asked {
		x := &b.in.Asked[i]
		if x.Question != q || !slices.Contains(levels, x.Level) {
			continue
		}
		if value, ok := of(x, &b.in.Verdicts[i][n]); ok {
			parts[x.Game].Sum += value
			parts[x.Game].Count++
			questions++
		}
	}
	return parts, questions
}

func gamesOf(parts []resample.Part) int {
	n := 0
	for _, p := range parts {
		if p.Count > 0 {
			n++
		}
	}
	return n
}

// testOf tests whether the first network's gain, with the sign that the rule gives it,
// differs from 0.
func testOf(gains []Gain, sign float64) Test {
	first := &gains[0]
	t := Test{P: 1, value: sign * first.Gain.Value}
	if first.Games >= MinGames {
		t.P = first.Gain.P()
	}
	for i := range gains[1:] {
		g := &gains[1+i]
		t.others = append(t.others, opinion{sign * g.Gain.Value, g.Games >= MinGames && (g.Gain.Low > 0 || g.Gain.High < 0)})
	}
	return t
}

// onOff sums up a match. Its p-value goes by the same variance of pairs as the interval
// of the score: with half a pair of two losses and half a pair of two wins added, and as
// much evidence as there are different pairs (rating.PairCounts.Score).
func onOff(m *match.Result) OnOff {
	o := OnOff{Games: m.Tally.Games(), Won: m.Wins, Drawn: m.Draws, Lost: m.Losses, Score: m.Score, Elo: m.Elo, Repeats: m.RepeatedPairs, Test: Test{P: 1}}
	pairs := float64(m.Pairs.Pairs())
	independent := pairs - float64(m.RepeatedPairs)
	o.value = m.Score.Value - 0.5
	if pairs < MinGames || independent < 2 {
		return o
	}
	sum, squares := 0.0, 0.0
	for half, count := range m.Pairs {
		n, x := float64(count), float64(half)/4
		if half == 0 || half == 4 {
			n += 0.5
		}
		sum += n * x
		squares += n * x * x
	}
	mean := sum / (pairs + 1)
	variance := squares/(pairs+1) - mean*mean
	t := math.Abs(o.value) / math.Sqrt(variance/independent)
	o.P = 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: independent}.CDF(-t)
	return o
}

// seen sums up what games show of rule i.
func (b *builder) seen(i int) Seen {
	games := len(b.in.Observed)
	kept, obeyed, broke := make([]resample.Part, games), make([]resample.Part, games), make([]resample.Part, games)
	s := Seen{}
	for g := range b.in.Observed {
		o := &b.in.Observed[g]
		obeyed[g], broke[g] = o.Obeyed[i], o.Broke[i]
		kept[g] = resample.Part{Sum: obeyed[g].Count, Count: obeyed[g].Count + broke[g].Count}
		s.Decisions += int(kept[g].Count)
	}
	s.Games = gamesOf(kept)
	if games == 0 {
		none := rating.Estimate{Value: math.NaN(), Low: math.Inf(-1), High: math.Inf(1)}
		s.Share, s.Obeying, s.Breaking, s.Difference = none, none, none, none
		return s
	}
	mean := func(terms ...resample.RatioTerm) rating.Estimate { return resample.Ratios(terms, b.opt).Estimate }
	s.Share = share(mean(resample.RatioTerm{Weight: 1, Parts: kept}))
	s.Obeying = share(mean(resample.RatioTerm{Weight: 1, Parts: obeyed}))
	s.Breaking = share(mean(resample.RatioTerm{Weight: 1, Parts: broke}))
	s.Difference = mean(resample.RatioTerm{Weight: 1, Parts: obeyed}, resample.RatioTerm{Weight: -1, Parts: broke})
	return s
}

// share cuts the interval of a share or score where there are none; unknown ends stay.
func share(e rating.Estimate) rating.Estimate {
	if !math.IsInf(e.Low, 0) {
		e.Low, e.High = max(0, e.Low), min(1, e.High)
	}
	return e
}

func (b *builder) situation(q, level int) Situation {
	x := &questions[q]
	s := Situation{Question: x.ID, Act: x.Act, Else: x.Else, Level: x.Levels[level], Gains: b.gains(q, []int{level}, nil)}
	of := func(f func(v *Verdict) (float64, bool)) rating.Estimate {
		parts, _ := b.parts(0, q, []int{level}, func(_ *Asked, v *Verdict) (float64, bool) { return f(v) })
		return resample.Ratios([]resample.RatioTerm{{Weight: 1, Parts: parts}}, b.opt).Estimate
	}
	s.Prefers = share(of(func(v *Verdict) (float64, bool) {
		if v.Prefers {
			return 1, true
		}
		return 0, true
	}))
	s.Taken = of(func(v *Verdict) (float64, bool) { return v.Gain, v.Prefers })
	s.Left = of(func(v *Verdict) (float64, bool) { return v.Gain, !v.Prefers })
	return s
}
