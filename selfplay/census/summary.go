package census

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
	"gonum.org/v1/gonum/stat/distuv"
)

// Summary is what recorded games are like.
type Summary struct {
	// Generation and Rules are set where the games are told apart by them.
	Generation *int32 `json:"generation,omitempty"`
	Rules      string `json:"rules,omitempty"`

	Games int `json:"games"`
	// Repeated games are the same as another of these from first action to last; intervals
	// do not count them.
	Repeated    int     `json:"repeated_games,omitempty"`
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
	FirstScore Score          `json:"first_score"`
	WinsBySide map[string]int `json:"wins_by_side"`
	Ends       []*EndCount    `json:"ends"`
	// Resignations is nil if nobody resigned or would have.
	Resignations *Resignations `json:"resignations,omitempty"`

	// Turns and Plies are lengths of games, to the resignation if there was one;
	// a ply is a player's action.
	Turns *Spread `json:"turns"`
	Plies *Spread `json:"plies"`
	// LegalActions is of the rows, PolicyEntropy and Surprise, in nats, of their
	// policy targets; nil if there is none.
	LegalActions  *Spread `json:"legal_actions"`
	PolicyEntropy *Spread `json:"policy_entropy"`
	Surprise      *Spread `json:"surprise"`
	// FullSearches is the share of rows whose search had its full budget.
	FullSearches  float64        `json:"full_searches"`
	RowsByPolicy  map[string]int `json:"rows_by_policy_kind"`
	VisitsPerRow  float64        `json:"visits_per_row"`
	ActionsByForm []FormCount    `json:"actions_by_form"`
	// ActionsByKind counts in the game's own terms, in its order, if it has any
	// (engine.Classifier).
	ActionsByKind []KindCount `json:"actions_by_kind,omitempty"`
}

// Score is a score in [0, 1] with its 95 % interval.
type Score struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// KindCount counts the actions of one kind, and the games that have any.
type KindCount struct {
	Kind    string  `json:"kind"`
	Actions int     `json:"actions"`
	Games   int     `json:"games"`
	PerGame float64 `json:"per_game"`
}

// FormCount counts the moves of one form.
type FormCount struct {
	Form    string  `json:"form"`
	Actions int     `json:"actions"`
	PerGame float64 `json:"per_game"`
}

// Summary describes games of which info is the game. There must be one.
func (t *Tally) Summary(info *engine.Info) *Summary {
	d := &Summary{
		Games: t.games, Repeated: t.games - len(t.known), Rows: t.rows, BytesPerRow: t.bytes / float64(t.rows),
		Moves: t.moves, Rolls: t.rolls, MovesWithoutRow: t.moves - t.rows, GamesByRules: t.rules, GamesByBeginning: t.beginnings,
		FirstWins: t.wins[0], SecondWins: t.wins[1], Draws: t.games - t.wins[0] - t.wins[1],
		WinsBySide: map[string]int{info.Sides[0]: t.sideWins[0], info.Sides[1]: t.sideWins[1]},
		Turns:      t.turns.Spread(1), Plies: t.plies.Spread(1),
		LegalActions: t.legal.Spread(1), PolicyEntropy: t.entropy.Spread(entropyUnit), Surprise: t.surprise.Spread(entropyUnit),
		FullSearches: float64(t.full) / float64(t.rows), RowsByPolicy: t.kinds,
	}
	d.Resignations = ResignationsOf(t.resignations)
	d.FirstScore = d.Score()
	if t.visited > 0 {
		d.VisitsPerRow = float64(t.visits) / float64(t.visited)
	}
	d.Ends = slices.SortedFunc(maps.Values(t.ends), func(a, b *EndCount) int {
		return cmp.Or(-cmp.Compare(a.Games, b.Games), cmp.Compare(a.Reason, b.Reason))
	})
	for k, name := range t.sortNames {
		d.ActionsByKind = append(d.ActionsByKind, KindCount{name, t.kindActions[k], t.kindGames[k], float64(t.kindActions[k]) / float64(t.games)})
	}
	for form, n := range t.forms {
		d.ActionsByForm = append(d.ActionsByForm, FormCount{form, n, float64(n) / float64(t.games)})
	}
	slices.SortFunc(d.ActionsByForm, func(a, b FormCount) int {
		return cmp.Or(-cmp.Compare(a.Actions, b.Actions), cmp.Compare(a.Form, b.Form))
	})
	return d
}

// Score is FirstScore by the counts of results.
func (d *Summary) Score() Score {
	s := ScoreOf(d.FirstWins, d.SecondWins, d.Draws)
	if d.Repeated > 0 {
		s = ScoreOfPoints(s.Value*d.Evidence(), d.Evidence())
	}
	return s
}

// Evidence is the number of games without those that repeat another.
func (d *Summary) Evidence() float64 { return float64(d.Games - d.Repeated) }

// ScoreOf is the first player's mean score and the central 95 % of what
// Jeffreys' prior believes of it after these games, a draw being half a win and
// half a loss. Draws vary less than that, so the interval is rather too wide
// than too narrow. It takes games as independent.
func ScoreOf(wins, losses, draws int) Score {
	return ScoreOfPoints(float64(wins)+float64(draws)/2, float64(wins+losses+draws))
}

// ScoreOfPoints is ScoreOf of points in a number of games that need not be whole:
// games that repeat others are no evidence, and count for less.
func ScoreOfPoints(points, games float64) Score {
	belief := distuv.Beta{Alpha: points + 0.5, Beta: games - points + 0.5}
	mean := points / games
	return Score{mean, min(mean, belief.Quantile(0.025)), max(mean, belief.Quantile(0.975))}
}

func (s Score) String() string {
	return fmt.Sprintf("%.3f (%.3f to %.3f)", s.Value, s.Low, s.High)
}

// Resignations counts resignations in games where players may resign.
type Resignations struct {
	// Resigned games ended by it. PlayedOn games went on although a player would
	// have resigned, who then drew or won Wrong of them: ErrorRate, with Wilson's
	// interval of 95 %; nil if no game was played on.
	Resigned  int    `json:"resigned"`
	PlayedOn  int    `json:"played_on"`
	Wrong     int    `json:"wrong"`
	ErrorRate *Score `json:"error_rate"`
	// Advice says in words that the error rate is too high, if it is.
	Advice string `json:"advice,omitempty"`
}

// ResignationsOf is nil if nobody resigned or would have.
func ResignationsOf(n record.Resignations) *Resignations {
	if n == (record.Resignations{}) {
		return nil
	}
	r := &Resignations{Resigned: n.Resigned, PlayedOn: n.PlayedOn, Wrong: n.Wrong, Advice: n.Advice()}
	if n.PlayedOn > 0 {
		rate, low, high := n.ErrorRate()
		r.ErrorRate = &Score{rate, low, high}
	}
	return r
}
