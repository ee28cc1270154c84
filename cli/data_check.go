package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/spf13/cobra"
)

// dataFault is one thing that is wrong with recorded games.
type dataFault struct {
	Shard string `json:"shard"`
	// Game and Ply say where in the shard; nil if the fault is the shard's own.
	Game *int64 `json:"game,omitempty"`
	Ply  *int32 `json:"ply,omitempty"`
	Text string `json:"error"`
}

func (f *dataFault) String() string {
	if f.Game == nil {
		return fmt.Sprintf("shard %s: %s", f.Shard, f.Text)
	}
	return fmt.Sprintf("shard %s: game %d: ply %d: %s", f.Shard, *f.Game, *f.Ply, f.Text)
}

func newDataCheck(env *shell.Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "check PATH...",
		Short: "Verify shards and play every game again by its rules",
		Long: "Reports every fault with its shard, game and ply: checksums, schema, the rules of rows, the numbers of shards and\n" +
			"games, and whatever the rules of the game say otherwise: positions, legal actions, outcomes, turns left. The exit\n" +
			"code is 1 if there is any. A game is left at the first position that its moves do not lead to.",
		Args:    cobra.MinimumNArgs(1),
		Example: "  ludozero data check runs/first",
		RunE: func(c *cobra.Command, args []string) error {
			files, err := findShards(args)
			if err != nil {
				return err
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			b := shell.NewBar(c.ErrOrStderr(), len(files), "shards")
			k := newChecker(env.Families, len(files), func(f *dataFault) {
				if !asJSON {
					b.Println(c.OutOrStdout(), f.String())
				}
			})
			err = eachShard(ctx, b, files, func(i int) (string, error) {
				k.shard(files[i])
				return fmt.Sprintf("%s, %s", shell.Count(k.Rows, "row"), shell.Count(len(k.Faults), "fault")), nil
			})
			if err != nil {
				return err
			}
			k.compare()
			if asJSON {
				err = shell.WriteJSON(c, k)
			} else {
				err = k.print(c.OutOrStdout())
			}
			if err == nil && len(k.Faults) > 0 {
				err = errors.New(shell.Count(len(k.Faults), "fault") + " in the data")
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// checker goes through shards and collects their faults.
type checker struct {
	Shards int         `json:"shards"`
	Games  int         `json:"games"`
	Rows   int         `json:"rows"`
	Faults []dataFault `json:"faults"`

	library *library
	show    func(*dataFault) // called with each fault when it is found
	numbers numbering
}

func newChecker(games engine.Families, shards int, show func(*dataFault)) *checker {
	return &checker{Shards: shards, Faults: []dataFault{}, library: newLibrary(games), show: show}
}

func (k *checker) print(out io.Writer) error {
	faults := "no fault"
	if n := len(k.Faults); n > 0 {
		faults = shell.Count(n, "fault")
	}
	_, err := fmt.Fprintf(out, "%s, %s, %s: %s\n", shell.Count(k.Shards, "shard"), shell.Count(k.Games, "game"), shell.Count(k.Rows, "row"), faults)
	return err
}

// fault notes a fault of a shard, or of one of its rows.
func (k *checker) fault(path string, r *record.Row, err error) {
	f := dataFault{Shard: path, Text: strings.TrimPrefix(err.Error(), "shard "+path+": ")}
	if r != nil {
		game, ply := r.GameNumber, r.Ply
		f.Game, f.Ply = &game, &ply
	}
	k.Faults = append(k.Faults, f)
	k.show(&f)
}

// shard checks one shard on its own and notes what it holds.
func (k *checker) shard(file shardFile) {
	defer func() {
		if p := recover(); p != nil { // whatever the file holds, the others are checked
			k.fault(file.path, nil, fmt.Errorf("panic: %v", p))
		}
	}()
	k.numbers.file(file)
	s, _, err := k.library.open(file.path)
	var rows []record.Row
	if err == nil {
		rows, err = s.Decode()
	}
	if err != nil {
		k.fault(file.path, nil, err)
		return
	}
	k.rows(file, s, rows)
}

// rows checks the rows of a shard.
func (k *checker) rows(file shardFile, s *record.Shard, rows []record.Row) {
	k.numbers.shard(file, s, rows)
	k.Rows += len(rows)
	problems := s.Problems(rows)
	for start, game := range record.Games(rows) {
		k.Games++
		end := start + len(game)
		for len(problems) > 0 && problems[0].Row >= 0 && problems[0].Row < end {
			k.fault(file.path, &rows[problems[0].Row], problems[0].Err)
			problems = problems[1:]
		}
		k.game(file.path, game)
	}
	for _, p := range problems { // of no row
		k.fault(file.path, nil, p.Err)
	}
}

// game holds a game to its rules.
func (k *checker) game(path string, rows []record.Row) {
	book, err := k.library.rules(&rows[0])
	if err != nil {
		k.fault(path, &rows[0], err)
		return
	}
	for _, p := range book.replayer.Play(rows, nil) {
		k.fault(path, &rows[p.Row], p.Err)
	}
}

// compare holds the shards to each other.
func (k *checker) compare() {
	for _, f := range k.numbers.faults() {
		k.fault(f.path, nil, f.err)
	}
}
