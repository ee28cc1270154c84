package fit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/model/safetensors"
)

// Keys of a saved fit.
const (
	stateKey = "ludozero.fit"
	epochKey = "epoch"
	stepKey  = "step"
)

// ErrOther says that a saved fit is of other positions or of another configuration.
var ErrOther = errors.New("it is of other positions, or of another configuration")

// identity is what a saved fit must agree in.
type identity struct {
	Config
	Choice Choice
	Digest string // of the positions
}

func (f *Fit) identity() identity {
	return identity{f.config, f.samples.Choice, f.samples.Digest()}
}

// Check returns why a fit by c to positions of that choice could not resume what file holds, as far
// as can be told before there are positions: nil if there is no file, or if their digest decides.
func Check(file string, choice Choice, c Config) error {
	m, err := load(file)
	if m != nil && m.identity != (identity{c, choice, m.identity.Digest}) {
		err = inFile(file, ErrOther)
	}
	return err
}

// saved is a fit between two epochs, as a file holds it.
type saved struct {
	identity    identity
	epoch, step int
	tensors     []safetensors.Tensor
}

// load reads a saved fit; nil if there is no such file.
func load(file string) (*saved, error) {
	data, err := input.Read(file, input.Large)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	m, err := parse(data)
	if err != nil {
		return nil, inFile(file, err)
	}
	return m, nil
}

func inFile(file string, err error) error {
	return fmt.Errorf("%s: %w: delete it to fit anew", file, err)
}

// parse reads what save returned; else the error may wrap safetensors.ErrCorrupt.
func parse(data []byte) (*saved, error) {
	meta, list, err := safetensors.Decode(data)
	if err != nil {
		return nil, err
	}
	m := &saved{tensors: list}
	err = json.Unmarshal([]byte(meta[stateKey]), &m.identity)
	var err1, err2 error
	m.epoch, err1 = strconv.Atoi(meta[epochKey])
	m.step, err2 = strconv.Atoi(meta[stepKey])
	if err := errors.Join(err, err1, err2); err != nil {
		return nil, fmt.Errorf("no saved fit: %w", err)
	}
	return m, nil
}

// tensors are the weights and the moments.
func (f *Fit) tensors() (list []safetensors.Tensor) {
	for i, prefix := range []string{"", "m.", "v."} {
		n := f.network
		if i > 0 {
			n = f.moments[i-1]
		}
		for _, p := range n.Parts() {
			list = append(list, safetensors.Tensor{Name: prefix + p.Name, Shape: p.Shape, Data: p.Values})
		}
	}
	return list
}

// save returns the fit between two epochs as a file.
func (f *Fit) save() ([]byte, error) {
	text, err := json.Marshal(f.identity())
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = safetensors.Encode(&b, map[string]string{
		stateKey: string(text), epochKey: strconv.Itoa(f.epoch), stepKey: strconv.Itoa(f.step),
	}, f.tensors())
	return b.Bytes(), err
}

// resume sets f to a fit that was saved for the same samples and configuration; else the
// error wraps ErrOther.
func (f *Fit) resume(m *saved) error {
	if m.identity != f.identity() {
		return ErrOther
	}
	own := f.tensors()
	if len(m.tensors) != len(own) {
		return fmt.Errorf("%d tensors: want %d", len(m.tensors), len(own))
	}
	for i, t := range own {
		if of := &m.tensors[i]; of.Name != t.Name || !slices.Equal(of.Shape, t.Shape) {
			return fmt.Errorf("tensor %q: want %q of shape %v", of.Name, t.Name, t.Shape)
		}
		copy(t.Data, m.tensors[i].Data)
	}
	f.epoch, f.step = m.epoch, m.step
	return nil
}
