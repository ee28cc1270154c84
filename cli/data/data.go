// Package data holds the commands about recorded games: data stat, check, cat, show, luck,
// resign, export and reproduce.
package data

import (
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/spf13/cobra"
)

// New is the command data with those below it.
func New(env *shell.Env) *cobra.Command {
	c := &cobra.Command{
		Use:   "data",
		Short: "Look at recorded games: statistics, checks, rows, annotated games, other formats",
		Long: "Reads the shards that self-play leaves. A PATH is the folder of a run, a folder of shards, or a shard.\n" +
			"DuckDB, pandas and Arrow read shards as they are; docs/data-format.md has the columns.",
		Example: "  ludozero data stat runs/first\n  ludozero data check runs/first",
		Args:    shell.NoSuchCommand,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newDataStat(env), newDataCheck(env), newDataCat(env), newDataShow(env), newDataExport(env), newDataReproduce(env), newDataLuck(env), newDataResign(env))
	return c
}
