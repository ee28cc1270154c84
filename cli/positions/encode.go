package positions

import (
	"context"
	"encoding/json"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/manual"
	"github.com/ludozero/ludozero/engine/query"
	"github.com/spf13/cobra"
)

// encodeWrites are the fields that the command encode adds to a line.
var encodeWrites = []string{
	"rules", "position", "actor", "side", "turn", "result", "actions", "words", "chance", "planes", "ones", "others", "globals", "cells", "mask", "symmetries", "packed",
}

// NewEncode is the command encode.
func NewEncode(env *shell.Env) *cobra.Command {
	var f shell.GameFlags
	var jsonl, sparse, describe bool
	c := &cobra.Command{
		Use:   "encode",
		Short: "Show positions as a network sees them, one JSON object a line",
		Long: "Reads objects {\"preset\",\"options\":[\"k=v\"],\"pos\",\"moves\"}, all optional, one a line, and writes each with what a\n" +
			"network is shown of the position after \"moves\" from \"pos\" or the start:\n\n" +
			"  rules, position   the ruleset and the position line\n" +
			"  actor, side       who decides (first, second, chance, nobody), and for which side\n" +
			"  turn, result      finished turns; null, or {\"winner\",\"winner_side\",\"reason\"}\n" +
			"  planes, globals   the inputs, planes laid out flat as [planes, height, width]\n" +
			"  actions, words    the legal actions, as numbers and as text\n" +
			"  cells             for each the place of its logit in the policy output\n" +
			"  mask              the legal actions as bits: bit a%8 of byte a/8, in base64\n" +
			"  symmetries        those that map the position to an equivalent one\n" +
			"  packed            the position as records keep it, in base64\n\n" +
			"With --sparse, \"ones\" has the indices of planes that are 1 and \"others\" pairs of index and value, instead of \"planes\".\n" +
			"Where chance decides, \"actions\" are its outcomes, \"chance\" their probabilities, and there are no inputs. Other fields,\n" +
			"such as an id, pass through. A bad line gets \"error\"; the exit code is then 1.\n" +
			"With --describe it prints what each input means instead, for programs: the game file of docs/game-file.md, for --rules.",
		Args:    cobra.NoArgs,
		Example: "  ludozero encode --game konreh --jsonl --sparse <positions.jsonl >inputs.jsonl\n  ludozero encode --game knaw --describe >game.json",
		RunE: func(c *cobra.Command, _ []string) error {
			if describe {
				return describeGame(c, &f)
			}
			return readLines(c, &f, jsonl, &lineCommand{readsMoves: true, writes: encodeWrites, do: func(_ context.Context, a *arena, r *request, object map[string]any) error {
				return encodePosition(a, r, object, sparse)
			}})
		},
	}
	f.Add(c, env)
	c.Flags().BoolVar(&jsonl, "jsonl", false, "read and write one JSON object a line (required without --describe)")
	c.Flags().BoolVar(&sparse, "sparse", false, "write planes as the indices of what is not 0")
	c.Flags().BoolVar(&describe, "describe", false, "print the game file of a ruleset instead")
	c.MarkFlagsMutuallyExclusive("describe", "jsonl")
	c.MarkFlagsMutuallyExclusive("describe", "sparse")
	return c
}

// describeGame prints the game file of one ruleset.
func describeGame(c *cobra.Command, f *shell.GameFlags) error {
	family, err := f.Family()
	if err != nil {
		return err
	}
	g, err := f.Open()
	if err != nil {
		return err
	}
	d, err := manual.Describe(family, []engine.Game{g})
	if err != nil {
		return err
	}
	text, err := d.JSON()
	if err == nil {
		_, err = c.OutOrStdout().Write(text)
	}
	return err
}

// encodePosition writes the position of r and its inputs into an object.
func encodePosition(a *arena, r *request, object map[string]any, sparse bool) error {
	t, err := a.reach(r)
	if err != nil {
		return err
	}
	e := t.query.Encode(t.game, t.state, t.history)
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	for k, v := range fields {
		object[k] = v
	}
	if !sparse {
		return nil
	}
	delete(object, "planes")
	object["ones"], object["others"] = query.Sparse(e.Planes)
	return nil
}
