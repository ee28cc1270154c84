package data

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/spf13/cobra"
)

func newDataCheck(env *shell.Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "check PATH...",
		Short: "Verify shards and play every game again by its rules",
		Long: "Reports every fault with its shard, game and ply: checksums, schema, the rules of rows, the numbers of shards and\n" +
			"games, what is missing of the games that a run has learned from, and whatever the rules of the game say otherwise:\n" +
			"positions, legal actions, outcomes, turns left. The exit code is 1 if there is any. A game is left at the first\n" +
			"position that its moves do not lead to.",
		Args:    cobra.MinimumNArgs(1),
		Example: "  ludozero data check runs/first",
		RunE: func(c *cobra.Command, args []string) error {
			counts := map[string]rundir.Counts{}
			for _, arg := range args {
				if shell.IsDir(arg) {
					dir := runOf(arg)
					counts[dir] = rundir.ReadCounts(dir)
				}
			}
			files, err := findShards(args)
			if err != nil {
				return shell.Usage(err)
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			b := shell.NewBar(c.ErrOrStderr(), len(files), "shards")
			k := census.NewChecker(env.Families, len(files), func(f *census.Fault) {
				if !asJSON {
					b.Println(c.OutOrStdout(), f.String())
				}
			})
			err = b.Each(ctx, len(files), func(i int) (string, error) {
				k.Shard(files[i])
				return fmt.Sprintf("%s, %s", wording.Count(k.Rows, "row"), wording.Count(len(k.Faults), "fault")), nil
			})
			if err != nil {
				return err
			}
			k.Compare()
			for _, dir := range slices.Sorted(maps.Keys(counts)) {
				k.Run(dir, counts[dir].Check)
			}
			if asJSON {
				err = shell.WriteJSON(c, k)
			} else {
				err = printCheck(c.OutOrStdout(), k)
			}
			if err == nil && len(k.Faults) > 0 {
				err = errors.New(wording.Count(len(k.Faults), "fault") + " in the data")
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// runOf is the folder of the run that an argument stands for, which may be its folder
// of shards.
func runOf(arg string) string {
	if whole, err := filepath.Abs(arg); err == nil && filepath.Base(whole) == rundir.ShardsDir {
		return filepath.Join(arg, "..")
	}
	return filepath.Clean(arg)
}

// printCheck prints what was checked and how much of it is wrong.
func printCheck(out io.Writer, k *census.Checker) error {
	faults := "no fault"
	if n := len(k.Faults); n > 0 {
		faults = wording.Count(n, "fault")
	}
	_, err := fmt.Fprintf(out, "%s, %s, %s: %s\n", wording.Count(k.Shards, "shard"), wording.Count(k.Games, "game"), wording.Count(k.Rows, "row"), faults)
	return err
}
