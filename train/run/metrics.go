package run

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/seal"
)

// metricsVersion changes when a column means something else than before or is
// gone. New columns need no new version: old rows have them null or zero.
const metricsVersion = 1

// metricsKind tells the metrics of a run from other Parquet files.
const metricsKind = "metrics"

// Keys of the metadata of the metrics file.
const (
	kindKey       = "ludozero.kind"
	formatKey     = "ludozero.format"
	runKey        = "ludozero.run"
	configHashKey = "ludozero.config_hash"
)

// Metrics is what can be said of one trained generation: the games of the
// network before it, and the training on them that made it. It is a row of the
// run's metrics file and part of its checkpoint's state, from which the file is
// made again after a kill. In both a name is the same. What is marked optional
// is null if it is not known or there was nothing to take it of.
//
// The same run, interrupted or not, gives the same values but for those that
// Repeatable leaves out.
//
// A new column is a new field at the end of its group, with a value set where
// the group is: see tally.fill, Metrics.rates, lesson.fill, Metrics.frozen,
// processFigures.
type Metrics struct {
	// Generation is that of the checkpoint, from 1. Step, Games and Positions
	// are all that the run has learned from by then, as in State.
	Generation int32 `parquet:"generation" json:"generation"`
	Step       int64 `parquet:"step" json:"step,omitempty"`
	Games      int64 `parquet:"games" json:"games,omitempty"`
	Positions  int64 `parquet:"positions" json:"positions,omitempty"`
	// LearnedSeconds is the time spent learning, over all processes.
	LearnedSeconds float64 `parquet:"learned_seconds" json:"learned_seconds,omitempty"`

	// NewGames were played by generation Generation-1, in a concurrent run also by
	// some before it, NewPositions recorded in them.
	NewGames     int64 `parquet:"new_games" json:"new_games,omitempty"`
	NewPositions int64 `parquet:"new_positions" json:"new_positions,omitempty"`
	// MeanTurns is the length of the games in player turns, DrawRate the share of
	// draws, FirstScore the first player's points per game, a draw counting one
	// half.
	MeanTurns  float64 `parquet:"mean_turns" json:"mean_turns,omitempty"`
	DrawRate   float64 `parquet:"draw_rate" json:"draw_rate,omitempty"`
	FirstScore float64 `parquet:"first_score" json:"first_score,omitempty"`
	// Ends counts the games by the reason of their end, in order of reason.
	Ends []EndCount `parquet:"ends,list" json:"ends,omitempty"`
	// MeanRootValue is the mean value of the searches in [-1, 1], in the first
	// player's view: what 2·FirstScore - 1 was thought to be.
	MeanRootValue float64 `parquet:"mean_root_value" json:"mean_root_value,omitempty"`
	// PolicyEntropy is the mean entropy of the policy targets, in nats.
	PolicyEntropy float64 `parquet:"policy_entropy,optional" json:"policy_entropy,omitempty"`
	// FullShare is the share of the positions that were searched in full.
	FullShare float64 `parquet:"full_share" json:"full_share,omitempty"`
	// PositionsPerSecond and EvaluationsPerSecond are of the process that ended
	// the games, null if it found them all played.
	PositionsPerSecond   float64 `parquet:"positions_per_second,optional" json:"positions_per_second,omitempty"`
	EvaluationsPerSecond float64 `parquet:"evaluations_per_second,optional" json:"evaluations_per_second,omitempty"`
	// CacheHits is the share of evaluations that a cache spared the network, by
	// the same process.
	CacheHits float64 `parquet:"cache_hits,optional" json:"cache_hits,omitempty"`
	// Surprise is the mean divergence of the policy targets from the network's
	// prior, in nats.
	Surprise float64 `parquet:"surprise,optional" json:"surprise,omitempty"`
	// PlayedOn counts the games that were played on though a player would have
	// resigned, WronglyResigned those of them that this player did not lose.
	PlayedOn        int64 `parquet:"played_on" json:"played_on,omitempty"`
	WronglyResigned int64 `parquet:"wrongly_resigned" json:"wrongly_resigned,omitempty"`
	// RepeatedGames are those of the games that are, from first action to last and
	// by the same rules, one before them among the same games.
	RepeatedGames int64 `parquet:"repeated_games" json:"repeated_games,omitempty"`
	// ValueBins are the reliability curve of the network's own value of the
	// recorded positions, in ten bins. ValueCalibration is its mean distance from
	// the diagonal, weighed by positions. ValueExplained is the share of the
	// outcomes' variance that the value explains, 1 - Var(outcome - value) /
	// Var(outcome): 1 is all, 0 nothing, and below 0 a constant would be nearer.
	// ValueSlope is that of the regression of outcome on value: 1 if the value is
	// calibrated, less if it is too sure of itself, more if it is too cautious,
	// below 0 if its sign is wrong; ValueSlopeError is its standard error, with
	// games as clusters. All of it in the acting player's view; 0 where value or
	// outcome does not vary.
	ValueBins        []ValueBin `parquet:"value_bins,list" json:"value_bins,omitempty"`
	ValueCalibration float64    `parquet:"value_calibration" json:"value_calibration,omitempty"`
	ValueExplained   float64    `parquet:"value_explained" json:"value_explained,omitempty"`
	ValueSlope       float64    `parquet:"value_slope" json:"value_slope,omitempty"`
	ValueSlopeError  float64    `parquet:"value_slope_error" json:"value_slope_error,omitempty"`
	// RootBins and the rest are the same of the value that the search came to.
	RootBins        []ValueBin `parquet:"root_bins,list" json:"root_bins,omitempty"`
	RootCalibration float64    `parquet:"root_calibration" json:"root_calibration,omitempty"`
	RootExplained   float64    `parquet:"root_explained" json:"root_explained,omitempty"`
	RootSlope       float64    `parquet:"root_slope" json:"root_slope,omitempty"`
	RootSlopeError  float64    `parquet:"root_slope_error" json:"root_slope_error,omitempty"`
	// GamesAgain are those of the games that the generation before has learned
	// from, too; as in RepeatedGames they are the same from first action to last.
	GamesAgain int64 `parquet:"games_again" json:"games_again,omitempty"`

	// Steps were taken in this training, from WindowPositions positions. Losses,
	// norm and age are means over them, null if there were none.
	Steps           int64 `parquet:"steps" json:"steps,omitempty"`
	WindowPositions int64 `parquet:"window_positions" json:"window_positions,omitempty"`
	// PolicyLoss and ValueLoss are cross-entropies in nats; the floors are the
	// entropies of their targets, below which they cannot fall. TurnsLoss is the
	// Huber loss of the turns left, in units of model.TurnsUnit.
	PolicyLoss  float64 `parquet:"policy_loss,optional" json:"policy_loss,omitempty"`
	PolicyFloor float64 `parquet:"policy_floor,optional" json:"policy_floor,omitempty"`
	ValueLoss   float64 `parquet:"value_loss,optional" json:"value_loss,omitempty"`
	ValueFloor  float64 `parquet:"value_floor,optional" json:"value_floor,omitempty"`
	TurnsLoss   float64 `parquet:"turns_loss,optional" json:"turns_loss,omitempty"`
	// GradientNorm is that of the whole gradient before clipping, LearningRate
	// the rate after the last step.
	GradientNorm float64 `parquet:"gradient_norm,optional" json:"gradient_norm,omitempty"`
	LearningRate float64 `parquet:"learning_rate" json:"learning_rate,omitempty"`
	// MeanAge is how many generations before the newest network that played the
	// positions drawn were played.
	MeanAge float64 `parquet:"mean_age" json:"mean_age,omitempty"`
	// SamplesPerSecond is the speed of the training.
	SamplesPerSecond float64 `parquet:"samples_per_second,optional" json:"samples_per_second,omitempty"`
	// ReplyLoss and ReplyFloor are those of the opponent's reply, null if the
	// network has no head for it.
	ReplyLoss  float64 `parquet:"reply_loss,optional" json:"reply_loss,omitempty"`
	ReplyFloor float64 `parquet:"reply_floor,optional" json:"reply_floor,omitempty"`
	// Parameters counts the weights of the network, which may grow.
	Parameters int64 `parquet:"parameters" json:"parameters,omitempty"`
	// GradientNormMax is the largest norm of a step before clipping, ClippedSteps
	// how many steps had one above train.clip_norm and were cut down to it.
	GradientNormMax float64 `parquet:"gradient_norm_max,optional" json:"gradient_norm_max,omitempty"`
	ClippedSteps    int64   `parquet:"clipped_steps" json:"clipped_steps,omitempty"`

	// FrozenPositions are those of the frozen set, which depends on game and rules
	// alone: 64 of random play and 64 of a small search's, or fewer in small games.
	// The network that was trained is asked about them and searched with 32
	// simulations of PUCT without noise; figures are means over positions, values
	// in the acting player's view.
	FrozenPositions int64 `parquet:"frozen_positions" json:"frozen_positions,omitempty"`
	// FrozenDivergence is that of the search's visits from the network's prior, in
	// nats: what a search still adds. FrozenEntropy and FrozenSearchEntropy are of
	// prior and visits. FrozenValueGap is the distance of the root's value from
	// the network's own.
	FrozenDivergence    float64 `parquet:"frozen_divergence" json:"frozen_divergence,omitempty"`
	FrozenEntropy       float64 `parquet:"frozen_entropy" json:"frozen_entropy,omitempty"`
	FrozenSearchEntropy float64 `parquet:"frozen_search_entropy" json:"frozen_search_entropy,omitempty"`
	FrozenValueGap      float64 `parquet:"frozen_value_gap" json:"frozen_value_gap,omitempty"`
	// FrozenDrift is the divergence of the network's prior from that of the network
	// before it, in nats, FrozenValueDrift the distance of their values: 0 if
	// nothing was learned.
	FrozenDrift      float64 `parquet:"frozen_drift" json:"frozen_drift,omitempty"`
	FrozenValueDrift float64 `parquet:"frozen_value_drift" json:"frozen_value_drift,omitempty"`
	// FrozenSeconds is what these figures took, making the set included.
	FrozenSeconds float64 `parquet:"frozen_seconds" json:"frozen_seconds,omitempty"`

	// HeapBytes is the memory of the Go heap in use, ResidentBytes that of the
	// process as the system sees it, 0 where it does not say; Goroutines are
	// counted when the training is done.
	HeapBytes     int64 `parquet:"heap_bytes" json:"heap_bytes,omitempty"`
	ResidentBytes int64 `parquet:"resident_bytes" json:"resident_bytes,omitempty"`
	Goroutines    int64 `parquet:"goroutines" json:"goroutines,omitempty"`
}

