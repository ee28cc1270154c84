package play

import (
	"testing"

	"github.com/ludozero/ludozero/cli/clitest"
)

func TestUsageErrors(t *testing.T) {
	for args, want := range map[string]string{
		"--first random --against exact":              "--against: who sits",
		"--first random --second you --against exact": "--against: who sits",
		"--first nonsense":                            `no kind "nonsense"`,
		"--hints nonsense":                            `no kind "nonsense"`,
		"--moves zz":                                  `move 1, "zz"`,
		"--position nonsense":                         `position "nonsense"`,
		"--color pink":                                "--color",
	} {
		clitest.Refuse(t, New, 2, args, want)
	}
}
