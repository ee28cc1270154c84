package sweep

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/stats/design"
)

// Run is one run of a sweep.
type Run struct {
	// Name is also the name of its folder.
	Name string `json:"name"`
	Seed uint64 `json:"seed"`
	// Levels are the levels of the factors in their order, l or h; empty with arms.
	Levels string `json:"levels,omitempty"`
	// Arm is the name of its arm; empty with factors.
	Arm string `json:"arm,omitempty"`
	// Settings are what it differs in from the others, key=value.
	Settings []string `json:"settings"`
}

// Design is the design of a plan with factors, which must be valid.
func (p *Plan) Design() *design.Factorial {
	d, err := design.New(p.Runs, len(p.Factors))
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return d
}

// All lists the runs of a valid plan: those of a design in standard order, those of
// arms by arm. Runs of a design have a seed each, arms all have the same ones.
func (p *Plan) All() []Run {
	var list []Run
	if len(p.Arms) > 0 {
		for _, a := range p.Arms {
			for i := range p.Seeds {
				s := p.Seed + uint64(i)
				list = append(list, Run{Name: fmt.Sprintf("%s-%d", a.Name, s), Seed: s, Arm: a.Name, Settings: slices.Clone(a.Set)})
			}
		}
		return list
	}
	d := p.Design()
	for i := range d.Runs() {
		r := Run{Seed: p.Seed + uint64(i)}
		for k, f := range p.Factors {
			if d.High(i, k) {
				r.Levels += "h"
				r.Settings = append(r.Settings, f.High...)
			} else {
				r.Levels += "l"
				r.Settings = append(r.Settings, f.Low...)
			}
		}
		r.Name = fmt.Sprintf("%02d-%s", i+1, r.Levels)
		list = append(list, r)
	}
	return list
}

// order lists the runs as they are begun, by their index in All: at random, so
// that what changes on the machine in the meantime falls on no level. The runs of
// arms with one seed follow each other, since they are compared.
func (p *Plan) order() []int {
	rng := rand.New(seed.Stream(p.Seed, "sweep order", 0))
	if len(p.Arms) == 0 {
		return rng.Perm(p.Runs)
	}
	var order []int
	for s := range p.Seeds {
		for _, arm := range rng.Perm(len(p.Arms)) {
			order = append(order, arm*p.Seeds+s)
		}
	}
	return order
}