// EndCount counts games with one reason of their end.
type EndCount struct {
	Reason string `parquet:"reason" json:"reason"`
	Games  int64  `parquet:"games" json:"games"`
}

// Repeatable returns m without what depends on clock, machine and process: what
// is left is the same whenever the run is done again.
func (m Metrics) Repeatable() Metrics {
	m.LearnedSeconds = 0
	m.PositionsPerSecond, m.EvaluationsPerSecond, m.SamplesPerSecond, m.CacheHits = 0, 0, 0, 0
	m.HeapBytes, m.ResidentBytes, m.Goroutines = 0, 0, 0
	m.FrozenSeconds = 0
	return m
}

// rates takes over from the last event of the games what depends on how they
// were played.
func (m *Metrics) rates(e *SelfPlayEvent) {
	m.PositionsPerSecond, m.EvaluationsPerSecond, m.CacheHits = e.PositionsPerSecond, e.EvaluationsPerSecond, e.CacheHits
}

// ReadMetrics returns the metrics of a run's generations in ascending order, one
// for each that was trained up to its last checkpoint. They come from the
// metrics file and, where a process was stopped before it had written that, from
// the state of the checkpoint. It writes nothing.
func ReadMetrics(run string) ([]Metrics, error) {
	rows, configHash, err := readMetricsFile(run)
	if err != nil {
		return nil, err
	}
	return completeMetrics(run, rows, configHash)
}

