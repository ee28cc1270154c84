// Package census reads recorded games and counts what happens in them: results by
// player and by side, ends, lengths, searches, and moves by their form. It also checks
// shards and writes their rows as text. Games are played again by their rules for it.
package census

import (
	"math"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
)

// entropyUnit is the resolution of entropies and surprise, in parts of a nat.
const entropyUnit = 1000

// Tally sums up recorded games. Not safe for concurrent use.
type Tally struct {
	games, rows, moves, rolls int
	known, playedOn           map[uint64]struct{} // games, and those of record.Resignations.PlayedOn, by record.GameID
	bytes                     float64
	wins                      [2]int // by player
	sideWins                  [2]int
	ends                      map[string]*EndCount
	rules                     map[string]int // games by rules word
	beginnings                map[string]int // games by how they began
	resignations              record.Resignations
	kinds                     map[string]int // rows by policy kind
	full                      int
	visits, visited           int // visits, and rows that have them
	turns, plies              Histogram
	legal, entropy, surprise  Histogram
	forms                     map[string]int // moves and rolls by form

	// sortNames are the names of the game's kinds of action, nil if it has none;
	// kindActions counts their actions, kindGames the games with any.
	sortNames              []string
	kindActions, kindGames []int

	id         uint64   // record.GameID of the game at hand
	met        []string // its forms
	sorts      []int    // kinds of its actions
	word, form []byte
}

// EndCount counts the games that ended for one reason.
type EndCount struct {
	Reason string `json:"reason"`
	Games  int    `json:"games"`
	Draws  int    `json:"draws"`
}

// New returns an empty tally.
func New() *Tally {
	return &Tally{
		known: map[uint64]struct{}{}, playedOn: map[uint64]struct{}{}, ends: map[string]*EndCount{}, rules: map[string]int{}, beginnings: map[string]int{}, kinds: map[string]int{}, forms: map[string]int{},
		turns: Histogram{}, plies: Histogram{}, legal: Histogram{}, entropy: Histogram{}, surprise: Histogram{},
	}
}

// Add plays the game whose rows these are, all of them, again with p, a replayer
// of its rules, whose canonical word is rules, and counts what happens in it, in
// the tallies also, too. A game that does not replay is not counted; what is wrong
// with it is returned.
func (t *Tally) Add(rules string, p *record.Replayer, rows []record.Row, also ...*Tally) []record.Problem {
	moves, rolls := 0, 0
	t.met, t.sorts = t.met[:0], t.sorts[:0]
	list := p.Play(rows, func(s *record.Step) {
		t.form = t.form[:0]
		if s.State.Actor() == engine.Chance {
			rolls++
			t.form = append(t.form, "chance "...)
		} else {
			moves++
		}
		t.word = s.State.AppendAction(t.word[:0], s.Action)
		t.form = AppendForm(t.form, t.word)
		t.met = append(t.met, string(t.form))
		if classifier, ok := s.State.(engine.Classifier); ok {
			t.sortNames = classifier.Kinds()
			t.sorts = classifier.AppendKinds(t.sorts, s.Action, s.After)
		}
	})
	if len(list) > 0 {
		return list
	}
	slices.Sort(t.sorts)
	t.id = record.GameID(rows)
	t.count(t, rules, p, rows, moves, rolls)
	for _, o := range also {
		o.count(t, rules, p, rows, moves, rolls)
	}
	return nil
}

// count counts the game that p has played and that seen has taken note of.
func (t *Tally) count(seen *Tally, rules string, p *record.Replayer, rows []record.Row, moves, rolls int) {
	for _, form := range seen.met {
		t.forms[form]++
	}
	t.sortNames = seen.sortNames
	t.addKinds(seen.sorts)
	t.games++
	t.known[seen.id] = struct{}{}
	t.moves += moves
	t.rolls += rolls
	t.plies[moves]++
	t.rules[rules]++
	t.beginnings[rows[0].Beginning]++
	playedOn := t.resignations.PlayedOn
	if t.resignations.Add(rows); t.resignations.PlayedOn > playedOn {
		t.playedOn[seen.id] = struct{}{} // another game of the same actions may have no mark
		t.resignations.Repeated = t.resignations.PlayedOn - len(t.playedOn)
	}
	end := p.State()
	t.turns[end.Turn()]++
	o := p.Outcome()
	e := t.ends[o.Reason]
	if e == nil {
		e = &EndCount{Reason: o.Reason}
		t.ends[o.Reason] = e
	}
	e.Games++
	if o.Winner == engine.Nobody {
		e.Draws++
	} else {
		t.wins[o.Winner]++
		t.sideWins[end.SideOf(o.Winner)]++
	}
	for i := range rows {
		t.addRow(&rows[i])
	}
}

// addKinds counts the kinds of the actions of a game, in ascending order.
func (t *Tally) addKinds(sorts []int) {
	if t.kindActions == nil {
		t.kindActions, t.kindGames = make([]int, len(t.sortNames)), make([]int, len(t.sortNames))
	}
	for i, k := range sorts {
		t.kindActions[k]++
		if i == 0 || k != sorts[i-1] {
			t.kindGames[k]++
		}
	}
}

// AddBytes counts the bytes that a game takes in its shard.
func (t *Tally) AddBytes(n float64) { t.bytes += n }

func (t *Tally) addRow(r *record.Row) {
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
	if len(r.Policy) > 0 && !r.Taught() {
		t.entropy[int(math.Round(entropy(r.Policy)*entropyUnit))]++
		t.surprise[int(math.Round(float64(r.Surprise)*entropyUnit))]++
	}
}

// entropy returns the entropy of a policy target, in nats.
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
