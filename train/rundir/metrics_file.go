package rundir

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/seal"
	"github.com/parquet-go/parquet-go"
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

// ReadMetrics returns the metrics of a run's generations in ascending order, one
// for each that was trained up to its last checkpoint. They come from the
// metrics file and, where a process was stopped before it had written that, from
// the state of the checkpoint. It writes nothing.
func ReadMetrics(run string) ([]Metrics, error) { return ReadMetricsUntil(run, math.MaxInt) }

// ReadMetricsUntil is ReadMetrics as if there were no checkpoint after that of a
// generation. It does not look at those.
func ReadMetricsUntil(run string, generation int) ([]Metrics, error) {
	rows, of, err := readMetricsFile(run)
	if err != nil {
		return nil, err
	}
	return completeMetrics(run, rows, of, generation)
}

// completeMetrics fits rows of the metrics file to the checkpoints of a run up to
// generation until: the row of the last one is the checkpoint's, those of later
// generations, which somebody took away, are left out, missing ones added if their
// checkpoint is still there. source is what the file says that it is of; another run is
// refused.
func completeMetrics(run string, rows []Metrics, source metricsSource, until int) ([]Metrics, error) {
	generations, err := Generations(run)
	generations = slices.DeleteFunc(generations, func(g int) bool { return g > until })
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
		switch path := filepath.Join(run, MetricsName); {
		case len(rows) > 0 && s.ConfigHash != source.configHash:
			return nil, fmt.Errorf("metrics %s: of a run with configuration %s: checkpoint %d is of one with %s", path, source.configHash, g, s.ConfigHash)
		case len(rows) > 0 && s.Run != "" && source.run != "" && s.Run != source.run: // a fork may have the same
			return nil, fmt.Errorf("metrics %s: of run %s: checkpoint %d is of %s", path, source.run, g, s.Run)
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

// metricsSource is what a metrics file says of the run that it is of: its identity, "" of
// old ones, and the hash of its configuration.
type metricsSource struct{ run, configHash string }

// ReadMetricsFile reads the metrics file of a run and the hash of the configuration in it;
// none has no rows.
func ReadMetricsFile(run string) (rows []Metrics, configHash string, err error) {
	rows, of, err := readMetricsFile(run)
	return rows, of.configHash, err
}

func readMetricsFile(run string) (rows []Metrics, of metricsSource, err error) {
	path := filepath.Join(run, MetricsName)
	data, err := input.Read(path, input.Large)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, metricsSource{}, nil
	}
	if err == nil {
		rows, of, err = parseMetrics(data)
	}
	if err != nil {
		return nil, metricsSource{}, fmt.Errorf("metrics %s: %w", path, err)
	}
	return rows, of, nil
}

// parseMetrics decodes a metrics file and holds it to its format. It may have
// fewer columns than this program knows, not more: a file that is written again
// must not lose one.
func parseMetrics(data []byte) (rows []Metrics, of metricsSource, err error) {
	if err := seal.Check(data); err != nil {
		return nil, metricsSource{}, fmt.Errorf("damaged: %w", err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, metricsSource{}, fmt.Errorf("damaged: %w", err)
	}
	if kind, _ := file.Lookup(kindKey); kind != metricsKind {
		return nil, metricsSource{}, fmt.Errorf("it is of kind %q, want %q", kind, metricsKind)
	}
	if v, _ := file.Lookup(formatKey); v != strconv.Itoa(metricsVersion) {
		return nil, metricsSource{}, fmt.Errorf("format %q: this program reads %d", v, metricsVersion)
	}
	known := parquet.SchemaOf(Metrics{})
	for _, path := range file.Schema().Columns() {
		if _, ok := known.Lookup(path...); !ok {
			return nil, metricsSource{}, fmt.Errorf("column %s: this program does not know it", path[0])
		}
	}
	rows = make([]Metrics, file.NumRows())
	r := parquet.NewGenericReader[Metrics](file)
	defer r.Close()
	if n, err := r.Read(rows); n != len(rows) {
		return nil, metricsSource{}, fmt.Errorf("damaged: %d of %d rows: %w", n, len(rows), cmp.Or(err, io.ErrUnexpectedEOF))
	}
	for i := range rows {
		if g := rows[i].Generation; g < 1 || i > 0 && g <= rows[i-1].Generation {
			return nil, metricsSource{}, fmt.Errorf("row %d is of generation %d: want them to rise, from 1", i, rows[i].Generation)
		}
	}
	of.run, _ = file.Lookup(runKey)
	of.configHash, _ = file.Lookup(configHashKey)
	return rows, of, nil
}

// SameMetrics tells whether rows are equal; an empty list is as good as none.
func SameMetrics(a, b []Metrics) bool {
	return slices.EqualFunc(a, b, func(x, y Metrics) bool {
		same := slices.Equal(x.Ends, y.Ends) && slices.Equal(x.ValueBins, y.ValueBins) && slices.Equal(x.RootBins, y.RootBins)
		x.Ends, x.ValueBins, x.RootBins = nil, nil, nil
		y.Ends, y.ValueBins, y.RootBins = nil, nil, nil
		return same && reflect.DeepEqual(x, y)
	})
}

// MetricsFile is the metrics of a run at work and the file that keeps them.
type MetricsFile struct {
	dir, run, configHash string
	rows                 []Metrics
	stale                bool // the file says something else
}

// OpenMetrics reads the metrics of the run in folder dir as ReadMetrics does. run
// and configHash are what the file is to say of the run. It writes nothing.
func OpenMetrics(dir, run, configHash string) (*MetricsFile, error) {
	kept, of, err := readMetricsFile(dir)
	if err != nil {
		return nil, err
	}
	rows, err := completeMetrics(dir, kept, of, math.MaxInt)
	return &MetricsFile{dir: dir, run: run, configHash: configHash, rows: rows, stale: !SameMetrics(kept, rows)}, err
}

// Rows are the metrics of all generations. The caller must not change them.
func (f *MetricsFile) Rows() []Metrics { return f.rows }

// Add adds the row of the next generation and replaces the file.
func (f *MetricsFile) Add(m Metrics) error {
	f.rows, f.stale = append(f.rows, m), true
	return f.Sync()
}

// Sync replaces the file if it does not hold Rows.
func (f *MetricsFile) Sync() error {
	if !f.stale {
		return nil
	}
	data, err := MarshalMetrics(f.rows, f.run, f.configHash)
	if err == nil {
		err = atomicfile.WriteBytes(filepath.Join(f.dir, MetricsName), data)
	}
	if err != nil {
		return fmt.Errorf("metrics: %w", err)
	}
	f.stale = false
	return nil
}

// MarshalMetrics is the metrics file of a run with that name and configuration.
func MarshalMetrics(rows []Metrics, run, configHash string) ([]byte, error) {
	return seal.File(rows, metricsVersion, [][2]string{
		{kindKey, metricsKind}, {formatKey, strconv.Itoa(metricsVersion)}, {runKey, run}, {configHashKey, configHash},
	})
}