// completeMetrics fits rows of the metrics file to the checkpoints of a run: the
// row of the last one is the checkpoint's, those of later generations, which
// somebody took away, are left out, missing ones added if their checkpoint is
// still there. configHash is the file's; one of another run is refused.
func completeMetrics(run string, rows []Metrics, configHash string) ([]Metrics, error) {
	generations, err := Generations(run)
	if err != nil || len(generations) == 0 {
		return nil, err
	}
	last := generations[len(generations)-1]
	of := map[int]Metrics{}
	for _, m := range rows {
		if int(m.Generation) < last {
			of[int(m.Generation)] = m
		}
	}
	for _, g := range generations {
		if _, known := of[g]; known || g == 0 {
			continue
		}
		s, err := ReadState(run, g)
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 && s.ConfigHash != configHash {
			return nil, fmt.Errorf("metrics %s: of a run with configuration %s: checkpoint %d is of one with %s",
				filepath.Join(run, metricsFile), configHash, g, s.ConfigHash)
		}
		of[g] = *s.Metrics
	}
	var all []Metrics
	for _, m := range of {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b Metrics) int { return cmp.Compare(a.Generation, b.Generation) })
	return all, nil
}

// readMetricsFile reads the metrics file of a run and the hash of the
// configuration in it; none has no rows.
func readMetricsFile(run string) (rows []Metrics, configHash string, err error) {
	path := filepath.Join(run, metricsFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err == nil {
		rows, configHash, err = parseMetrics(data)
	}
	if err != nil {
		return nil, "", fmt.Errorf("metrics %s: %w", path, err)
	}
	return rows, configHash, nil
}

// parseMetrics decodes a metrics file and holds it to its format. It may have
// fewer columns than this program knows, not more: a file that is written again
// must not lose one.
func parseMetrics(data []byte) (rows []Metrics, configHash string, err error) {
	if err := seal.Check(data); err != nil {
		return nil, "", fmt.Errorf("damaged: %w", err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, "", fmt.Errorf("damaged: %w", err)
	}
	if kind, _ := file.Lookup(kindKey); kind != metricsKind {
		return nil, "", fmt.Errorf("it is of kind %q, want %q", kind, metricsKind)
	}
	if v, _ := file.Lookup(formatKey); v != strconv.Itoa(metricsVersion) {
		return nil, "", fmt.Errorf("format %q: this program reads %d", v, metricsVersion)
	}
	known := parquet.SchemaOf(Metrics{})
	for _, path := range file.Schema().Columns() {
		if _, ok := known.Lookup(path...); !ok {
			return nil, "", fmt.Errorf("column %s: this program does not know it", path[0])
		}
	}
	rows = make([]Metrics, file.NumRows())
	r := parquet.NewGenericReader[Metrics](file)
	defer r.Close()
	if n, err := r.Read(rows); n != len(rows) {
		return nil, "", fmt.Errorf("damaged: %d of %d rows: %w", n, len(rows), cmp.Or(err, io.ErrUnexpectedEOF))
	}
	for i := range rows {
		if g := rows[i].Generation; g < 1 || i > 0 && g <= rows[i-1].Generation {
			return nil, "", fmt.Errorf("row %d is of generation %d: want them to rise, from 1", i, rows[i].Generation)
		}
	}
	configHash, _ = file.Lookup(configHashKey)
	return rows, configHash, nil
}

// sameMetrics tells whether rows are equal; an empty list is as good as none.
func sameMetrics(a, b []Metrics) bool {
	return slices.EqualFunc(a, b, func(x, y Metrics) bool {
		same := slices.Equal(x.Ends, y.Ends) && slices.Equal(x.ValueBins, y.ValueBins) && slices.Equal(x.RootBins, y.RootBins)
		x.Ends, x.ValueBins, x.RootBins = nil, nil, nil
		y.Ends, y.ValueBins, y.RootBins = nil, nil, nil
		return same && reflect.DeepEqual(x, y)
	})
}

// writeMetrics replaces the metrics file by r.metrics.
func (r *runner) writeMetrics() error {
	data, err := r.marshalMetrics()
	if err == nil {
		err = atomicfile.Write(filepath.Join(r.dir, metricsFile), func(w io.Writer) error {
			_, err := w.Write(data)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("metrics: %w", err)
	}
	return nil
}

func (r *runner) marshalMetrics() ([]byte, error) {
	var file bytes.Buffer
	w := parquet.NewGenericWriter[Metrics](&file,
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedDefault}),
		parquet.CreatedBy("ludozero", strconv.Itoa(metricsVersion), ""),
		parquet.KeyValueMetadata(kindKey, metricsKind),
		parquet.KeyValueMetadata(formatKey, strconv.Itoa(metricsVersion)),
		parquet.KeyValueMetadata(runKey, r.name),
		parquet.KeyValueMetadata(configHashKey, r.configHash),
		parquet.KeyValueMetadata(seal.Key, seal.Blank))
	if _, err := w.Write(r.metrics); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	data := file.Bytes()
	return data, seal.Seal(data)
}
