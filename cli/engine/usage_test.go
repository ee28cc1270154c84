package engine

import (
	"testing"

	"github.com/ludozero/ludozero/cli/clitest"
)

func TestUsageErrors(t *testing.T) {
	clitest.Refuse(t, New, 2, "--player nonsense", `no kind "nonsense"`)
	clitest.Refuse(t, New, 2, "--game go", `"go"`)
	clitest.Refuse(t, New, 1, "--game connect4 --player school:ykrul", "it plays konreh alone")
}
