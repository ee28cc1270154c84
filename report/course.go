package report

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/stats/interval"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/train/rundir"
)

// maxStages bounds the points of a curve. Figures of some hundred games are noisy:
// more points would show more noise, and a report of a long run stays small.
const maxStages = 60

// weight says what a figure is a mean over.
type weight int

const (
	perGame weight = iota
	perPosition
	perStep
	perRow  // a generation, the same for each
	newest  // the last value, not a mean
	largest // the largest value
)

// column takes a figure from rows of metrics to a stage.
type column struct {
	name string // of its line in a chart
	by   weight
	// of is the figure of a row, NaN if it is unknown.
	of func(*rundir.Metrics) float64
	to func(*Figures) *Number
}

var columns = []column{
	{"mean turns", perGame, func(m *rundir.Metrics) float64 { return m.MeanTurns }, func(f *Figures) *Number { return &f.Turns }},
	{"root value", perPosition, func(m *rundir.Metrics) float64 { return searched(m, m.MeanRootValue) }, func(f *Figures) *Number { return &f.RootValue }},
	{"policy entropy", perPosition, func(m *rundir.Metrics) float64 { return some(m.PolicyEntropy) }, func(f *Figures) *Number { return &f.PolicyEntropy }},
	{"surprise", perPosition, func(m *rundir.Metrics) float64 { return some(m.Surprise) }, func(f *Figures) *Number { return &f.Surprise }},
	{"full searches", perPosition, func(m *rundir.Metrics) float64 { return searched(m, m.FullShare) }, func(f *Figures) *Number { return &f.FullShare }},
	{"repeated", perGame, func(m *rundir.Metrics) float64 { return binned(m, ratio(m.RepeatedGames, m.NewGames)) }, func(f *Figures) *Number { return &f.RepeatedShare }},
	{"had before", perGame, func(m *rundir.Metrics) float64 { return binned(m, ratio(m.GamesAgain, m.NewGames)) }, func(f *Figures) *Number { return &f.AgainShare }},
	{"network error", perPosition, func(m *rundir.Metrics) float64 { return binned(m, m.ValueCalibration) }, func(f *Figures) *Number { return &f.ValueCalibration }},
	{"network explains", perPosition, func(m *rundir.Metrics) float64 { return binned(m, m.ValueExplained) }, func(f *Figures) *Number { return &f.ValueExplained }},
	{"slope", perPosition, func(m *rundir.Metrics) float64 { return binned(m, m.ValueSlope) }, func(f *Figures) *Number { return &f.ValueSlope }},
	{"search error", perPosition, func(m *rundir.Metrics) float64 { return binned(m, m.RootCalibration) }, func(f *Figures) *Number { return &f.RootCalibration }},
	{"search explains", perPosition, func(m *rundir.Metrics) float64 { return binned(m, m.RootExplained) }, func(f *Figures) *Number { return &f.RootExplained }},
	{"policy loss", perStep, func(m *rundir.Metrics) float64 { return some(m.PolicyLoss) }, func(f *Figures) *Number { return &f.PolicyLoss }},
	{"policy floor", perStep, func(m *rundir.Metrics) float64 { return some(m.PolicyFloor) }, func(f *Figures) *Number { return &f.PolicyFloor }},
	{"value loss", perStep, func(m *rundir.Metrics) float64 { return some(m.ValueLoss) }, func(f *Figures) *Number { return &f.ValueLoss }},
	{"value floor", perStep, func(m *rundir.Metrics) float64 { return some(m.ValueFloor) }, func(f *Figures) *Number { return &f.ValueFloor }},
	{"turns loss", perStep, func(m *rundir.Metrics) float64 { return some(m.TurnsLoss) }, func(f *Figures) *Number { return &f.TurnsLoss }},
	{"reply loss", perStep, func(m *rundir.Metrics) float64 { return some(m.ReplyLoss) }, func(f *Figures) *Number { return &f.ReplyLoss }},
	{"reply floor", perStep, func(m *rundir.Metrics) float64 { return some(m.ReplyFloor) }, func(f *Figures) *Number { return &f.ReplyFloor }},
	{"mean norm", perStep, func(m *rundir.Metrics) float64 { return some(m.GradientNorm) }, func(f *Figures) *Number { return &f.GradientNorm }},
	{"largest norm", largest, func(m *rundir.Metrics) float64 { return some(m.GradientNormMax) }, func(f *Figures) *Number { return &f.GradientNormMax }},
	{"clipped", perStep, func(m *rundir.Metrics) float64 { return clipped(m) }, func(f *Figures) *Number { return &f.ClippedShare }},
	{"learning rate", newest, func(m *rundir.Metrics) float64 { return m.LearningRate }, func(f *Figures) *Number { return &f.LearningRate }},
	{"mean age", perStep, func(m *rundir.Metrics) float64 { return m.MeanAge }, func(f *Figures) *Number { return &f.MeanAge }},
	{"window", newest, func(m *rundir.Metrics) float64 { return float64(m.WindowPositions) }, func(f *Figures) *Number { return &f.Window }},
	{"search to network", perRow, func(m *rundir.Metrics) float64 { return frozen(m, m.FrozenDivergence) }, func(f *Figures) *Number { return &f.FrozenDivergence }},
	{"network's entropy", perRow, func(m *rundir.Metrics) float64 { return frozen(m, m.FrozenEntropy) }, func(f *Figures) *Number { return &f.FrozenEntropy }},
	{"search's entropy", perRow, func(m *rundir.Metrics) float64 { return frozen(m, m.FrozenSearchEntropy) }, func(f *Figures) *Number { return &f.FrozenSearchEntropy }},
	{"gap to search", perRow, func(m *rundir.Metrics) float64 { return frozen(m, m.FrozenValueGap) }, func(f *Figures) *Number { return &f.FrozenValueGap }},
	{"network to former", perRow, func(m *rundir.Metrics) float64 { return frozen(m, m.FrozenDrift) }, func(f *Figures) *Number { return &f.FrozenDrift }},
	{"change", perRow, func(m *rundir.Metrics) float64 { return frozen(m, m.FrozenValueDrift) }, func(f *Figures) *Number { return &f.FrozenValueDrift }},
	{"positions/s", perRow, func(m *rundir.Metrics) float64 { return some(m.PositionsPerSecond) }, func(f *Figures) *Number { return &f.PositionsPerSecond }},
	{"evaluations/s", perRow, func(m *rundir.Metrics) float64 { return some(m.EvaluationsPerSecond) }, func(f *Figures) *Number { return &f.EvaluationsPerSecond }},
	{"cached", perRow, func(m *rundir.Metrics) float64 { return some(m.CacheHits) }, func(f *Figures) *Number { return &f.CacheHits }},
	{"samples/s", perRow, func(m *rundir.Metrics) float64 { return some(m.SamplesPerSecond) }, func(f *Figures) *Number { return &f.SamplesPerSecond }},
	{"resident bytes", largest, func(m *rundir.Metrics) float64 { return some(float64(m.ResidentBytes)) }, func(f *Figures) *Number { return &f.Memory }},
}

