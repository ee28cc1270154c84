package match

import (
	"strings"
	"testing"
)

func TestEloTextAtTheExtremes(t *testing.T) {
	if got := eloText(PairCounts{0, 0, 0, 0, 100}.Score(100).Elo()); !strings.HasPrefix(got, "above +56") {
		t.Errorf("Elo of 100 pairs won = %q", got)
	}
	if got := eloText(PairCounts{100, 0, 0, 0, 0}.Score(100).Elo()); !strings.HasPrefix(got, "below -56") {
		t.Errorf("Elo of 100 pairs lost = %q", got)
	}
}
