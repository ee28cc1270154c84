package rundir

import (
	"fmt"
	"slices"
)

// Choose returns the generation of a checkpoint that the run in folder dir has: the given
// one, or the last for -1.
func Choose(dir string, generation int) (int, error) {
	generations, err := Generations(dir)
	switch {
	case err != nil:
		return 0, err
	case len(generations) == 0:
		return 0, fmt.Errorf("%s: it is no run with a checkpoint", dir)
	case generation < 0:
		return generations[len(generations)-1], nil
	case !slices.Contains(generations, generation):
		return 0, fmt.Errorf("run %s: there is no checkpoint of generation %d; the last is %d", dir, generation, generations[len(generations)-1])
	}
	return generation, nil
}

// Seen counts the positions that the run in folder dir, and the runs whose games it
// had, had seen when it wrote the checkpoint of a generation.
func Seen(dir string, generation int) (int64, error) {
	s, err := ReadState(dir, generation)
	if err != nil {
		return 0, err
	}
	o, err := CheckOrigin(dir, &s)
	if o == nil || err != nil {
		return int64(s.Rows), err
	}
	return int64(s.Rows) + o.Seen, nil
}
