package positions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/query"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/player/analysis"
	"github.com/spf13/cobra"
)

// A lineCommand answers objects by adding fields to them. The fields that it
// neither reads nor writes pass through untouched.
type lineCommand struct {
	readsMoves bool
	writes     []string // besides "error"
	do         func(ctx context.Context, a *arena, r *request, object map[string]any) error
	// answer, if not nil, makes the whole answer to a line, also to a bad one, instead.
	answer func(ctx context.Context, a *arena, line []byte) (any, error)
}

// A request is what is read of an object.
type request struct {
	number  uint64 // of the line, from 1; empty lines are not counted
	fields  map[string]json.RawMessage
	preset  string
	options []string
	pos     string
	moves   string
}

// read takes r from the fields of an object and reports every one of a wrong
// type. A field that is null counts as left out.
func (r *request) read(fields map[string]json.RawMessage, moves bool) error {
	var errs []error
	take := func(key string, to any, want string) {
		if raw := fields[key]; raw != nil && json.Unmarshal(raw, to) != nil {
			errs = append(errs, fmt.Errorf("%s: %s: want %s", key, raw, want))
		}
	}
	take("preset", &r.preset, "text")
	take("options", &r.options, "a list of texts")
	take("pos", &r.pos, "text")
	if moves {
		take("moves", &r.moves, "text")
	}
	return errors.Join(errs...)
}

// arena is one worker's memory: the games it has met, with a state of each.
type arena struct {
	family *engine.Family
	games  map[string]*jsonTable
}

type jsonTable struct {
	game    engine.Game
	state   engine.State
	next    engine.State
	history *engine.History
	actions []engine.Action
	scratch []engine.Weighted
	query   query.Scratch
}

func (a *arena) table(r *request) (*jsonTable, error) {
	key := fmt.Sprintf("%q %q", r.preset, r.options) // of any text, good or bad
	if t := a.games[key]; t != nil {
		return t, nil
	}
	g, err := a.family.New(r.preset, r.options)
	if err != nil {
		return nil, err
	}
	t := &jsonTable{game: g, state: g.NewState(), next: g.NewState(), history: g.NewHistory()}
	a.games[key] = t
	return t, nil
}

// reach is the table of r's game in the position that r asks about.
func (a *arena) reach(r *request) (*jsonTable, error) {
	t, err := a.table(r)
	if err != nil {
		return nil, err
	}
	var s engine.State
	if err = t.set(r.pos, r.moves); err == nil {
		s = t.state
	}
	return t, errors.Join(analysis.Overlooked(r.fields, t.game, s), err)
}

// set puts the position on the table to which moves lead from pos, or from the start.
func (t *jsonTable) set(pos, moves string) error {
	if err := engine.SetUp(t.state, t.history, pos); err != nil {
		return err
	}
	return engine.PlayWords(t.state, t.history, shell.MoveWords(t.game, moves))
}

// NewMoves is the command moves.
func NewMoves(env *shell.Env) *cobra.Command {
	var f shell.GameFlags
	var jsonl, after bool
	c := &cobra.Command{
		Use:   "moves",
		Short: "List the legal moves of many positions, one JSON object a line",
		Long: "Reads objects {\"preset\",\"options\":[\"k=v\"],\"pos\",\"moves\"}, all optional, one a line, plays \"moves\" first if they are a text, and\n" +
			"writes each with the legal moves as \"moves\", sorted bytewise; with --after also the position lines they lead\n" +
			"to. Where chance decides, \"moves\" are its outcomes, whose\n" +
			"probabilities are \"chance\". A bad line gets \"error\"; the exit code is then 1.",
		Args:    cobra.NoArgs,
		Example: "  ludozero moves --game konreh --jsonl --after <positions.jsonl >moves.jsonl",
		RunE: func(c *cobra.Command, _ []string) error {
			writes := []string{"moves", "chance"}
			if after {
				writes = append(writes, "after")
			}
			return readLines(c, &f, jsonl, &lineCommand{readsMoves: true, writes: writes, do: func(_ context.Context, a *arena, r *request, object map[string]any) error {
				return legalMoves(a, r, object, after)
			}})
		},
	}
	f.Add(c, env)
	c.Flags().BoolVar(&jsonl, "jsonl", false, "read and write one JSON object a line (required)")
	c.Flags().BoolVar(&after, "after", false, "add the resulting positions")
	return c
}

func legalMoves(a *arena, r *request, object map[string]any, after bool) error {
	t, err := a.reach(r)
	if err != nil {
		return err
	}
	type move struct {
		word   string
		action engine.Action
	}
	t.actions = engine.AppendPossible(t.actions[:0], &t.scratch, t.state, t.history)
	moves := make([]move, len(t.actions))
	for i, x := range t.actions {
		moves[i] = move{string(t.state.AppendAction(nil, x)), x}
	}
	slices.SortFunc(moves, func(x, y move) int { return strings.Compare(x.word, y.word) })
	words, lines := make([]string, len(moves)), make([]string, len(moves))
	mark := t.history.Len()
	for i, m := range moves {
		words[i] = m.word
		if after {
			t.next.CopyFrom(t.state)
			t.next.Apply(m.action, t.history)
			t.history.Truncate(mark)
			lines[i] = string(t.next.AppendPosition(nil))
		}
	}
	object["moves"] = words
	if t.state.Actor() == engine.Chance {
		probs := map[string]float64{}
		for _, o := range t.scratch {
			probs[string(t.state.AppendAction(nil, o.Code))] = short(o.Prob)
		}
		object["chance"] = probs
	}
	if after {
		object["after"] = lines
	}
	return nil
}

