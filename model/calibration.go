package model

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/internal/strictjson"
)

// CalibrationVersion changes when the meaning of the ranges changes: other activations,
// or another use of them.
const CalibrationVersion = 2

// Calibration has the ranges of a network's activations in play, for inference in eight
// bits: with range r, an activation x >= 0 is the whole number nearest to 255·x/r, and
// values above r are r. It is measured on positions with particular weights and stored in
// their file.
type Calibration struct {
	Version int `json:"version"`
	// Positions is the number of positions that it was measured on, at least 1.
	Positions int `json:"positions"`
	// Planes are the ranges of the input planes, which have nothing in common,
	// Means their mean values over all cells, from 0 to the range.
	Planes []float32 `json:"planes"`
	Means  []float32 `json:"plane_means"`
	// Ranges are by the names of Network.Activations, one for all channels of each.
	Ranges map[string]float32 `json:"ranges"`
}

// Activations names what a calibration has ranges of, in the order of the
// computation: what leaves the stem, and of each block its inner activations
// before and after the pooling branch, if it has one, and what leaves the block.
// In the formulas of the package they are t, a, a and t.
func (n Network) Activations() []string {
	names := []string{"stem"}
	for i := range n.Config.Blocks {
		block := fmt.Sprintf("block.%d.", i)
		names = append(names, block+"inner")
		if n.Config.Pooled(i) {
			names = append(names, block+"pooled")
		}
		names = append(names, block+"output")
	}
	return names
}

// Fits reports every reason why c cannot be a calibration of weights of n.
func (c *Calibration) Fits(n Network) error {
	if c.Version != CalibrationVersion {
		return fmt.Errorf("calibration: version = %d: want %d", c.Version, CalibrationVersion)
	}
	var l problems.List
	l.If(c.Positions < 1, "calibration: positions = %d: want at least 1", c.Positions)
	check := func(name string, r float32) {
		l.If(!(r > 0) || math.IsInf(float64(r), 0), "calibration: range of %s = %g: want a finite number above 0", name, r)
	}
	if len(c.Planes) != n.Shape.Planes || len(c.Means) != n.Shape.Planes {
		l.Add("calibration: ranges of %d planes and means of %d: want %d of both", len(c.Planes), len(c.Means), n.Shape.Planes)
	} else {
		for p, r := range c.Planes {
			check(fmt.Sprintf("plane %d", p), r)
			m := c.Means[p]
			l.If(!(m >= 0 && m <= r), "calibration: mean of plane %d = %g: want 0 to its range, %g", p, m, r)
		}
	}
	known := n.Activations()
	for _, name := range known {
		if r, ok := c.Ranges[name]; ok {
			check(name, r)
		} else {
			l.Add("calibration: range of %s: missing", name)
		}
	}
	l.If(len(c.Ranges) > len(known), "calibration: %d ranges: want %d, the network has no more activations", len(c.Ranges), len(known))
	return l.Err()
}

// parseCalibration reads the calibration of weights of n and refuses fields that
// it does not know. For another version it returns nil, as if there were none: the
// weights are still valid.
func parseCalibration(text []byte, n Network) (*Calibration, error) {
	var v struct{ Version *int } // first: another version may have other fields
	if err := json.Unmarshal(text, &v); err == nil && v.Version != nil && *v.Version != CalibrationVersion {
		return nil, nil
	}
	c := new(Calibration)
	if err := strictjson.Decode(text, c); err != nil {
		return nil, fmt.Errorf("calibration: %w", err)
	}
	return c, c.Fits(n)
}
