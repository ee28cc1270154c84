// Package record is the contract between self-play and training: the schema of
// one searched decision, and the shards that hold them. A shard is a Parquet
// file with zstd compression that DuckDB, pandas and Arrow read without this
// code; it is written whole or not at all, and is refused as a whole if one bit
// of it changed, if it is of another game, or if a row breaks a rule below.
//
// The package knows the family of a game (engine.Info) but never plays it.
package record

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// Row is one searched decision and the schema of a shard: the parquet tags are
// the column names, a test pins the layout. Rows stand in order of game and
// ply; the rows of a game are in one shard. Moves that were not searched have no
// row; Before and After hold them, so that a game is replayed by its rules from
//
//	Before, Action, Before, Action, ..., Before, Action, After
type Row struct {
	// Run is the name of the run, the same in a whole shard.
	Run string `parquet:"run,dict"`
	// Game is engine.Info.Name, the same in a whole shard.
	Game string `parquet:"game,dict"`
	// Rules is the canonical rules word, which Family.Parse reads.
	Rules string `parquet:"rules,dict"`
	// Generation is the number of the network that played, from 0.
	Generation int32 `parquet:"generation,delta"`
	// GameNumber counts the games of the run, from 0.
	GameNumber int64 `parquet:"game_number,delta"`
	// Seed is the seed of the game's random stream.
	Seed uint64 `parquet:"seed,dict"`
	// Beginning says how the game came to the position that self-play took over
	// in: one of the Beginning constants, the same in a whole game.
	Beginning string `parquet:"beginning,dict"`
	// Ply counts the actions of players applied since the start of the game,
	// those without a row and opening moves included; chance is not counted.
	Ply int32 `parquet:"ply,delta"`
	// Turn is State.Turn: the player turns finished.
	Turn int32 `parquet:"turn,delta"`
	// Player decides here: 0 the first, 1 the second.
	Player int8 `parquet:"player"`
	// Side is the seat on the board that the decision is made for, 0 or 1.
	Side int8 `parquet:"side"`
	// Position is the position as State.AppendPosition writes it.
	Position string `parquet:"position"`
	// Packed is the position as State.Pack writes it, Info.PackedBytes long.
	Packed []byte `parquet:"packed"`
	// Before lists the actions and chance outcomes applied since the previous
	// row's action, or since the start, that have no row of their own.
	Before []engine.Action `parquet:"before,list"`
	// Legal lists the legal actions, ascending, as codes in
	// [0, Info.NumActions) in the acting side's view.
	Legal []engine.Action `parquet:"legal,list"`
	// PolicyKind says what Policy is: one of the Policy constants.
	PolicyKind string `parquet:"policy_kind,dict"`
	// Policy is the policy target of the actions in Legal, in 1/65535; it sums
	// to 65535. Empty if PolicyKind is "none", and for a teacher that gives no
	// distribution.
	Policy []uint16 `parquet:"policy,list"`
	// Visits counts the visits of the actions in Legal when the move was
	// chosen; with tree reuse the visits inherited are included. Empty if the
	// search keeps none.
	Visits []int32 `parquet:"visits,list"`
	// RootValue is the mean backed-up value of the root after the search, in
	// [-1, 1], acting player's view. The writer rounds it to 1/4096.
	RootValue float32 `parquet:"root_value"`
	// RootDraw is the share of draws in that mean, in [0, 1-|RootValue|], so that
	// the search expects a win with (1-RootDraw+RootValue)/2 and a loss with
	// (1-RootDraw-RootValue)/2. The writer rounds it to 1/4096; DrawUnknown in
	// rows of shards of format 2, which had no such column, and where a teacher
	// gives no value (PolicyTeacher).
	RootDraw float32 `parquet:"root_draw"`
	// NetworkValue is the network's own value of the position, as RootValue.
	NetworkValue float32 `parquet:"network_value"`
	// Surprise is the Kullback-Leibler divergence, in nats, of the policy target
	// from the network's own prior: the sum over Legal of
	// target·ln(target / prior), the prior masked and without root noise. 0 if
	// there is no target. The writer rounds it to 1/4096.
	Surprise float32 `parquet:"surprise"`
	// Full says that the search had its full budget; only such rows should have
	// a policy target.
	Full bool `parquet:"full"`
	// Action is the action that was played, one of Legal.
	Action engine.Action `parquet:"action"`
	// Resigns marks the decision, at most one of a game, after which its player
	// resigned (Reason is ReasonResignation and the row the last), or would have
	// resigned in a game that is played on to see whether that was right.
	Resigns bool `parquet:"resigns"`
	// Outcome is the result of the game in the acting player's view: 1 won, 0
	// drawn, -1 lost.
	Outcome int8 `parquet:"outcome"`
	// Reason is engine.Outcome.Reason of the end of the game, or
	// ReasonResignation.
	Reason string `parquet:"reason,dict"`
	// TurnsLeft is State.Turn of the finished game less Turn. After a resignation
	// it ends with the resigning player's action: how long the game would have
	// been is unknown.
	TurnsLeft int32 `parquet:"turns_left,delta"`
	// After lists, in the last row of a game only, what was applied after
	// Action until the end.
	After []engine.Action `parquet:"after,list"`
}

