package ratings

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestShortMeansTheSame: the ratings that follow from short matches equal those from
// the whole ones.
func TestShortMeansTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var list []Match
	for g := 1; g <= 9; g++ {
		list = append(list, played(rng, g, "random", 0, 4, float64(20*g)), played(rng, g, "", g-1, 4, 20))
	}
	last := played(rng, 9, "random", 0, 20, 180)
	last.Final = true
	list = append(list, last)
	read := func(generation, limit int) ([]Match, int) {
		t.Helper()
		b, err := Short(list, generation, limit)
		dir := t.TempDir()
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, File), b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		short, err := Read(nil, dir)
		if err != nil {
			t.Fatal(err)
		}
		return short, len(b)
	}
	short, size := read(9, 1<<20)
	want, err := Newest(list)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Newest(short); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Newest = %+v, %v, want %+v", got, err, want)
	}
	if g := short[0].Result.Games[0]; len(short) != len(list) || g.Moves != "" || g.Reason != "" || list[0].Result.Games[0].Moves == "" {
		t.Errorf("%d matches, the first game %+v, want all and no moves", len(short), g)
	}
	generations := func(list []Match) (all []int) {
		for _, m := range list {
			if !m.Final && m.Opponent != "" {
				all = append(all, m.Generation)
			}
		}
		return all
	}
	for _, c := range []struct {
		generation, limit int
		want              []int
		final             bool
	}{
		{9, size, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}, true},
		{9, size - 1, []int{1, 3, 5, 7, 9}, true},
		{9, 0, []int{1, 9}, true},
		{6, size, []int{1, 2, 3, 4, 5, 6}, false},
		{6, 0, []int{1, 6}, false},
		{0, 0, nil, false},
	} {
		got, _ := read(c.generation, c.limit)
		if g := generations(got); !reflect.DeepEqual(g, c.want) || (len(got) > 0 && got[len(got)-1].Final) != c.final {
			t.Errorf("up to generation %d in %d bytes: generations %v, last %+v, want %v", c.generation, c.limit, g, got, c.want)
		}
	}
}
