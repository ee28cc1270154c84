// Package analysis answers questions about positions: one by [Ask], or many at a time by a
// [Server], which takes queries line by line as objects of JSON, searches several at once,
// the most urgent first, and answers each as it is done. The command analyze and the
// worker of pages speak it; docs/analysis.md is the format, after the analysis engine of
// KataGo.
package analysis

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// Query asks a player about a position.
type Query struct {
	// Preset and Options name the rules.
	Preset  string   `json:"preset,omitempty"`
	Options []string `json:"options,omitempty"`
	// Pos is a position line, empty for the start; Moves are words from there.
	Pos   string `json:"pos,omitempty"`
	Moves string `json:"moves,omitempty"`
	Request
}

// Request says who is asked about a position, and how.
type Request struct {
	// Player describes who is asked, empty for who usually is.
	Player string `json:"player,omitempty"`
	// Limits take the place of those of the player's description.
	Limits
	// Consider are the words of the moves to choose among, Avoid of those to leave out;
	// empty: none of it.
	Consider Words `json:"consider,omitempty"`
	Avoid    Words `json:"avoid,omitempty"`
	// Lines is for how many of the best moves the expected line is told.
	Lines int `json:"lines,omitempty"`
	// Priority: of queries that wait the highest is searched first, of equals the first.
	Priority int `json:"priority,omitempty"`
	// ReportEvery, such as 500ms, has the answer so far told again and again.
	ReportEvery string `json:"report_every,omitempty"`
}

// Words are a list of moves. A number counts as its text: a choice that is a column is
// answered as a number, and can be asked about as it came.
type Words []string

// UnmarshalJSON reads texts and numbers.
func (w *Words) UnmarshalJSON(text []byte) error {
	var list []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	*w = make(Words, len(list))
	for i, one := range list {
		var number json.Number
		if json.Unmarshal(one, &(*w)[i]) != nil {
			if err := json.Unmarshal(one, &number); err != nil {
				return err
			}
			(*w)[i] = number.String()
		}
	}
	return nil
}

// Limits are by the words of descriptions of players; zero values are left out.
type Limits struct {
	Sims  int    `json:"sims,omitempty"`
	Nodes int    `json:"nodes,omitempty"`
	Depth int    `json:"depth,omitempty"`
	Time  string `json:"time,omitempty"`
}

// mostCount is more than any limit of a player.
const (
	mostCount = 1_000_000_000
	wantCount = "a whole number from 1 to 1000000000"
)

// queryFields are the fields that a query reads, with what is wanted of them.
var queryFields = []struct{ name, want string }{
	{"preset", "text"}, {"options", "a list of texts"}, {"pos", "text"}, {"moves", "text"}, {"player", "text"},
	{"sims", wantCount}, {"nodes", wantCount}, {"depth", wantCount}, {"time", "a time such as \"500ms\""},
	{"consider", "a list of moves"}, {"avoid", "a list of moves"}, {"lines", wantCount},
	{"priority", "a whole number from -1000000000 to 1000000000"}, {"report_every", "a time such as \"500ms\""},
}

// leastReport keeps interim answers from being all that a search does.
const leastReport = 10 * time.Millisecond

// absent tells whether a field is left out, as one that is null counts.
func absent(field json.RawMessage) bool { return field == nil || string(field) == "null" }

// readQuery takes a query from the fields of an object and reports every one that is
// wrong, and those that are a field's name in another spelling; others are not its business.
func readQuery(fields map[string]json.RawMessage) (*Query, error) {
	q := &Query{}
	var errs []error
	plain := func(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "") }
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		for _, f := range queryFields {
			if name != f.name && plain(name) == plain(f.name) {
				errs = append(errs, fmt.Errorf("%s: want %s", name, f.name))
			}
		}
	}
	for _, f := range queryFields {
		raw := fields[f.name]
		if absent(raw) {
			continue
		}
		one, err := json.Marshal(map[string]json.RawMessage{f.name: raw})
		if err == nil {
			err = json.Unmarshal(one, q)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %s: want %s", f.name, raw, f.want))
		}
	}
	errs = append(errs, CheckLimits(fields))
	if q.ReportEvery != "" {
		if d, err := time.ParseDuration(q.ReportEvery); err != nil || d < leastReport {
			errs = append(errs, fmt.Errorf("report_every: %q: want a time such as \"500ms\", at least %v", q.ReportEvery, leastReport))
		}
	}
	return q, errors.Join(errs...)
}

