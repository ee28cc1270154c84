package data

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/selfplay/record"
)

// TestManyForms: what does not fit is summed up, and chance has a line.
func TestManyForms(t *testing.T) {
	for _, more := range []int{0, 1, 2} {
		d := &census.Summary{Games: 2, Rows: 1, Rolls: 3, Turns: &census.Spread{}}
		for range maxForms + more {
			d.ActionsByForm = append(d.ActionsByForm, census.FormCount{Form: "#", Actions: 5, PerGame: 2.5})
		}
		var out strings.Builder
		printSummary(&out, d)
		if n := strings.Count(out.String(), "  #\t5, 2.5 a game\n"); n != maxForms {
			t.Errorf("%d forms printed, want %d", n, maxForms)
		}
		rest := fmt.Sprintf("  others\t%d, %.3g a game\n", 5*more, 2.5*float64(more))
		if strings.Contains(out.String(), "others") != (more > 0) || more > 0 && !strings.HasSuffix(out.String(), rest) {
			t.Errorf("%d forms more:\n%s", more, out.String())
		}
		if !strings.Contains(out.String(), "chance\t3 outcomes\n") {
			t.Errorf("no line on chance:\n%s", out.String())
		}
	}
}

// TestStatAdvises where resigning is wrong too often.
func TestStatAdvises(t *testing.T) {
	n := record.Resignations{Resigned: 180, PlayedOn: 20, Wrong: 5}
	var out []string
	printResignations(census.ResignationsOf(n), 200, func(name, format string, args ...any) {
		out = append(out, name+": "+fmt.Sprintf(format, args...))
	})
	want := []string{
		"resignations: 180 (90.0 %); of 20 games played on, 5 not lost: 25.0 % wrong (11.2 to 46.9 %)",
		": threshold too low: players resign games that they would not lose",
	}
	if !slices.Equal(out, want) {
		t.Errorf("%q, want %q", out, want)
	}
}
