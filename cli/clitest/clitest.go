// Package clitest calls single commands in tests of their own packages: what they make of
// flags and arguments, apart from the whole program.
package clitest

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/builtin"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/spf13/cobra"
)

// Call runs the command that make returns for the games of this module and returns what
// it prints.
func Call(t testing.TB, make func(*shell.Env) *cobra.Command, in string, args ...string) (out string, err error) {
	t.Helper()
	env, err := shell.NewEnv(builtin.Games())
	if err != nil {
		t.Fatal(err)
	}
	defer env.Close()
	var o, e bytes.Buffer
	c := make(env)
	c.SilenceUsage, c.SilenceErrors = true, true
	c.SetIn(strings.NewReader(in))
	c.SetOut(&o)
	c.SetErr(&e)
	c.SetArgs(args)
	err = c.ExecuteContext(t.Context())
	return o.String(), err
}

// Refuse demands an exit code, no result, and an error that says all of want. args are
// words with spaces between them.
func Refuse(t testing.TB, make func(*shell.Env) *cobra.Command, code int, args string, want ...string) {
	t.Helper()
	out, err := Call(t, make, "", strings.Fields(args)...)
	if err == nil || shell.ExitCode(err) != code || out != "" {
		t.Errorf("%s: exit code %d (%v), printed %q, want code %d alone", args, shell.ExitCode(err), err, out, code)
		return
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: %v, want it to say %q", args, err, w)
		}
	}
}

// WriteWeights writes the smallest network for a game, untrained, to path, with a card
// that names rules.
func WriteWeights(t testing.TB, path, game string, seed uint64, rules ...string) {
	t.Helper()
	env, err := shell.NewEnv(builtin.Games())
	if err != nil {
		t.Fatal(err)
	}
	defer env.Close()
	g, err := env.Families.Open(game, "")
	if err != nil {
		t.Fatal(err)
	}
	w := model.NewWeights(model.Network{Shape: plan.Shape(g.Info()), Config: model.Config{
		Blocks: 1, Channels: 8, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 16,
	}})
	w.Init(rand.New(rand.NewPCG(seed, 2)))
	card := model.Card{Identity: plan.Identity(g.Info())}
	for _, r := range rules {
		card.Rules = append(card.Rules, model.RulesShare{Rules: r, Share: 1 / float64(len(rules))})
	}
	if err := model.Save(path, w, card); err != nil {
		t.Fatal(err)
	}
}