// Kinds of policy target.
const (
	// PolicyVisits: root visits over their sum, before temperature.
	PolicyVisits = "visits"
	// PolicyPruned: as PolicyVisits without visits that were forced or went to
	// actions proven worse than others.
	PolicyPruned = "pruned-visits"
	// PolicyImproved: softmax of logits plus transformed completed Q (Gumbel).
	PolicyImproved = "improved"
	// PolicyNone: the row trains the value alone.
	PolicyNone = "none"
	// PolicyTeacher: a teacher decided and no network was asked. RootValue is the result
	// that it expects, beside a RootDraw of 0, or 0 beside DrawUnknown if it does not say;
	// the other figures of search and network are 0 or empty. All rows
	// of a game are of this kind or none.
	PolicyTeacher = "teacher"
)

var policyKinds = []string{PolicyVisits, PolicyPruned, PolicyImproved, PolicyNone, PolicyTeacher}

// How a game can begin.
const (
	// BeginningStart: by the rules.
	BeginningStart = "start"
	// BeginningSampled: with actions drawn from a policy without a search.
	BeginningSampled = "sampled"
	// BeginningEarlier: in a position of an earlier game.
	BeginningEarlier = "earlier"
)

var beginnings = []string{BeginningStart, BeginningSampled, BeginningEarlier}

// PolicyOne is what Policy sums to: probability 1.
const PolicyOne = 65535

// AppendPolicy appends probs, of any positive sum, in the fixed point of
// Row.Policy. Each entry is the difference of two rounded partial sums, so that
// they sum to PolicyOne exactly and none is off by a whole step.
func AppendPolicy(dst []uint16, probs []float32) []uint16 {
	total := 0.0
	for _, p := range probs {
		total += float64(p)
	}
	if !(total > 0) || math.IsInf(total, 1) {
		panic(fmt.Sprintf("BUG: policy of %d actions sums to %g", len(probs), total))
	}
	sum, before := 0.0, 0.0
	for i, p := range probs {
		sum += float64(p)
		upTo := math.Round(sum / total * PolicyOne)
		if i == len(probs)-1 {
			upTo = PolicyOne
		}
		dst = append(dst, uint16(upTo-before))
		before = upTo
	}
	return dst
}

// MaxSurprise bounds Row.Surprise: a target that is certain of an action whose
// prior is the smallest float32 of full precision, 2^-126, has 87.3 nats.
const MaxSurprise = 88

// check reports the first rule of Row's documentation that r breaks on its own.
func (r *Row) check(info *engine.Info, m *Meta) error {
	switch {
	case r.Run != m.Run:
		return fmt.Errorf("run %q in a shard of run %q", r.Run, m.Run)
	case r.Game != m.Game:
		return fmt.Errorf("game %q in a shard of %s", r.Game, m.Game)
	case r.Rules == "":
		return errors.New("rules are empty")
	case r.Generation < 0 || r.Generation > m.Generation:
		return fmt.Errorf("generation %d in a shard of generation %d", r.Generation, m.Generation)
	case r.GameNumber < m.FirstGame || r.GameNumber > m.LastGame:
		return fmt.Errorf("game number %d in a shard of games %d to %d", r.GameNumber, m.FirstGame, m.LastGame)
	case r.Ply < 0 || r.Turn < 0 || r.TurnsLeft < 0:
		return fmt.Errorf("ply %d, turn %d, turns left %d: want none below 0", r.Ply, r.Turn, r.TurnsLeft)
	case r.Player != 0 && r.Player != 1:
		return fmt.Errorf("player %d: want 0 or 1", r.Player)
	case r.Side != 0 && r.Side != 1:
		return fmt.Errorf("side %d: want 0 or 1", r.Side)
	case r.Position == "":
		return errors.New("position is empty")
	case len(r.Packed) != info.PackedBytes:
		return fmt.Errorf("packed position of %d bytes, want %d", len(r.Packed), info.PackedBytes)
	case r.Reason == "":
		return errors.New("reason of the end is empty")
	case !slices.Contains(beginnings, r.Beginning):
		return fmt.Errorf("beginning %q is unknown", r.Beginning)
	case r.Outcome < -1 || r.Outcome > 1:
		return fmt.Errorf("outcome %d: want -1, 0 or 1", r.Outcome)
	case !isValue(r.RootValue) || !isValue(r.NetworkValue):
		return fmt.Errorf("root value %g, network value %g: want -1 to 1", r.RootValue, r.NetworkValue)
	}
	if err := checkDraw(r.RootDraw, r.RootValue, m.hasDraws() && !(r.Taught() && r.RootDraw == DrawUnknown)); err != nil {
		return err
	}
	if err := r.checkTaught(); err != nil {
		return err
	}
	if err := checkSurprise(r.Surprise, len(r.Policy) > 0); err != nil {
		return err
	}
	if err := r.checkResignation(); err != nil {
		return err
	}
	return r.checkActions(info)
}

