package schools

import (
	"testing"

	"github.com/ludozero/ludozero/cli/clitest"
)

func TestUsageErrorsOfCompare(t *testing.T) {
	for _, c := range []struct {
		args string
		want string
	}{
		{"nonsense", `no school "nonsense"`},
		{"none", "takes part anyway"},
		{"ykrul cross-puncture", "another one is called Ykrul, too"},
		{"--depth 9", "depth=9"},
		{"--pairs 1", "pairs=1"},
		{"--weights 0.5,2", "want 1 among them"},
		{"--opening-turns 3", "opening_turns=3"},
		{"--network-pairs 0 --sims 3", "they belong to --network-pairs"},
		{"--sims 3,3", "it is there twice"},
		{"--rules nonsense", `"nonsense"`},
	} {
		clitest.Refuse(t, New, 2, "compare "+c.args, c.want)
	}
}
