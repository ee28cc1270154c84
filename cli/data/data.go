// Package data holds the commands about recorded games: data stat, check, cat, show, luck,
// resign, export and reproduce.
package data

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/train/rundir"
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

// findShards lists the shards that the arguments stand for. For folders of other kinds it
// says what shows them.
func findShards(args []string) ([]census.File, error) {
	for _, dir := range args {
		if rundir.IsPack(dir) {
			return nil, fmt.Errorf("%s: it is a pack, which has no games: `ludozero report %s --text` shows how it learned", dir, wording.Quoted(dir))
		}
		if _, err := os.Stat(filepath.Join(dir, archive.GamesFile)); err == nil {
			return nil, fmt.Errorf("%s: it has games of a match, which record no searches: `ludozero data show %s --game 1` shows one, %s has all", dir, wording.Quoted(dir), archive.TextFile)
		}
	}
	return census.Find(args)
}
