package bench

import (
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/mcts"
)

func TestCrews(t *testing.T) {
	for most, want := range map[int][]crew{
		1: {{1, 1}, {1, 8}},
		2: {{1, 1}, {1, 8}, {2, 16}, {2, 32}, {2, 64}},
		6: {{1, 1}, {1, 8}, {2, 16}, {2, 32}, {2, 64}, {4, 32}, {4, 64}, {4, 128}, {6, 48}, {6, 96}, {6, 192}},
	} {
		if got := crews(most); !slices.Equal(got, want) {
			t.Errorf("crews(%d) = %v, want %v", most, got, want)
		}
	}
	for _, c := range crews(1000) {
		if c.leaves > mcts.MaxPendingLeaves {
			t.Errorf("%+v: want %d leaves at most", c, mcts.MaxPendingLeaves)
		}
	}
}

// TestNoteOfThreads: of crews that are nearly as fast the one with the fewest leaves is
// named, and the serial part bounds what threads give.
func TestNoteOfThreads(t *testing.T) {
	rate := func(rates ...float64) *probe { return &probe{values: [][]float64{rates}} }
	list := crews(2)
	parts := &probe{values: [][]float64{{1}, {9}}}                                // µs: a tenth is serial
	forwards := []*probe{rate(1e5), rate(1.2e5), rate(1.25e5), rate(1.25e5)}      // evaluations/s
	probes := []*probe{rate(50), rate(100), rate(150), rate(190, 194), rate(195)} // 192 is within 3 % of 195
	var s Section
	(&bench{}).noteThreads(&s, list, probes, parts, forwards)
	text := strings.Join(s.Notes, "\n")
	for _, want := range []string{"threads=2,leaves=32 suits", "10.0 % of a simulation is serial", "no number of threads gives more than 10 times", "2 threads 2 with 32"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	s = Section{}
	probes[1] = rate(200)
	(&bench{}).noteThreads(&s, list, probes, parts, forwards)
	if !strings.HasPrefix(s.Notes[0], "threads=1,leaves=8 suits") {
		t.Errorf("%s", s.Notes[0])
	}
}