// some is a figure for which 0 means unknown.
func some(v float64) float64 {
	if v == 0 {
		return math.NaN()
	}
	return v
}

// searched is a figure of searches, of which there are none where a teacher played all
// games.
func searched(m *rundir.Metrics, v float64) float64 {
	if m.TaughtGames >= m.NewGames {
		return math.NaN()
	}
	return v
}

// binned is a figure that runs of earlier programs lack, as they lack the reliability
// curve.
func binned(m *rundir.Metrics, v float64) float64 {
	if !hasBins(m) {
		return math.NaN()
	}
	return v
}

// hasBins reports whether there is a reliability curve. A file without the column may
// read as one empty bin.
func hasBins(m *rundir.Metrics) bool {
	return slices.ContainsFunc(m.ValueBins, func(b rundir.ValueBin) bool { return b.Positions > 0 })
}

// clipped is the share of clipped steps. Runs of earlier programs lack it, as they
// lack the largest gradient.
func clipped(m *rundir.Metrics) float64 {
	if m.GradientNormMax == 0 {
		return math.NaN()
	}
	return ratio(m.ClippedSteps, m.Steps)
}

// frozen is a figure on the frozen set, which runs of earlier programs lack.
func frozen(m *rundir.Metrics, v float64) float64 {
	if m.FrozenPositions == 0 {
		return math.NaN()
	}
	return v
}

// ratio is n of all, NaN of nothing.
func ratio(n, all int64) float64 { return float64(n) / float64(all) }

