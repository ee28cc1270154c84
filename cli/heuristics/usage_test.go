package heuristics

import (
	"path/filepath"
	"testing"

	"github.com/ludozero/ludozero/cli/clitest"
	"github.com/ludozero/ludozero/player/open"
)

func TestUsageErrorsOfTest(t *testing.T) {
	dir := t.TempDir()
	one := filepath.Join(dir, "one.safetensors")
	clitest.WriteWeights(t, one, "konreh", 0)
	for _, c := range []struct {
		args string
		want string
	}{
		{"", "--networks: want two or more"},
		{"--networks konreh", "--networks: want two or more"},
		{"--networks konreh,konreh", "networks " + open.ByHash("konreh") + " and " + open.ByHash("konreh") + " are the same (weights "},
		{"--networks konreh,nowhere/at/all", "nowhere/at/all"},
		{"--networks konreh," + one + " --rules nonsense", "nonsense"},
		{"--networks konreh," + one + " --games 3 --pairs 0 --judge-sims -1", "--games 3: want an even number"},
		{"--networks konreh," + one + " --depth 9", "depth"},
	} {
		clitest.Refuse(t, New, 2, "test "+c.args, c.want)
	}
	clitest.Refuse(t, New, 2, "test --networks konreh,"+one+" --run "+filepath.Join(dir, "nothing"), "nothing")
}
