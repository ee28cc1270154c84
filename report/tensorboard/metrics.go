package tensorboard

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/ludozero/ludozero/train/rundir"
)

// groups says under what heading each figure of run.Metrics stands, by its
// column. The figures of one heading are next to each other.
var groups = map[string][]string{
	"progress": {"generation", "games", "positions", "learned_seconds", "core_seconds", "new_games", "new_positions", "steps", "parameters"},
	"loss":     {"policy_loss", "policy_floor", "value_loss", "value_floor", "turns_loss", "reply_loss", "reply_floor"},
	"games": {
		"mean_turns", "draw_rate", "first_score", "mean_root_value", "policy_entropy", "surprise", "full_share", "simulations",
		"played_on", "wrongly_resigned", "repeated_games", "games_again", "taught_games", "taught_draws",
	},
	"values": {
		"value_calibration", "value_explained", "value_slope", "value_slope_error",
		"root_calibration", "root_explained", "root_slope", "root_slope_error",
	},
	"training": {"window_positions", "mean_age", "gradient_norm", "gradient_norm_max", "clipped_steps", "learning_rate"},
	"frozen": {
		"frozen_divergence", "frozen_entropy", "frozen_search_entropy", "frozen_value_gap", "frozen_drift", "frozen_value_drift",
	},
	"speed":  {"positions_per_second", "evaluations_per_second", "cache_hits", "samples_per_second", "frozen_seconds"},
	"memory": {"heap_bytes", "resident_bytes", "goroutines"},
}

// leftOut are the columns that are not shown as they are: the step of an event,
// lists, and a number that is the same in all generations.
var leftOut = []string{"step", "ends", "value_bins", "root_bins", "frozen_positions"}

// laterColumns came in one program with the frozen set: 0 in rows of earlier ones
// means that nobody measured.
var laterColumns = append([]string{
	"repeated_games", "games_again", "gradient_norm_max", "clipped_steps", "frozen_seconds",
}, append(groups["frozen"], groups["values"]...)...)

// field is a figure of run.Metrics.
type field struct {
	tag             string
	index           int
	optional, later bool
	searched        bool // of searches and values, which a teacher's games have not
}

var fields = fieldsOf(reflect.TypeFor[rundir.Metrics]())

func fieldsOf(t reflect.Type) []field {
	in := map[string]string{}
	for group, columns := range groups {
		for _, c := range columns {
			in[c] = group
		}
	}
	later := map[string]bool{}
	for _, c := range laterColumns {
		later[c] = true
	}
	var list []field
	for i := range t.NumField() {
		column, option, _ := strings.Cut(t.Field(i).Tag.Get("parquet"), ",")
		if group, ok := in[column]; ok {
			searched := group == "values" || column == "mean_root_value" || column == "full_share"
			list = append(list, field{group + "/" + column, i, option == "optional", later[column], searched})
		}
	}
	return list
}

// FromMetrics makes an event of each generation. Its step is the optimizer's and
// its time what wrote gives for the generation; where that knows none, the moment
// of the learning time after began. What is null in a row, or was not measured by
// the program that wrote it, has no scalar.
func FromMetrics(rows []rundir.Metrics, began time.Time, wrote map[int]time.Time) []Event {
	events := make([]Event, len(rows))
	for i := range rows {
		m := &rows[i]
		at, known := wrote[int(m.Generation)]
		if !known {
			at = began.Add(time.Duration(m.LearnedSeconds * float64(time.Second)))
		}
		events[i] = Event{Time: at, Step: m.Step, Scalars: scalars(m)}
	}
	return events
}

func scalars(m *rundir.Metrics) []Scalar {
	var list []Scalar
	v := reflect.ValueOf(m).Elem()
	for _, f := range fields {
		x := number(v.Field(f.index))
		if x == 0 && f.optional || m.FrozenPositions == 0 && f.later || f.searched && m.TaughtGames > 0 && m.TaughtGames == m.NewGames {
			continue
		}
		list = append(list, Scalar{f.tag, x})
	}
	for _, e := range m.Ends {
		if m.NewGames > 0 {
			list = append(list, Scalar{"ends/" + e.Reason, float64(e.Games) / float64(m.NewGames)})
		}
	}
	return list
}

func number(v reflect.Value) float64 {
	switch {
	case v.CanInt():
		return float64(v.Int())
	case v.CanFloat():
		return v.Float()
	}
	panic(fmt.Sprintf("BUG: a figure of type %s", v.Type()))
}
