package trained

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/report/health"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestHealthText has what is off now, in words, before what was off, by code.
func TestHealthText(t *testing.T) {
	h := &Health{Name: "r", Game: "konreh", Rules: "standard", Generation: 3}
	var out strings.Builder
	if err := h.WriteText(&out); err != nil || !strings.HasSuffix(out.String(), "no generation was trained: there is nothing to say yet\n") {
		t.Errorf("print = %v\n%s", err, out.String())
	}
	for g := range int32(3) {
		h.Generations = append(h.Generations, rundir.Metrics{Generation: g + 1, NewGames: 64, Steps: 10, ValueSlope: 0.5, ValueSlopeError: 0.125, ValueExplained: 0.25,
			RootExplained: 0.5, PolicyEntropy: 1.5, FrozenPositions: 128, FrozenDrift: 0.25})
	}
	out.Reset()
	if err := h.WriteText(&out); err != nil || !strings.Contains(out.String(), "\nnothing is off\n\ngen ") {
		t.Errorf("print = %v\n%s", err, out.String())
	}
	h.Warnings = []health.Warning{
		{Code: "was-off", Severity: health.Warn, First: 1, Last: 2, Text: "That is over."},
		{Code: "is-off", Severity: health.Alarm, First: 2, Last: 3, Text: "Do something."},
	}
	out.Reset()
	if err := h.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	golden(t, "runs-health.txt", out.String())
	h.Generations[2].FrozenPositions = 0
	out.Reset()
	if err := h.WriteText(&out); err != nil || !strings.Contains(out.String(), " 1.50     0.000     -            -          -          -         0.0  0.00      -     -        -            -       -\n-: not measured") {
		t.Errorf("print of a generation of an older program = %v\n%s", err, out.String())
	}
}