// CheckLimits refuses the fields of a query whose values are of the right kind but no limit
// has: they would be taken for left out.
func CheckLimits(fields map[string]json.RawMessage) error {
	var errs []error
	for _, f := range queryFields {
		raw := fields[f.name]
		n, err := strconv.Atoi(string(raw))
		if err == nil && (n > mostCount || n < -mostCount || f.want == wantCount && n < 1) || f.name == "time" && string(raw) == `""` {
			errs = append(errs, fmt.Errorf("%s: %s: want %s", f.name, raw, f.want))
		}
	}
	return errors.Join(errs...)
}

// Overlooked reports the fields of an object that nobody reads although they sound as if
// they chose the rules g or the position s, where those that do are missing; a nil s is one
// that could not be set up. A field that says what is asked about anyway passes, as in an
// answer of the command encode.
func Overlooked(fields map[string]json.RawMessage, g engine.Game, s engine.State) error {
	nothing := func() string { return "" }
	position := nothing
	if s != nil {
		position = func() string { return string(s.AppendPosition(nil)) }
	}
	var errs []error
	for _, f := range []struct {
		name  string
		wants []string
		asked func() string
	}{
		{"rules", []string{"preset", "options"}, g.Rules}, {"presets", []string{"preset"}, nothing}, {"option", []string{"options"}, nothing},
		{"position", []string{"pos"}, position},
	} {
		raw := fields[f.name]
		if absent(raw) || slices.ContainsFunc(f.wants, func(name string) bool { return !absent(fields[name]) }) {
			continue
		}
		var text string
		if json.Unmarshal(raw, &text) != nil || text != f.asked() {
			errs = append(errs, fmt.Errorf("%s: %s: want %s", f.name, raw, strings.Join(f.wants, " and ")))
		}
	}
	return errors.Join(errs...)
}

// apply returns the player of spec with the limits instead of its own. One of several is
// an option of its description, the others are bounds.
func (l *Limits) apply(spec *player.Spec) (*player.Spec, match.Bounds, error) {
	var b match.Bounds
	given := []([2]string){}
	for _, o := range []struct {
		name string
		n    int
	}{{"sims", l.Sims}, {"nodes", l.Nodes}, {"depth", l.Depth}} {
		if o.n > 0 {
			given = append(given, [2]string{o.name, strconv.Itoa(o.n)})
		}
	}
	if l.Time != "" { // which says how a network searches: it comes first
		given = slices.Insert(given, 0, [2]string{"time", l.Time})
	}
	if len(given) == 0 {
		return spec, b, nil
	}
	for i, o := range given {
		changed, err := spec.With(o) // also to check what becomes a bound
		if err != nil {
			return nil, b, err
		}
		switch {
		case i == 0:
			spec = changed
		case o[0] == "depth":
			b.Depth = l.Depth
		default:
			b.Simulations = max(l.Sims, l.Nodes)
		}
	}
	return spec, b, nil
}

// only returns the actions of s, with its history, that q lets its player choose among,
// ascending; nil: all.
func (q *Request) only(s engine.State, h *engine.History) ([]engine.Action, error) {
	read := func(field string, words []string) (list []engine.Action, err error) {
		for _, word := range words {
			a, err := s.ParseAction(word, h)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", field, err)
			}
			list = append(list, a)
		}
		return list, nil
	}
	consider, err := read("consider", q.Consider)
	if err != nil {
		return nil, err
	}
	avoid, err := read("avoid", q.Avoid)
	if err != nil || len(q.Consider)+len(q.Avoid) == 0 {
		return nil, err
	}
	if len(consider) == 0 {
		consider = s.Legal(nil, h)
	}
	list := slices.DeleteFunc(consider, func(a engine.Action) bool { return slices.Contains(avoid, a) })
	slices.Sort(list)
	if list = slices.Compact(list); len(list) == 0 {
		return nil, errors.New("avoid: no move is left")
	}
	return list, nil
}
