package record

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// Step is one action, or chance outcome, of a replayed game.
type Step struct {
	// State is the position, After the one that Action leads to. They are the
	// Replayer's and unchanged until its next step.
	State, After engine.State
	Action       engine.Action
	// Row is the row of the decision, nil if it has none.
	Row *Row
}

// Replayer plays recorded games of one ruleset again by the rules. It keeps its
// memory from game to game. Not safe for concurrent use.
type Replayer struct {
	state, before engine.State
	past          *engine.History
	ply           int32
	resigned      bool
	loser         engine.Player // who resigned

	legal   []engine.Action
	chances []engine.Weighted
	line    []byte
	packed  []byte

	visit    func(*Step)
	step     Step
	problems []Problem
}

// NewReplayer returns a replayer of games under the rules of g.
func NewReplayer(g engine.Game) *Replayer {
	return &Replayer{state: g.NewState(), before: g.NewState(), past: g.NewHistory()}
}

// Play replays a game from all its rows and calls visit, which may be nil, at every
// step. It returns how the rows differ from the rules, in order; Problems compares rows
// with each other. Play stops at the first impossible action and at the first position
// that the actions do not lead to, since everything after it would differ too. The
// shard need not be valid.
func (p *Replayer) Play(rows []Row, visit func(*Step)) []Problem {
	p.visit, p.problems, p.ply = visit, nil, 0
	p.state.Start(p.past)
	p.resigned = false
	for i := range rows {
		r := &rows[i]
		if !p.applyAll(i, r.Before) || !p.compare(i, r) || !p.apply(i, r.Action, r) {
			return p.problems
		}
		if r.Resigns && p.state.Outcome().Over {
			p.report(i, "resigns with the action that ends the game")
		}
	}
	last := len(rows) - 1
	if last >= 0 && p.applyAll(last, rows[last].After) {
		p.end(last, &rows[last])
	}
	return p.problems
}

// State is the position that Play came to. It belongs to p.
func (p *Replayer) State() engine.State { return p.state }

// Outcome is the end that Play came to: by the rules, or by resignation, which
// leaves State a position that goes on.
func (p *Replayer) Outcome() engine.Outcome {
	if p.resigned {
		return engine.Outcome{Over: true, Winner: p.loser.Other(), Reason: ReasonResignation}
	}
	return p.state.Outcome()
}

func (p *Replayer) report(row int, format string, args ...any) {
	p.problems = append(p.problems, Problem{row, fmt.Errorf(format, args...)})
}

func (p *Replayer) applyAll(row int, list []engine.Action) bool {
	for _, a := range list {
		if !p.apply(row, a, nil) {
			return false
		}
	}
	return true
}

// apply plays a if it is possible; r is its row, if it has one.
func (p *Replayer) apply(row int, a engine.Action, r *Row) bool {
	s := p.state
	chance := s.Actor() == engine.Chance
	p.legal = engine.AppendPossible(p.legal[:0], &p.chances, s, p.past)
	if _, possible := slices.BinarySearch(p.legal, a); !possible {
		what := "action"
		if chance {
			what = "chance outcome"
		}
		p.report(row, "%s %d of ply %d is not possible: %s to act, possible are %v", what, a, p.ply, s.Actor(), p.legal)
		return false
	}
	if !chance {
		p.ply++
	}
	if p.visit == nil {
		s.Apply(a, p.past)
		return true
	}
	p.before.CopyFrom(s)
	s.Apply(a, p.past)
	p.step = Step{State: p.before, After: s, Action: a, Row: r}
	p.visit(&p.step)
	return true
}

// compare checks a row against the current position.
func (p *Replayer) compare(row int, r *Row) bool {
	s := p.state
	if a := s.Actor(); a != engine.First && a != engine.Second {
		p.report(row, "a decision of player %d is recorded where %s acts", r.Player, a)
		return false
	}
	p.packed = s.Pack(p.packed[:0])
	p.line = s.AppendPosition(p.line[:0])
	same := bytes.Equal(r.Packed, p.packed)
	switch {
	case same && r.Position != string(p.line):
		p.report(row, "the position %q is not the packed one, %q", r.Position, p.line)
	case !same && r.Position == string(p.line):
		p.report(row, "the packed position is not %q", r.Position)
	case !same:
		p.report(row, "the position is %q, the actions lead to %q", r.Position, p.line)
		return false
	}
	for _, x := range []struct {
		name      string
		got, want int
	}{
		{"ply", int(r.Ply), int(p.ply)},
		{"turn", int(r.Turn), s.Turn()},
		{"player", int(r.Player), int(s.Actor())},
		{"side", int(r.Side), int(s.Side())},
	} {
		if x.got != x.want {
			p.report(row, "%s %d: want %d by the rules", x.name, x.got, x.want)
		}
	}
	if p.legal = s.Legal(p.legal[:0], p.past); !slices.Equal(r.Legal, p.legal) {
		p.report(row, "legal actions %v: want %v by the rules", r.Legal, p.legal)
	}
	return true
}

// end checks the last row of a game against its end.
func (p *Replayer) end(row int, r *Row) {
	if r.Reason == ReasonResignation {
		if over := p.state.Outcome(); over.Over {
			p.report(row, "the game ended by resignation: want %q by the rules", over.Reason)
			return
		}
		p.resigned, p.loser = true, engine.Player(r.Player)
	}
	o := p.Outcome()
	if !o.Over {
		p.report(row, "the game is not over after its last action")
		return
	}
	if want := int8(o.Value(engine.Player(r.Player))); r.Outcome != want {
		p.report(row, "outcome %d for player %d: want %d by the rules", r.Outcome, r.Player, want)
	}
	if r.Reason != o.Reason {
		p.report(row, "the game ended by %q: want %q by the rules", r.Reason, o.Reason)
	}
	if want := p.state.Turn() - int(r.Turn); int(r.TurnsLeft) != want {
		p.report(row, "%d turns left: want %d by the rules", r.TurnsLeft, want)
	}
}
