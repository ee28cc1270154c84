package balance

import (
	"testing"

	"github.com/ludozero/ludozero/cli/clitest"
	"github.com/ludozero/ludozero/player/open"
)

func TestUsageErrors(t *testing.T) {
	for _, c := range []struct {
		args string
		want string
	}{
		{"--vary nonsense=1,2", `no option "nonsense"`},
		{"--vary balance", "want OPTION=VALUE"},
		{"--baseline nonsense", `no variant "nonsense": want one of balance=double-move; balance=single`},
		{"--games 3", "games=3"},
		{"--matters 1", "matters=1"},
		{"--temperatures 0", "temperature 0"},
		{"--tuned-pairs 0", "tuned_pairs=0"},
		{"--tuned nonsense", "want VARIANT=NETWORK"},
		{"--tuned pie=shipped:konreh", "networks " + open.ByHash("konreh") + " and " + open.ByHash("shipped:konreh") + " are the same (weights "},
		{"--tuned pie=shipped:konreh --tuned balance=pie=shipped:konreh", "has a network already"},
		{"--networks konreh,konreh", "it is there twice"},
		{"--networks konreh,shipped:konreh", "networks " + open.ByHash("konreh") + " and " + open.ByHash("shipped:konreh") + " are the same (weights "},
		{"--players nonsense", `no kind "nonsense"`},
		{"--players random --sims 3", "they belong to --networks"},
		{"--players random --precision int8", "they belong to --networks"},
		{"--precision f16", "precision=f16: want one of auto, f32"},
		{"--game tictactoe", "no network is shipped for tictactoe"},
	} {
		clitest.Refuse(t, New, 2, c.args, c.want)
	}
	clitest.Refuse(t, New, 1, "--game tictactoe --players mcts:time=1s", "limited by time")
	clitest.Refuse(t, New, 2, "--networks nowhere/at/all", "nowhere/at/all")
}
