package run

import (
	"maps"
	"math"
	"slices"

	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/rundir"
)

// tally sums up finished games. It takes them in order of number, whether they
// were just played or read back from a shard, so that its sums are the same.
type tally struct {
	games, positions, turns, draws int
	firstPoints                    float64
	resignations                   record.Resignations
	rules                          rulesTally

	ends          map[string]int64
	full, targets int
	// taught games, with taughtRows, were played by the teacher; taughtDraws of them
	// were drawn.
	taught, taughtDraws, taughtRows int
	// values sums root values in the first player's view; entropies and surprises
	// are of the targets.
	values, entropies, surprises float64

	network, root reliability // of the two values
	played        playedGames
}

// add takes a game of that many turns: its rows, its rules word, its result for the first player
// as +1, 0 or -1, and the reason of its end.
func (t *tally) add(rows []record.Row, rules string, turns int, firstOutcome float64, reason string) {
	t.games++
	t.positions += len(rows)
	t.turns += turns
	if firstOutcome == 0 {
		t.draws++
	}
	t.firstPoints += (1 + firstOutcome) / 2
	if t.ends == nil {
		t.ends, t.rules = map[string]int64{}, rulesTally{}
	}
	t.ends[reason]++
	t.resignations.Add(rows)
	t.rules.add(rules, turns, firstOutcome)
	t.played.add(rows)
	if len(rows) > 0 && rows[0].Taught() { // nothing was searched
		t.taught++
		t.taughtRows += len(rows)
		if firstOutcome == 0 {
			t.taughtDraws++
		}
		return
	}
	t.network.add(rows, func(r *record.Row) float32 { return r.NetworkValue })
	t.root.add(rows, func(r *record.Row) float32 { return r.RootValue })
	for i := range rows {
		r := &rows[i]
		// Rows just played have not been rounded yet.
		value := float64(record.RoundValue(r.RootValue))
		if r.Player == 1 {
			value = -value
		}
		t.values += value
		if r.Full {
			t.full++
		}
		if len(r.Policy) > 0 {
			t.targets++
			t.entropies += entropy(r.Policy)
			t.surprises += float64(record.RoundValue(r.Surprise))
		}
	}
}

// count adds games read back from a shard to the tally.
func (t *tally) count(rows []record.Row) {
	for i := 0; i < len(rows); {
		r := &rows[i]
		n := i
		for n < len(rows) && rows[n].GameNumber == r.GameNumber {
			n++
		}
		first := float64(r.Outcome)
		if r.Player == 1 {
			first = -first
		}
		t.add(rows[i:n], r.Rules, int(r.Turn+r.TurnsLeft), first, r.Reason)
		i = n
	}
}

// describe sets what e says of the games except their number and rates, also by
// rules if they are a mix.
func (t *tally) describe(e *rundir.SelfPlayEvent, mixed bool) {
	if mixed {
		e.Rules = t.rules.events()
	}
	e.Resigned, e.PlayedOn, e.WronglyResigned = t.resignations.Resigned, t.resignations.PlayedOn, t.resignations.Wrong
	e.Advice = t.resignations.Advice()
	e.Taught, e.TaughtDraws = t.taught, t.taughtDraws
	if t.games > 0 {
		n := float64(t.games)
		e.MeanTurns, e.DrawRate, e.FirstScore = float64(t.turns)/n, float64(t.draws)/n, t.firstPoints/n
	}
}

// entropy is the entropy of a policy target, in nats.
func entropy(policy []uint16) (nats float64) {
	for _, p := range policy {
		if p > 0 {
			share := float64(p) / record.PolicyOne
			nats -= share * math.Log(share)
		}
	}
	return nats
}

// fill sets what m says of the games except rates.
func (t *tally) fill(m *rundir.Metrics) {
	m.NewGames, m.NewPositions = int64(t.games), int64(t.positions)
	m.Ends = nil
	for _, reason := range slices.Sorted(maps.Keys(t.ends)) {
		m.Ends = append(m.Ends, rundir.EndCount{Reason: reason, Games: t.ends[reason]})
	}
	if t.games > 0 {
		n := float64(t.games)
		m.MeanTurns, m.DrawRate, m.FirstScore = float64(t.turns)/n, float64(t.draws)/n, t.firstPoints/n
	}
	m.PlayedOn, m.WronglyResigned = int64(t.resignations.PlayedOn), int64(t.resignations.Wrong)
	m.TaughtGames, m.TaughtDraws = int64(t.taught), int64(t.taughtDraws)
	if searched := t.positions - t.taughtRows; searched > 0 {
		n := float64(searched)
		m.MeanRootValue, m.FullShare = t.values/n, float64(t.full)/n
	}
	if t.targets > 0 {
		n := float64(t.targets)
		m.PolicyEntropy, m.Surprise = t.entropies/n, t.surprises/n
	}
	m.RepeatedGames, m.GamesAgain = t.played.repeated, t.played.again
	f := t.network.figures()
	m.ValueBins, m.ValueCalibration, m.ValueExplained, m.ValueSlope, m.ValueSlopeError = t.network.points(), f.calibration, f.explained, f.slope, f.slopeError
	f = t.root.figures()
	m.RootBins, m.RootCalibration, m.RootExplained, m.RootSlope, m.RootSlopeError = t.root.points(), f.calibration, f.explained, f.slope, f.slopeError
}
