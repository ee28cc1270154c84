package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// A limit of core time ends an experiment after a whole round, with a report that says
// so. That is the report of the smaller sizes that its command names. Without the limit
// the folder goes on, and comes to what it would have come to at once.
func TestCoreTimeEndsAnExperimentAfterAWholeRound(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, sizes, less string
		words             []string
	}{
		{"balance", "--games 8", "--games 2", quickBalance("--games", "8")},
		{"schools", "--rounds 3 --pairs 6 --other-pairs 3 --network-pairs 2", "--rounds 1 --pairs 2 --other-pairs 2", []string{"schools", "compare", "ykrul", "--depth", "1", "--rounds", "3",
			"--pairs", "6", "--other-pairs", "3", "--weights", "1,2", "--network-pairs", "2", "--sims", "1", "--max-turns", "40", "--workers", "2"}},
		{"heuristics", "--pairs 3 --games 6 --most 6", "--pairs 1 --depth 1 --games 2", quickHeuristics(t, dir, "--pairs", "3", "--games", "6", "--most", "6")},
	} {
		t.Run(c.name, func(t *testing.T) {
			result := func(words ...string) map[string]any {
				r := decode[map[string]any](t, mustCall(t, append(words, "--json")...))
				delete(r, "summary") // which speaks of the limit
				return r
			}
			out := filepath.Join(dir, c.name)
			kept := append(c.words, "--out", out)
			short := result(append(kept, "--core-time", "1ns")...)
			stopped, _ := short["stopped"].(map[string]any)
			if stopped == nil || stopped["round"] != 1.0 || stopped["asked"] != c.sizes {
				t.Fatalf("stopped: %v, want round 1 of what was asked for, %s", stopped, c.sizes)
			}
			text, err := os.ReadFile(filepath.Join(out, "report.txt"))
			if said := strings.Join(strings.Fields(string(text)), " "); err != nil || !strings.Contains(said, "Ended after round 1 of ") || !strings.Contains(said, c.less) {
				t.Errorf("the report does not say how far it came and with what sizes (%s; %v):\n%s", c.less, err, text)
			}
			if again := result(append(kept, "--core-time", "1ns")...); !reflect.DeepEqual(again, short) {
				t.Errorf("the finished folder has another result")
			}
			delete(short, "stopped")
			command := strings.TrimPrefix(fmt.Sprint(short["command"]), "ludozero ")
			if same := result(strings.Fields(command)...); !reflect.DeepEqual(same, short) {
				t.Errorf("%s comes to something else:\n%v\nwant\n%v", command, same, short)
			}
			if whole, once := result(kept...), result(c.words...); !reflect.DeepEqual(whole, once) {
				t.Errorf("going on comes to\n%v\nwant what it is without a stop:\n%v", whole, once)
			}
			mustFail(t, 2, append(c.words, "--core-time", "1h"), "--core-time: want --out")
			mustFail(t, 2, append(kept, "--core-time", "-1s"), "--core-time -1s: want more than 0")
		})
	}
}