// short leaves out digits that mean nothing.
func short(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// NewReplay is the command replay.
func NewReplay(env *shell.Env) *cobra.Command {
	var f shell.GameFlags
	var jsonl, reference bool
	c := &cobra.Command{
		Use:   "replay",
		Short: "Play through many games, one JSON object a line",
		Long: "Reads objects {\"preset\",\"options\",\"moves\":\"...\"}, with an optional \"pos\" to start from, one a line, and writes\n" +
			"each with \"winner\" (the side, or draw; null while the game goes on), \"winner_player\", \"why\", \"turns\" and\n" +
			"\"final\", the last position line. A bad line gets \"error\"; the exit code is then 1.\n\n" +
			"With --reference the lines are {\"options\":{\"name\":value},\"actions\":[codes]} by the names and the codes of the game's\n" +
			"rules page, whoever wrote them. Each is answered by {\"plies\",\"legal_sha256\",\"result\"}, or {\"plies\",\"error\"}: the hash\n" +
			"is over a line a decision, the codes of all legal actions, ascending, with blanks between, so that two programs can\n" +
			"compare their rules; docs/adding-a-game.md has the format in full.",
		Args:    cobra.NoArgs,
		Example: "  ludozero replay --game konreh --jsonl <games.jsonl >results.jsonl\n  ludozero replay --game konkvest --reference <games.jsonl >replayed.jsonl",
		RunE: func(c *cobra.Command, _ []string) error {
			if reference {
				return readLines(c, &f, true, &lineCommand{answer: replayCodes})
			}
			writes := []string{"winner", "winner_player", "why", "turns", "final"}
			return readLines(c, &f, jsonl, &lineCommand{readsMoves: true, writes: writes, do: replayGame})
		},
	}
	f.Add(c, env)
	c.Flags().BoolVar(&jsonl, "jsonl", false, "read and write one JSON object a line (required without --reference)")
	c.Flags().BoolVar(&reference, "reference", false, "read games by the codes of the game's rules page")
	c.MarkFlagsMutuallyExclusive("jsonl", "reference")
	return c
}

func replayGame(_ context.Context, a *arena, r *request, object map[string]any) error {
	t, err := a.reach(r)
	if err != nil {
		return err
	}
	object["winner"], object["winner_player"], object["why"] = nil, nil, nil
	if o := t.state.Outcome(); o.Over {
		object["winner"], object["winner_player"] = shell.WinnerWords(t.game, t.state, o)
		object["why"] = o.Reason
	}
	object["turns"] = t.state.Turn()
	object["final"] = string(t.state.AppendPosition(nil))
	return nil
}

// readLines runs l over every line of the input, on all cores, and writes the
// objects in the order read.
func readLines(c *cobra.Command, f *shell.GameFlags, jsonl bool, l *lineCommand) error {
	if !jsonl {
		return shell.Usagef("--jsonl is required; `ludozero show` lists the moves of one position")
	}
	family, err := f.Family()
	if err != nil {
		return err
	}
	if f.Rules != "" {
		return shell.Usagef("--rules: every line names its own preset and options")
	}
	return l.run(c, family)
}

// run answers every line of the input.
func (l *lineCommand) run(c *cobra.Command, family *engine.Family) error {
	bad, err := shell.Lines(c.Context(), c.InOrStdin(), c.OutOrStdout(), func() shell.Answer {
		a := &arena{family: family, games: map[string]*jsonTable{}}
		return func(ctx context.Context, b *bytes.Buffer, line []byte, number uint64) bool {
			return l.line(ctx, a, b, line, number)
		}
	})
	if err == nil && bad > 0 {
		err = fmt.Errorf("errors in %s", wording.Count(bad, "line"))
	}
	return err
}

// line answers one line of input into b and reports whether it was good.
func (l *lineCommand) line(ctx context.Context, a *arena, b *bytes.Buffer, line []byte, number uint64) bool {
	if l.answer != nil {
		object, err := l.answer(ctx, a, line)
		write(b, object)
		return err == nil
	}
	r := request{number: number}
	object := map[string]any{}
	fields, err := analysis.Object(line)
	r.fields = fields
	for k, v := range fields {
		object[k] = v
	}
	delete(object, "error")
	for _, k := range l.writes {
		delete(object, k) // a bad line must not seem answered
	}
	if err == nil {
		// A list of moves is an earlier answer of this command.
		answered := slices.Contains(l.writes, "moves") && bytes.HasPrefix(fields["moves"], []byte("["))
		err = r.read(fields, l.readsMoves && !answered)
	}
	if err == nil {
		err = l.do(ctx, a, &r, object)
	}
	if err != nil {
		object["error"] = err.Error()
	}
	write(b, object)
	return err == nil
}

// write writes an answer and a newline.
func write(b *bytes.Buffer, object any) {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if e.Encode(object) != nil {
		panic("BUG: an object read as JSON cannot be written")
	}
}
