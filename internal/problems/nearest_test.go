package problems

import "testing"

func TestNearest(t *testing.T) {
	words := []string{"batch", "steps", "window"}
	for name, want := range map[string]string{
		"bach": "; did you mean batch?", "step": "; did you mean steps?", "windows": "; did you mean window?",
		"x": "", "": "", "momentum": "",
	} {
		if got := Nearest(name, words); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}
