package table

import (
	"cmp"
	"math"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// View is a table as people see it. Players are "first" and "second"; values are
// in [-1, 1], +1 a win, in the view that each field names.
type View struct {
	// Version changes with the view.
	Version int `json:"version"`
	// Setup is how the table was set up, except that Moves are all decisions so far:
	// a table with this setup continues the game.
	Setup Setup `json:"setup"`
	Drawn
	// Steps counts the decisions made, see Request.
	Steps int     `json:"steps"`
	Seats [2]Seat `json:"seats"`
	// Notes are remarks on the players.
	Notes []string `json:"notes,omitempty"`
	// Asked is the person to decide or to answer an offer; empty if none is.
	Asked string `json:"asked,omitempty"`
	// Legal are the legal decisions of that person; empty if an offer is to be answered.
	Legal []Choice `json:"legal,omitempty"`
	// Rolls are the outcomes of chance to choose from, if people enter what it decides and
	// are to do so now; Picture.Asked says what is rolled.
	Rolls []Choice `json:"rolls,omitempty"`
	// Thinking describes the player who is thinking, if one is.
	Thinking string `json:"thinking,omitempty"`
	// Offer is the player whose draw offer waits; Answer is the answer to the last
	// one, "accepted" or "declined".
	Offer  string `json:"offer,omitempty"`
	Answer string `json:"answer,omitempty"`
	// CanTakeback, CanDraw and CanResign say which requests are possible.
	CanTakeback bool    `json:"can_takeback,omitempty"`
	CanDraw     bool    `json:"can_draw,omitempty"`
	CanResign   bool    `json:"can_resign,omitempty"`
	Clocks      *Clocks `json:"clocks,omitempty"`
	Log         []Entry `json:"log"`
	// Values are players' evaluations of positions of the game, in order of Steps.
	Values []Judgement `json:"values,omitempty"`
	// Lesson is how the lesson stands, if this is one.
	Lesson *Lesson `json:"lesson,omitempty"`
	// Why answers the last request of OpWhy, until the position changes.
	Why *Why `json:"why,omitempty"`
	// Review is the evaluation of the game, once somebody has asked for it.
	Review *Review `json:"review,omitempty"`
	// Hints says that Hinter analyses every position in which a person decides.
	Hints  bool   `json:"hints,omitempty"`
	Hinter string `json:"hinter"`
	Hint   *Hint  `json:"hint,omitempty"`
	// Result is how the game ended.
	Result *Result `json:"result,omitempty"`
	// Problem says why the game has stopped.
	Problem string `json:"problem,omitempty"`
}

// Opened is the answer to a page that has set a table up.
type Opened struct {
	ID   string `json:"id"`
	View *View  `json:"view"`
}

// Seat is who decides for a player, and the side that the player has now.
type Seat struct {
	Name   string `json:"name"`
	Person bool   `json:"person,omitempty"`
	Side   string `json:"side"`
}

// Choice is a legal decision.
type Choice struct {
	Word string `json:"word"`
	// Note is its notation for people, if it has one.
	Note string `json:"note,omitempty"`
	// From and To are indices of cells in Picture.Layout: a piece goes from one to
	// the other. A decision with To alone is about that cell, or puts
	// the piece of Entry there; one with none of the three has no place on the board.
	From *int `json:"from,omitempty"`
	To   *int `json:"to,omitempty"`
	// Entry is the piece beside the board that it takes: to To, or, without one, to
	// another place beside the board.
	Entry *engine.Entry `json:"entry,omitempty"`
	// Hits are the cells on which pieces are captured.
	Hits []int `json:"hits,omitempty"`
	// Kind is what it is in the game's words, such as "slide" or "Displacement"; empty
	// if the game tells no kinds apart. Uses names what it spends for good. Sure says
	// that a page should ask first.
	Kind string   `json:"kind,omitempty"`
	Uses []string `json:"uses,omitempty"`
	Sure bool     `json:"sure,omitempty"`
}

// Clocks are the readings of the clocks, in milliseconds by player.
type Clocks struct {
	Control string   `json:"control"`
	Left    [2]int64 `json:"left"`
	// Running is the player whose clock is running, if one is.
	Running string `json:"running,omitempty"`
}

// Entry is a decision that was made.
type Entry struct {
	Turn  int    `json:"turn"` // from 1
	Actor string `json:"actor"`
	Side  string `json:"side"`
	Word  string `json:"word"`
	Note  string `json:"note,omitempty"`
	// Drawn says that the program rolled it, at this table.
	Drawn bool `json:"drawn,omitempty"`
}

// Judgement is a player's evaluation of a position of the game.
type Judgement struct {
	// Steps is how many decisions came before the position.
	Steps int    `json:"steps"`
	By    string `json:"by"`
	// Value is in the first player's view.
	Value float64 `json:"value"`
	// Solved says that the value is certain, Lead that it is a lead in what the
	// player counts rather than an expected result.
	Solved bool `json:"solved,omitempty"`
	Lead   bool `json:"lead,omitempty"`
}

// Hint is a player's analysis of the present position. Values are in the view of
// the player to decide.
type Hint struct {
	// Steps is how many decisions came before the position.
	Steps  int      `json:"steps"`
	By     string   `json:"by"`
	Value  *float64 `json:"value,omitempty"`
	Solved bool     `json:"solved,omitempty"`
	Lead   bool     `json:"lead,omitempty"`
	// Line is how the player expects the game to continue.
	Line []string `json:"line"`
	// Moves are the best decisions, the best first; empty if the player does not
	// compare them.
	Moves []HintMove `json:"moves,omitempty"`
}

// HintMove is a decision of a Hint: its share of the search, its simulations, the value
// after it, and the line that begins with it, if the player tells it.
type HintMove struct {
	Word   string   `json:"word"`
	Share  float64  `json:"share"`
	Visits int      `json:"visits,omitempty"`
	Value  *float64 `json:"value,omitempty"`
	Line   []string `json:"line,omitempty"`
}

// Result is the end of a game by its rules, its players or a clock.
type Result struct {
	// Winner is "first", "second" or "nobody"; Side the winner's, empty for a draw.
	Winner string `json:"winner"`
	Side   string `json:"side,omitempty"`
	Reason string `json:"reason"`
}

const (
	hintMoves = 5  // best decisions in a hint
	hintLines = 3  // of them with the line expected after
	hintLine  = 24 // decisions of an expected line
)

// short rounds to four digits, and drops the sign of zero.
func short(x float64) float64 { return math.Round(x*1e4)/1e4 + 0 }

// View describes the table.
func (t *Table) View() *View {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.visit()
	s := t.session
	steps, sides := s.Steps(), t.game.Info().Sides
	v := &View{
		Version: t.version, Setup: t.setup, Steps: len(steps), Notes: t.notes, Thinking: t.thinker,
		Answer: t.answer, Hints: t.always, Hinter: t.hints, Hint: t.hint, Why: t.why, Problem: t.problem, Lesson: t.study.view(), Review: t.review.view(t),
		Log: make([]Entry, len(steps)),
	}
	v.Setup.Rules, v.Setup.Hints = t.game.Rules(), t.hints
	for i, step := range steps {
		v.Log[i] = Entry{Turn: step.Turn + 1, Actor: step.Actor.String(), Side: sides[step.Side], Word: step.Word, Note: step.Note, Drawn: step.Drawn}
		v.CanTakeback = v.CanTakeback || t.decides(step.Actor)
	}
	v.Setup.Moves, v.Setup.Ended = t.session.Words(), t.session.Ended()
	v.Drawn = t.drawn(len(steps))
	for p := range engine.Player(2) {
		name := s.Seat(p).Name
		v.Seats[p] = Seat{Name: name, Person: t.person(p), Side: sides[s.State().SideOf(p)]}
		v.Setup.Seats[p] = name
	}
	for n := range t.values {
		v.Values = append(v.Values, t.values[n])
	}
	slices.SortFunc(v.Values, func(a, b Judgement) int { return cmp.Compare(a.Steps, b.Steps) })
	t.result(v)
	t.asks(v)
	t.clocks(v)
	return v
}

// result notes how the game ended, if it has.
func (t *Table) result(v *View) {
	r, over := t.session.Result()
	if !over {
		return
	}
	v.Result = &Result{Winner: r.Winner.String(), Reason: r.Reason}
	if r.Winner != engine.Nobody {
		v.Result.Side = t.game.Info().Sides[t.session.State().SideOf(r.Winner)]
	}
	if t.settled() {
		v.CanTakeback = true
	}
}

// asks notes what people can do.
func (t *Table) asks(v *View) {
	s := t.session
	if v.Result != nil {
		return
	}
	if len(v.Log) >= t.cfg.MaxSteps {
		v.Problem = "the game has reached the limit of decisions here"
	}
	v.CanResign = t.person(engine.First) || t.person(engine.Second)
	if p := s.Offered(); p != engine.Nobody {
		v.Offer = p.String()
	}
	if s.Entering() && len(v.Log) < t.cfg.MaxSteps && !t.study.over() {
		for _, a := range s.Legal() {
			v.Rolls = append(v.Rolls, Choice{Word: string(s.State().AppendAction(nil, a))})
		}
	}
	if !t.personAsked() {
		return
	}
	v.Asked = s.Asked().String()
	if s.Offered() != engine.Nobody {
		return
	}
	v.CanDraw = t.study == nil && s.MayOffer() == nil
	if len(v.Log) < t.cfg.MaxSteps && !t.study.over() {
		v.Legal = t.legal()
	}
}

// legal lists the legal decisions with their places on the board.
func (t *Table) legal() []Choice {
	s := t.session
	after := t.game.NewState()
	var list []Choice
	for _, a := range s.Legal() {
		after.CopyFrom(s.State())
		after.Apply(a, nil)
		c := Choice{Word: string(s.State().AppendAction(nil, a)), Note: string(engine.AppendNote(nil, s.State(), a, after))}
		about := engine.Describe(s.State(), a, after)
		c.Kind, c.Uses, c.Sure = about.Kind, about.Uses, about.Sure
		if d, ok := s.State().(engine.Pictured); ok {
			c.place(d.AppendMarks(nil, a, after))
		}
		list = append(list, c)
	}
	return list
}

// place finds where a decision is on the board, by what it changes there.
func (c *Choice) place(marks []engine.Mark) {
	for _, m := range marks {
		if c.Entry == nil {
			c.Entry = m.From
		}
		if len(m.Cells) == 0 {
			continue
		}
		last := m.Cells[len(m.Cells)-1]
		switch {
		case (m.Kind == engine.MarkMove || m.Kind == engine.MarkStrike) && c.From == nil:
			c.From, c.To = &m.Cells[0], &last
		case m.Kind == engine.MarkRemove:
			c.Hits = append(c.Hits, last)
		case m.Kind == engine.MarkPlace && c.To == nil:
			c.To = &last
		}
	}
	// A decision that gives a piece up is about that piece, not about what replaces it.
	if c.From == nil && c.Entry == nil && len(c.Hits) == 1 {
		c.To = &c.Hits[0]
	}
}

func (t *Table) clocks(v *View) {
	s := t.session
	if !s.Clocked() {
		return
	}
	v.Clocks = &Clocks{Control: s.Control().String()}
	for p := range engine.Player(2) {
		v.Clocks.Left[p] = max(0, s.TimeLeft(p).Milliseconds())
	}
	if v.Result == nil && s.Ticking() {
		v.Clocks.Running = s.State().Actor().String()
	}
}

// advice writes an analysis in the game's words.
func (t *Table) advice(j *task, a *match.Analysis) *Hint {
	h := &Hint{Steps: j.steps, By: j.name, Solved: a.Solved, Lead: a.Lead}
	if a.Judged {
		v := short(a.Value)
		h.Value = &v
	}
	moves := slices.Clone(a.Moves) // the player may go on with its own
	slices.SortStableFunc(moves, func(x, y match.Move) int {
		return cmp.Or(cmp.Compare(y.Prob, x.Prob), cmp.Compare(y.Value, x.Value))
	})
	for i, m := range moves[:min(hintMoves, len(moves))] {
		move := HintMove{Word: string(j.state.AppendAction(nil, m.Action)), Share: short(m.Prob), Visits: m.Visits}
		if m.Judged {
			v := short(m.Value)
			move.Value = &v
		}
		if i < hintLines {
			move.Line = wordsOf(t.game, j.state, m.Line)
		}
		h.Moves = append(h.Moves, move)
	}
	h.Line = wordsOf(t.game, j.state, a.Line)
	return h
}
