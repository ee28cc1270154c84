package shell

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/spf13/cobra"
)

// GameFlags are the flags of a command about one game under one ruleset.
type GameFlags struct {
	Env         *Env
	Name, Rules string
}

// Add adds the flags to c. The game is the first that the program knows, unless another
// is named.
func (f *GameFlags) Add(c *cobra.Command, env *Env) {
	f.Env = env
	c.Flags().StringVar(&f.Name, "game", env.Families[0].Name, "game; see ludozero games")
	c.Flags().StringVar(&f.Rules, "rules", "", "rules in one word, PRESET,OPTION=VALUE,...; see ludozero rules")
}

// Family returns the family of the game.
func (f *GameFlags) Family() (*engine.Family, error) {
	family, err := f.Env.Families.ByName(f.Name)
	if err != nil {
		return nil, Usage(err)
	}
	return family, nil
}

// Open returns the game under the rules.
func (f *GameFlags) Open() (engine.Game, error) {
	family, err := f.Family()
	if err != nil {
		return nil, err
	}
	g, err := family.Parse(f.Rules)
	if err != nil {
		return nil, Usage(err)
	}
	return g, nil
}

// Position returns the state of the --position line, or the start for "", with
// its history.
func Position(g engine.Game, line string) (engine.State, *engine.History, error) {
	s, h := g.NewState(), g.NewHistory()
	if err := engine.SetUp(s, h, line); err != nil {
		return nil, nil, Usage(err)
	}
	return s, h, nil
}
