package konreh

import "testing"

func TestTurnsLeft(t *testing.T) {
	for _, c := range []struct {
		rules      string
		turn, want int
	}{
		{"standard", 0, 120}, {"standard", 60, 60}, {"standard", 90, 50}, {"standard", 400, 50},
		{"standard,max_turns=600", 0, 120}, {"standard,max_turns=600", 590, 10}, {"standard,max_turns=80", 0, 80},
	} {
		g, err := Family.Parse(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		s := g.NewState().(*State)
		s.Start(nil)
		s.turn = int32(c.turn)
		if got := s.TurnsLeft(); got != c.want {
			t.Errorf("%s after %d turns: %d left, want %d", c.rules, c.turn, got, c.want)
		}
	}
}
