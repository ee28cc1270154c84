// Package design plans and evaluates experiments in which every run gives one
// number: two-level fractional factorial designs, and arms that are compared over
// equal seeds.
//
// A run is the unit: the error of an effect is computed from the differences between
// runs that should agree, never from the games or positions behind one number. The
// package starts no runs and knows neither settings nor files. Methods follow Box,
// Hunter & Hunter, Statistics for Experimenters (2nd edition, 2005), chapters 5 and
// 6.
package design

import (
	"fmt"
	"math/bits"
)

// word is a set of factors, bit i for factor i. As a column of a design it stands for
// the product of their levels.
type word uint32

func parse(digits string) word {
	w := word(0)
	for _, d := range digits {
		w |= 1 << (d - '1')
	}
	return w
}

// generators[runs][k] lists how the levels of k factors beyond the basic ones are
// products of the basic factors 1, 2, …. Each line has the highest possible
// resolution. Sources: Box, Hunter & Hunter (table of useful two-level fractional
// factorials, up to 11 factors in 32 runs) and NIST Dataplot's file dexres4 (12 to 16
// factors), which follows the same book. At least one degree of freedom is left for the error.
var generators = map[int][][]string{
	8: {
		{},
		{"123"},
		{"12", "13"},
		{"12", "13", "23"},
	},
	16: {
		{},
		{"1234"},
		{"123", "234"},
		{"123", "234", "134"},
		{"234", "134", "123", "124"},
		{"123", "234", "134", "124", "1234"},
		{"123", "234", "134", "124", "1234", "12"},
		{"123", "234", "134", "124", "1234", "12", "13"},
		{"123", "234", "134", "124", "1234", "12", "13", "14"},
		{"123", "234", "134", "124", "1234", "12", "13", "14", "23"},
		{"123", "234", "134", "124", "1234", "12", "13", "14", "23", "24"},
	},
	32: {
		{},
		{"12345"},
		{"1234", "1245"},
		{"123", "124", "2345"},
		{"2345", "1345", "1245", "1235"},
		{"1234", "1235", "1245", "1345", "2345"},
		{"123", "234", "345", "134", "145", "245"},
		{"123", "124", "125", "134", "135", "145", "234"},
		{"123", "124", "125", "134", "135", "145", "234", "235"},
		{"123", "124", "125", "134", "135", "145", "234", "235", "245"},
		{"123", "124", "125", "134", "135", "145", "234", "235", "245", "345"},
		{"123", "124", "125", "134", "135", "145", "234", "235", "245", "345", "12345"},
	},
}

// Factorial is a two-level design: in each run every factor is at its low or its
// high level, each as often, and any two factors take all four combinations equally
// often. It does not change.
type Factorial struct {
	runs, basic int
	// columns are the levels by factor as products of the basic factors.
	columns []word
}

// MostFactors is the largest number of factors in a design with the given number of
// runs, 0 if there is no such design.
func MostFactors(runs int) int {
	if generators[runs] == nil {
		return 0
	}
	return bits.Len(uint(runs)) - 2 + len(generators[runs])
}

// New returns the design of the highest resolution for the given number of factors in
// 8, 16 or 32 runs. If a full factorial needs fewer runs, every combination is run
// several times.
func New(runs, factors int) (*Factorial, error) {
	most := MostFactors(runs)
	if most == 0 {
		return nil, fmt.Errorf("a design of %d runs: want 8, 16 or 32", runs)
	}
	if factors < 1 || factors > most {
		return nil, fmt.Errorf("a design of %d factors: want 1 to %d in %d runs", factors, most, runs)
	}
	d := &Factorial{runs: runs, basic: min(factors, bits.Len(uint(runs))-1)}
	for i := range d.basic {
		d.columns = append(d.columns, 1<<i)
	}
	for _, g := range generators[runs][factors-d.basic] {
		d.columns = append(d.columns, parse(g))
	}
	return d, nil
}

// Runs is the number of runs.
func (d *Factorial) Runs() int { return d.runs }

// Factors is the number of factors.
func (d *Factorial) Factors() int { return len(d.columns) }

// High reports whether a factor is at its high level in a run, both counted from 0.
// Runs are in standard order: factor 0 changes from each run to the next.
func (d *Factorial) High(run, factor int) bool { return d.columns[factor].high(run) }

// high is the level of a column in a run. In a product of an even number of factors two
// low levels make a high one.
func (w word) high(run int) bool {
	return bits.OnesCount32(uint32(w)&^uint32(run))%2 == 0
}

// Resolution is the length of the shortest product of factors that does not change
// over the runs, 0 if there is none: the design is a full factorial. At III main
// effects are aliased with interactions of two factors, at IV only interactions of
// two factors with each other, at V neither.
func (d *Factorial) Resolution() int {
	further := d.columns[d.basic:]
	shortest := 0
	for subset := 1; subset < 1<<len(further); subset++ {
		product := word(0)
		for i, c := range further {
			if subset>>i&1 == 1 {
				product ^= c
			}
		}
		length := bits.OnesCount(uint(subset)) + bits.OnesCount32(uint32(product))
		if shortest == 0 || length < shortest {
			shortest = length
		}
	}
	return shortest
}

// Generators lists the factors beyond the basic ones, counted from 0, each with the
// basic factors whose product gives its levels.
func (d *Factorial) Generators() (list []Generator) {
	for i, c := range d.columns[d.basic:] {
		g := Generator{Factor: d.basic + i}
		for k := range d.basic {
			if c>>k&1 == 1 {
				g.Of = append(g.Of, k)
			}
		}
		list = append(list, g)
	}
	return list
}

// Generator says that the levels of Factor are the product of the levels of Of.
type Generator struct {
	Factor int   `json:"factor"`
	Of     []int `json:"of"`
}

// Chain is a set of interactions of two factors that the design cannot tell apart,
// nor from a main effect if Main is a factor: the runs show only their sum.
type Chain struct {
	// Main is a factor from 0, or -1.
	Main int `json:"main"`
	// Pairs are the interactions, by factors.
	Pairs [][2]int `json:"pairs"`

	column word
}

// Chains lists all interactions of two factors, those with a main effect first.
// Interactions of three and more factors, which are part of chains and main effects
// too, are left out.
func (d *Factorial) Chains() []Chain {
	var list []Chain
	at := map[word]int{}
	for i, c := range d.columns {
		at[c] = len(list)
		list = append(list, Chain{Main: i, column: c})
	}
	for j := range d.columns {
		for i := range j {
			c := d.columns[i] ^ d.columns[j]
			k, ok := at[c]
			if !ok {
				k = len(list)
				at[c] = k
				list = append(list, Chain{Main: -1, column: c})
			}
			list[k].Pairs = append(list[k].Pairs, [2]int{i, j})
		}
	}
	kept := list[:0]
	for _, c := range list {
		if len(c.Pairs) > 0 {
			kept = append(kept, c)
		}
	}
	return kept
}
