package main

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
	"gonum.org/v1/gonum/stat/distuv"
)

// histogram counts how often each value was seen.
type histogram map[int]int

// spread describes a histogram.
type spread struct {
	Mean   float64 `json:"mean"`
	Min    float64 `json:"min"`
	P10    float64 `json:"p10"`
	Median float64 `json:"median"`
	P90    float64 `json:"p90"`
	Max    float64 `json:"max"`
}

// spread describes h in units of which unit make 1. A quantile is the smallest
// value with that share of all at or below it.
func (h histogram) spread(unit float64) *spread {
	if len(h) == 0 {
		return nil
	}
	values := slices.Sorted(maps.Keys(h))
	total, sum := 0, 0.0
	for _, v := range values {
		total += h[v]
		sum += float64(v) * float64(h[v])
	}
	quantile := func(q float64) float64 {
		need := int(math.Ceil(q * float64(total)))
		for _, v := range values {
			if need -= h[v]; need <= 0 {
				return float64(v) / unit
			}
		}
		return float64(values[len(values)-1]) / unit
	}
	return &spread{
		Mean: sum / float64(total) / unit,
		Min:  float64(values[0]) / unit, Max: float64(values[len(values)-1]) / unit,
		P10: quantile(0.1), Median: quantile(0.5), P90: quantile(0.9),
	}
}

// entropyUnit is the resolution of entropies and surprise, in parts of a nat.
const entropyUnit = 1000

// tally sums up recorded games.
type tally struct {
	games, rows, moves, rolls int
	bytes                     float64
	wins                      [2]int // by player
	sideWins                  [2]int
	ends                      map[string]*endCount
	rules                     map[string]int // games by rules word
	beginnings                map[string]int // games by how they began
	resignations              record.Resignations
	kinds                     map[string]int // rows by policy kind
	full                      int
	visits, visited           int // visits, and rows that have them
	turns, plies              histogram
	legal, entropy, surprise  histogram
	forms                     map[string]int // moves and rolls by form
}

// endCount counts the games that ended for one reason.
type endCount struct {
	Reason string `json:"reason"`
	Games  int    `json:"games"`
	Draws  int    `json:"draws"`
}

func newTally() *tally {
	return &tally{
		ends: map[string]*endCount{}, rules: map[string]int{}, beginnings: map[string]int{}, kinds: map[string]int{}, forms: map[string]int{},
		turns: histogram{}, plies: histogram{}, legal: histogram{}, entropy: histogram{}, surprise: histogram{},
	}
}

// add plays a game again and counts what happens in it.
func (t *tally) add(g *recordedGame) error {
	moves, rolls := 0, 0
	var word, form []byte
	err := g.replay(func(s *record.Step) {
		form = form[:0]
		if s.State.Actor() == engine.Chance {
			rolls++
			form = append(form, "chance "...)
		} else {
			moves++
		}
		word = s.State.AppendAction(word[:0], s.Action)
		form = appendForm(form, word)
		t.forms[string(form)]++
	})
	if err != nil {
		return err
	}
	t.games++
	t.moves += moves
	t.rolls += rolls
	t.plies[moves]++
	t.rules[g.game.Rules()]++
	t.beginnings[g.rows[0].Beginning]++
	t.resignations.Add(g.rows)
	end := g.replayer.State()
	t.turns[end.Turn()]++
	o := g.replayer.Outcome()
	e := t.ends[o.Reason]
	if e == nil {
		e = &endCount{Reason: o.Reason}
		t.ends[o.Reason] = e
	}
	e.Games++
	if o.Winner == engine.Nobody {
		e.Draws++
	} else {
		t.wins[o.Winner]++
		t.sideWins[end.SideOf(o.Winner)]++
	}
	for i := range g.rows {
		t.addRow(&g.rows[i])
	}
	return nil
}

func (t *tally) addRow(r *record.Row) {
	t.rows++
	t.kinds[r.PolicyKind]++
	if r.Full {
		t.full++
	}
	if len(r.Visits) > 0 {
		t.visited++
		for _, v := range r.Visits {
			t.visits += int(v)
		}
	}
	t.legal[len(r.Legal)]++
	if len(r.Policy) > 0 {
		t.entropy[int(math.Round(entropy(r.Policy)*entropyUnit))]++
		t.surprise[int(math.Round(float64(r.Surprise)*entropyUnit))]++
	}
}

// entropy is that of a policy target, in nats.
func entropy(policy []uint16) float64 {
	sum := 0.0
	for _, v := range policy {
		if v > 0 {
			p := float64(v) / record.PolicyOne
			sum -= p * math.Log(p)
		}
	}
	return sum
}

// appendForm appends what a word looks like when every square or number in it,
// a letter with digits or digits alone, becomes #: moves of one kind are of one
// form in whatever game.
func appendForm(dst, word []byte) []byte {
	for i, x := range word {
		switch {
		case isDigit(x):
			if i == 0 || !isDigit(word[i-1]) {
				dst = append(dst, '#')
			}
		case isLetter(x) && i+1 < len(word) && isDigit(word[i+1]):
		default:
			dst = append(dst, x)
		}
	}
	return dst
}

