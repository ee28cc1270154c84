package problems

import (
	"errors"
	"fmt"
	"testing"
)

func TestInNamesTheSectionOfEveryProblem(t *testing.T) {
	inner := errors.Join(errors.New("a: bad"), errors.Join(errors.New("b: worse"), nil))
	outer := errors.Join(append(In("search", inner), errors.New("c: bad too"))...)
	want := "[self_play.search.a: bad self_play.search.b: worse self_play.c: bad too]"
	if got := fmt.Sprint(In("self_play", outer)); got != want {
		t.Errorf("In = %s, want %s", got, want)
	}
	if got := In("x", nil); got != nil {
		t.Errorf("In of no error = %v", got)
	}
}
