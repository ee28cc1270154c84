// Package precision names the number formats that a network can be computed in.
package precision

import (
	"fmt"
	"strings"
)

// Precision is the number format of a network's tower in play.
type Precision uint8

const (
	// F32 is float32, the format that networks are trained in.
	F32 Precision = iota
	// Int8 holds weights and activations in eight bits. It needs a calibration.
	Int8
	// BF16 multiplies numbers rounded to bfloat16. It needs matrix units.
	BF16
	// Fastest stands for one of the others until a network is opened: Int8 where the
	// network is calibrated and the processor is faster with it, else F32.
	Fastest
)

var names = [...]string{F32: "f32", Int8: "int8", BF16: "bf16", Fastest: Auto}

// Default is the name of F32.
const Default = "f32"

// Auto stands in configurations for the fastest precision of the machine that
// creates the run, and in descriptions of players for Fastest or F32. Parse does not
// take it.
const Auto = "auto"

// Names lists the precisions that Parse takes, the default first.
func Names() []string { return append([]string(nil), names[:Fastest]...) }

func (p Precision) String() string { return names[p] }

// Parse returns the precision of that name.
func Parse(name string) (Precision, error) {
	for p, n := range names[:Fastest] {
		if n == name {
			return Precision(p), nil
		}
	}
	return F32, fmt.Errorf("precision: %q: want one of %s", name, strings.Join(names[:Fastest], ", "))
}
