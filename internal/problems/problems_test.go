package problems

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

func TestInNamesTheSectionOfEveryProblem(t *testing.T) {
	var search, run List
	search.In("search", errors.Join(errors.New("a: bad"), errors.Join(errors.New("b: worse"), nil)))
	search.Add("c: bad too")
	run.In("self_play", search.Err())
	want := "[self_play.search.a: bad self_play.search.b: worse self_play.c: bad too]"
	if got := fmt.Sprint(run); got != want {
		t.Errorf("In = %s, want %s", got, want)
	}
	if run.In("x", nil); len(run) != 3 {
		t.Errorf("after no error there are %v", run)
	}
}

// TestFlat: errors that join others come apart, those that wrap a joined one do not.
func TestFlat(t *testing.T) {
	one, two := errors.New("one"), errors.New("two")
	three := fmt.Errorf("three: %w", errors.Join(one, two))
	if got := Flat(errors.Join(one, errors.Join(two, three))); !slices.Equal(got, []error{one, two, three}) {
		t.Errorf("Flat = %q, want one, two and three", got)
	}
	if got := Flat(nil); got != nil {
		t.Errorf("Flat(nil) = %q", got)
	}
}
