package zoo

import (
	"testing"
	"time"
)

// TestEvaluationMatches are of the files that are shipped, each of another time, with a score
// in its interval; whoever has been given them may change them.
func TestEvaluationMatches(t *testing.T) {
	bad := func(x Match) bool {
		return x.Milliseconds <= 0 || x.Games <= 0 || x.Low > x.Score || x.Score > x.High || x.Low < 0 || x.High > 1 || x.Command == ""
	}
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
			if bad(x) || times[x.Milliseconds] {
				t.Errorf("%s: %+v", name, x)
			}
			times[x.Milliseconds] = true
			if got := m.At(time.Duration(x.Milliseconds) * time.Millisecond); *got != x {
				t.Errorf("%s: %+v is nearest to %+v", name, got, x)
			}
		}
		if m.Browser != nil && bad(*m.Browser) || m.WonInBrowser() != (m.Browser != nil && m.Browser.Score > 0.5) {
			t.Errorf("%s: %+v in browsers", name, m.Browser)
		}
	}
	if _, err := EvaluationMatches("chess"); err == nil {
		t.Error("chess has matches")
	}
}