// over is the weight of m in a mean of the column.
func (c *column) over(m *rundir.Metrics) float64 {
	switch c.by {
	case perGame:
		return float64(m.NewGames)
	case perPosition:
		return float64(m.NewPositions)
	case perStep:
		return float64(m.Steps)
	}
	return 1
}

// figure is the column's figure of some rows.
func (c *column) figure(rows []rundir.Metrics) Number {
	sum, n, most, last := 0.0, 0.0, math.NaN(), math.NaN()
	for i := range rows {
		v, w := c.of(&rows[i]), c.over(&rows[i])
		if w == 0 || math.IsNaN(v) {
			continue
		}
		sum, n, last = sum+v*w, n+w, v
		if !(most >= v) {
			most = v
		}
	}
	switch c.by {
	case newest:
		return Number(last)
	case largest:
		return Number(most)
	}
	return Number(sum / n) // NaN without any
}

// course sums rows up in at most maxStages stages of equally many rows.
func course(rows []rundir.Metrics) []Stage {
	stages := []Stage{}
	for part := range slices.Chunk(rows, max(1, (len(rows)+maxStages-1)/maxStages)) {
		stages = append(stages, stageOf(part))
	}
	return stages
}

func stageOf(rows []rundir.Metrics) Stage {
	last := &rows[len(rows)-1]
	s := Stage{First: int(rows[0].Generation), Last: int(last.Generation), Learned: seconds(last.LearnedSeconds), CoreSeconds: Number(some(last.CoreSeconds)), Ends: []rundir.EndCount{}}
	points, draws, taughtDraws := 0.0, 0.0, int64(0)
	for i := range rows {
		m := &rows[i]
		s.NewGames += m.NewGames
		s.NewPositions += m.NewPositions
		s.Steps += m.Steps
		n := float64(m.NewGames)
		draws += math.Round(m.DrawRate * n)
		points += m.FirstScore * n
		s.TaughtGames += m.TaughtGames
		taughtDraws += m.TaughtDraws
		s.RepeatedGames += m.RepeatedGames
		for _, e := range m.Ends {
			at, found := slices.BinarySearchFunc(s.Ends, e.Reason, func(x rundir.EndCount, reason string) int { return cmp.Compare(x.Reason, reason) })
			if !found {
				s.Ends = slices.Insert(s.Ends, at, rundir.EndCount{Reason: e.Reason})
			}
			s.Ends[at].Games += e.Games
		}
	}
	s.Drawn, s.FirstScore = s.share(draws), unknown
	own := float64(s.NewGames - s.TaughtGames)
	if s.OwnDrawn = unknown; own > 0 {
		s.OwnDrawn = wilson((draws-float64(taughtDraws))/own, max(1, own-float64(s.RepeatedGames)))
	}
	if n := float64(s.NewGames); n > 0 {
		score := census.ScoreOfPoints(points/n*s.evidence(), s.evidence())
		s.FirstScore = rating.Estimate{Value: points / n, Low: score.Low, High: score.High}
	}
	for i := range columns {
		*columns[i].to(&s.Figures) = columns[i].figure(rows)
	}
	return s
}

// evidence is the number of games without those that repeat another.
func (s *Stage) evidence() float64 { return float64(max(1, s.NewGames-s.RepeatedGames)) }

// share is n of the stage's games with Wilson's interval of 95 %.
func (s *Stage) share(n float64) rating.Estimate {
	return wilson(n/float64(s.NewGames), s.evidence())
}

// unknown is the estimate without any data.
var unknown = rating.Estimate{Value: math.NaN(), Low: math.Inf(-1), High: math.Inf(1)}

// share is n of the games that d describes with Wilson's interval of 95 %.
func share(n int, d *census.Summary) rating.Estimate {
	return wilson(float64(n)/float64(d.Games), d.Evidence())
}

// wilson is a share p of games with its interval; unknown if p is not a number.
func wilson(p, games float64) rating.Estimate {
	if math.IsNaN(p) {
		return unknown
	}
	low, high := interval.Wilson(p, games, interval.Normal95)
	return rating.Estimate{Value: p, Low: low, High: high}
}

// firstScore is the first player's score in the games that d describes with its interval of 95 %.
func firstScore(d *census.Summary) rating.Estimate {
	s := d.Score()
	return rating.Estimate{Value: s.Value, Low: s.Low, High: s.High}
}

// seconds is a number of seconds as a time.
func seconds(s float64) time.Duration { return time.Duration(math.Round(s * float64(time.Second))) }