func (r *Row) checkActions(info *engine.Info) error {
	if err := checkLegal(r.Legal, info); err != nil {
		return err
	}
	if _, legal := slices.BinarySearch(r.Legal, r.Action); !legal {
		return fmt.Errorf("action %d was played but is not legal", r.Action)
	}
	if !slices.Contains(policyKinds, r.PolicyKind) {
		return fmt.Errorf("policy kind %q is unknown", r.PolicyKind)
	}
	if (r.PolicyKind == PolicyNone) != (len(r.Policy) == 0) && !r.Taught() {
		return fmt.Errorf("policy of %d entries of kind %q", len(r.Policy), r.PolicyKind)
	}
	if err := checkPolicy(r.Policy, len(r.Legal)); err != nil {
		return err
	}
	if len(r.Visits) != 0 && len(r.Visits) != len(r.Legal) {
		return fmt.Errorf("visits of %d actions, %d are legal", len(r.Visits), len(r.Legal))
	}
	if len(r.Visits) != 0 && slices.Min(r.Visits) < 0 {
		return fmt.Errorf("%d visits", slices.Min(r.Visits))
	}
	for _, list := range [][]engine.Action{r.Before, r.After} {
		for _, a := range list {
			if a < 0 || int(a) >= max(info.NumActions, info.NumChance) {
				return fmt.Errorf("action or chance outcome %d is not of this game", a)
			}
		}
	}
	return nil
}

func checkSurprise(v float32, target bool) error {
	switch {
	case !(v >= 0 && v <= MaxSurprise): // NaN too
		return fmt.Errorf("surprise %g: want 0 to %d", v, MaxSurprise)
	case v != 0 && !target:
		return fmt.Errorf("surprise %g without a policy target", v)
	}
	return nil
}

func checkLegal[A ~int32 | ~uint16](legal []A, info *engine.Info) error {
	if len(legal) == 0 || len(legal) > info.MaxLegal {
		return fmt.Errorf("%d legal actions, want 1 to %d", len(legal), info.MaxLegal)
	}
	last := -1
	for _, a := range legal {
		if int(a) <= last {
			return fmt.Errorf("legal action %d follows %d: want ascending from 0", a, last)
		}
		last = int(a)
	}
	if last >= info.NumActions {
		return fmt.Errorf("legal action %d of an action space of %d", last, info.NumActions)
	}
	return nil
}

func checkPolicy(policy []uint16, legal int) error {
	if len(policy) == 0 {
		return nil
	}
	if len(policy) != legal {
		return fmt.Errorf("policy of %d actions, %d are legal", len(policy), legal)
	}
	sum := 0
	for _, p := range policy {
		sum += int(p)
	}
	if sum != PolicyOne {
		return fmt.Errorf("policy sums to %d, want %d", sum, PolicyOne)
	}
	return nil
}

// follows reports how r, valid on its own, contradicts the row before it.
func (r *Row) follows(p *Row) error {
	switch {
	case r.GameNumber < p.GameNumber:
		return fmt.Errorf("game %d follows game %d", r.GameNumber, p.GameNumber)
	case r.GameNumber > p.GameNumber:
		return nil
	case r.Ply <= p.Ply:
		return fmt.Errorf("game %d: ply %d follows ply %d", r.GameNumber, r.Ply, p.Ply)
	case r.Turn < p.Turn:
		return fmt.Errorf("game %d: turn %d follows turn %d", r.GameNumber, r.Turn, p.Turn)
	case r.Rules != p.Rules || r.Seed != p.Seed || r.Reason != p.Reason || r.Beginning != p.Beginning:
		return fmt.Errorf("game %d: rules, seed, beginning and reason are not those of its row before", r.GameNumber)
	case r.Taught() != p.Taught():
		return fmt.Errorf("game %d: policy kinds %q and %q: a teacher plays all of a game or nothing", r.GameNumber, p.PolicyKind, r.PolicyKind)
	case r.Turn+r.TurnsLeft != p.Turn+p.TurnsLeft:
		return fmt.Errorf("game %d: ends after %d turns and after %d by its row before", r.GameNumber, r.Turn+r.TurnsLeft, p.Turn+p.TurnsLeft)
	case r.Outcome != p.Outcome*(1-2*(r.Player^p.Player)):
		return fmt.Errorf("game %d: outcome %d of player %d contradicts its row before", r.GameNumber, r.Outcome, r.Player)
	case len(p.After) != 0:
		return fmt.Errorf("game %d: goes on after its last row", r.GameNumber)
	}
	return nil
}

// checkRows reports the first fault of the rows of a shard.
func checkRows(rows []Row, info *engine.Info, m *Meta) error {
	for _, p := range rowProblems(rows, info, m, true) {
		return fmt.Errorf("row %d: %w", p.Row, p.Err)
	}
	return nil
}
