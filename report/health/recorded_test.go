package health

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

var record = flag.String("record", "", "folder with the runs of TestRecordedRuns, as scripts/sabotage.sh makes them, whose figures are to be kept")

// recorded are the runs whose figures are in testdata, and what they are warned
// of: codes with the generation in which they are told first.
var recorded = map[string]string{
	// scripts/sabotage.sh.
	"healthy":        "",
	"frozen-rate":    "nothing-learned 3, value-blind 6",
	"flipped-values": "value-sign 6",
	"no-noise":       "games-identical 1",
	"little-noise":   "games-repeat 4",
	"tiny-window":    "window-small 2",
	// configs/GAME/tiny.yaml and quick.yaml.
	"tiny-connect4":   "",
	"tiny-konreh":     "",
	"tiny-tictactoe":  "",
	"quick-connect4":  "",
	"quick-konreh":    "",
	"quick-tictactoe": "",
	// Runs of earlier programs, figures of games alone: quick.yaml for half an hour
	// and for a quarter, and Kon'reh by scripts/soak.sh.
	"games-connect4": "",
	"games-konreh":   "",
	"games-soak":     "",
}

// TestRecordedRuns: broken runs are warned of, and soon, healthy ones are not.
func TestRecordedRuns(t *testing.T) {
	cfg := plan.DefaultConfig() // of which only texts depend
	for name, want := range recorded {
		rows := readRecorded(t, name)
		var got []string
		// As in a display: after each generation.
		told := map[string]bool{}
		for i := range rows {
			for _, w := range Current(rows[:i+1], &cfg) {
				if !told[w.Code] {
					told[w.Code] = true
					got = append(got, fmt.Sprintf("%s %d", w.Code, w.Last))
				}
			}
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%s, %d generations: %q, want %q", name, len(rows), text, want)
		}
		for _, w := range Check(rows, &cfg) {
			if !told[w.Code] {
				t.Errorf("%s: %+v comes too late", name, w)
			}
		}
	}
}

// readRecorded reads testdata, one generation a line, or first writes it anew.
func readRecorded(t *testing.T, name string) (rows []rundir.Metrics) {
	t.Helper()
	path := filepath.Join("testdata", name+".jsonl")
	if *record != "" {
		if fresh, err := rundir.ReadMetrics(filepath.Join(*record, name)); len(fresh) > 0 || err != nil {
			if err = cmp.Or(err, keep(path, fresh)); err != nil {
				t.Fatal(err)
			}
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var m rundir.Metrics
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		rows = append(rows, m)
	}
	if len(rows) < 2 || !slices.IsSortedFunc(rows, func(a, b rundir.Metrics) int { return cmp.Compare(a.Generation, b.Generation) }) {
		t.Fatalf("%s: %d generations, or not in order", path, len(rows))
	}
	return rows
}

// keep writes the first 60 rows without what no rule looks at: clock, memory, what is in the
// bins, and digits beyond the fourth.
func keep(path string, rows []rundir.Metrics) error {
	var b strings.Builder
	for _, m := range rows[:min(len(rows), 60)] {
		m = m.Repeatable()
		m.Ends, m.ValueBins, m.RootBins = nil, make([]rundir.ValueBin, 1), make([]rundir.ValueBin, 1)
		for v, i := reflect.ValueOf(&m).Elem(), 0; i < v.NumField(); i++ {
			if f := v.Field(i); f.CanFloat() {
				x, err := strconv.ParseFloat(strconv.FormatFloat(f.Float(), 'g', 4, 64), 64)
				if err != nil {
					return err
				}
				f.SetFloat(x)
			}
		}
		line, err := json.Marshal(m)
		if err != nil {
			return err
		}
		b.Write(append(line, '\n'))
	}
	return os.WriteFile(path, []byte(b.String()), 0o666)
}