func isDigit(x byte) bool  { return x >= '0' && x <= '9' }
func isLetter(x byte) bool { return x >= 'a' && x <= 'z' || x >= 'A' && x <= 'Z' }

// dataSummary is what recorded games are like.
type dataSummary struct {
	// Generation and Rules are set where the games are told apart by them.
	Generation *int32 `json:"generation,omitempty"`
	Rules      string `json:"rules,omitempty"`

	Games       int     `json:"games"`
	Rows        int     `json:"rows"`
	BytesPerRow float64 `json:"bytes_per_row"`
	// Moves counts the players' actions, Rolls the outcomes of chance. The
	// moves without a row were forced, or played without a search.
	Moves           int            `json:"moves"`
	Rolls           int            `json:"rolls"`
	MovesWithoutRow int            `json:"moves_without_row"`
	GamesByRules    map[string]int `json:"games_by_rules"`
	// GamesByBeginning counts the games by how they came to where self-play took
	// over: by the rules ("start") or not.
	GamesByBeginning map[string]int `json:"games_by_beginning"`

	FirstWins  int            `json:"first_wins"`
	SecondWins int            `json:"second_wins"`
	Draws      int            `json:"draws"`
	FirstScore scoreJSON      `json:"first_score"`
	WinsBySide map[string]int `json:"wins_by_side"`
	Ends       []*endCount    `json:"ends"`
	// Resignations is nil if nobody resigned or would have.
	Resignations *resignJSON `json:"resignations,omitempty"`

	// Turns and Plies are lengths of games, to the resignation if there was one;
	// a ply is a player's action.
	Turns *spread `json:"turns"`
	Plies *spread `json:"plies"`
	// LegalActions is of the rows, PolicyEntropy and Surprise, in nats, of their
	// policy targets; nil if there is none.
	LegalActions  *spread `json:"legal_actions"`
	PolicyEntropy *spread `json:"policy_entropy"`
	Surprise      *spread `json:"surprise"`
	// FullSearches is the share of rows whose search had its full budget.
	FullSearches  float64        `json:"full_searches"`
	RowsByPolicy  map[string]int `json:"rows_by_policy_kind"`
	VisitsPerRow  float64        `json:"visits_per_row"`
	ActionsByForm []formCount    `json:"actions_by_form"`
}

// scoreJSON is a score in [0, 1] with its 95 % interval.
type scoreJSON struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// formCount counts the moves of one form.
type formCount struct {
	Form    string  `json:"form"`
	Actions int     `json:"actions"`
	PerGame float64 `json:"per_game"`
}

// summary describes games of which info is the game. There must be one.
func (t *tally) summary(info *engine.Info) *dataSummary {
	d := &dataSummary{
		Games: t.games, Rows: t.rows, BytesPerRow: t.bytes / float64(t.rows),
		Moves: t.moves, Rolls: t.rolls, MovesWithoutRow: t.moves - t.rows, GamesByRules: t.rules, GamesByBeginning: t.beginnings,
		FirstWins: t.wins[0], SecondWins: t.wins[1], Draws: t.games - t.wins[0] - t.wins[1],
		WinsBySide: map[string]int{info.Sides[0]: t.sideWins[0], info.Sides[1]: t.sideWins[1]},
		Turns:      t.turns.spread(1), Plies: t.plies.spread(1),
		LegalActions: t.legal.spread(1), PolicyEntropy: t.entropy.spread(entropyUnit), Surprise: t.surprise.spread(entropyUnit),
		FullSearches: float64(t.full) / float64(t.rows), RowsByPolicy: t.kinds,
	}
	d.Resignations = resignSummary(t.resignations)
	d.FirstScore = scoreOf(t.wins[0], t.wins[1], d.Draws)
	if t.visited > 0 {
		d.VisitsPerRow = float64(t.visits) / float64(t.visited)
	}
	d.Ends = slices.SortedFunc(maps.Values(t.ends), func(a, b *endCount) int {
		return cmp.Or(-cmp.Compare(a.Games, b.Games), cmp.Compare(a.Reason, b.Reason))
	})
	for form, n := range t.forms {
		d.ActionsByForm = append(d.ActionsByForm, formCount{form, n, float64(n) / float64(t.games)})
	}
	slices.SortFunc(d.ActionsByForm, func(a, b formCount) int {
		return cmp.Or(-cmp.Compare(a.Actions, b.Actions), cmp.Compare(a.Form, b.Form))
	})
	return d
}

// scoreOf is the first player's mean score and the central 95 % of what
// Jeffreys' prior believes of it after these games, a draw being half a win and
// half a loss. Draws vary less than that, so the interval is rather too wide
// than too narrow. It takes games as independent.
func scoreOf(wins, losses, draws int) scoreJSON {
	points, n := float64(wins)+float64(draws)/2, float64(wins+losses+draws)
	belief := distuv.Beta{Alpha: points + 0.5, Beta: n - points + 0.5}
	mean := points / n
	return scoreJSON{mean, min(mean, belief.Quantile(0.025)), max(mean, belief.Quantile(0.975))}
}
