package report

import (
	"testing"

	"github.com/ludozero/ludozero/cli/clitest"
)

func TestUsageErrors(t *testing.T) {
	empty := t.TempDir()
	clitest.Refuse(t, New, 2, empty, "it is no run")
	clitest.Refuse(t, New, 2, empty+" --text --json", "--text, --json and --out: want one of them")
	clitest.Refuse(t, New, 2, empty+" --text --out x.html", "want one of them")
}
