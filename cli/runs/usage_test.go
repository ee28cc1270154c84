package runs

import (
	"path/filepath"
	"testing"

	"github.com/ludozero/ludozero/cli/clitest"
)

func TestUsageErrorsOfCompare(t *testing.T) {
	none := t.TempDir()
	missing := filepath.Join(none, "missing")
	clitest.Refuse(t, New, 2, "compare "+none+" "+none+" --by day", `--by "day": want time or generation`)
	clitest.Refuse(t, New, 2, "compare "+none+" "+none+" --match -1", "--match -1: want a number of pairs")
	clitest.Refuse(t, New, 2, "compare "+missing+" "+none, missing+": it is not the folder of a run", none+": it is not the folder of a run")
}
