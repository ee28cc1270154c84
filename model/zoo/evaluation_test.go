package zoo

import (
	"testing"
	"time"
)

// TestEvaluationMatches are of the files that are shipped, each of another time, with a score
// in its interval; whoever has been given them may change them.
func TestEvaluationMatches(t *testing.T) {
	for _, name := range Evaluations() {
		m, err := EvaluationMatches(name)
		if err != nil {
			t.Fatal(err)
		}
		if (m != nil) != Has(name) {
			t.Fatalf("%s: matches %+v, network %t", name, m, Has(name))
		}
		if m == nil {
			continue
		}
		times := map[int]bool{}
		for _, x := range m.Matches {
			if x.Milliseconds <= 0 || times[x.Milliseconds] || x.Games <= 0 || x.Low > x.Score || x.Score > x.High || x.Low < 0 || x.High > 1 || x.Command == "" {
				t.Errorf("%s: %+v", name, x)
			}
			times[x.Milliseconds] = true
			if got := m.At(time.Duration(x.Milliseconds) * time.Millisecond); *got != x {
				t.Errorf("%s: %+v is nearest to %+v", name, got, x)
			}
		}
	}
	if _, err := EvaluationMatches("chess"); err == nil {
		t.Error("chess has matches")
	}
}
