package connect4

import "testing"

func TestTurnsLeft(t *testing.T) {
	for turn, want := range map[uint8]int{0: 36, 20: 16, 28: 8, 34: 8, 36: 6, 41: 1, 42: 1} {
		if got := (&State{turn: turn}).TurnsLeft(); got != want {
			t.Errorf("after %d turns %d left, want %d", turn, got, want)
		}
	}
}
