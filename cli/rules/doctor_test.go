package rules

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

// broken is a game whose states cannot be made.
type broken struct{ engine.Game }

func (broken) NewState() engine.State { panic("out of pieces") }

func TestDoctorReportsFaults(t *testing.T) {
	g, err := tictactoe.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	d := diagnose(broken{g}, 1, 1, 1)
	var out strings.Builder
	d.print(&out)
	if !strings.Contains(out.String(), "FAULT panic: out of pieces") || strings.Contains(out.String(), "no fault") {
		t.Errorf("doctor of a broken game says\n%s", out.String())
	}
}
