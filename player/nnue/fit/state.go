package fit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

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
func (f *Fit) identity() string {
	text, err := json.Marshal(struct {
		Config
		Choice Choice
		Digest string
	}{f.config, f.samples.Choice, f.samples.Digest()})
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return string(text)
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
	var b bytes.Buffer
	err := safetensors.Encode(&b, map[string]string{
		stateKey: f.identity(), epochKey: strconv.Itoa(f.epoch), stepKey: strconv.Itoa(f.step),
	}, f.tensors())
	return b.Bytes(), err
}

// resume sets f to what save returned for the same samples and configuration; else the
// error wraps ErrOther, or safetensors.ErrCorrupt.
func (f *Fit) resume(data []byte) error {
	meta, list, err := safetensors.Decode(data)
	if err != nil {
		return err
	}
	if meta[stateKey] != f.identity() {
		return ErrOther
	}
	epoch, err1 := strconv.Atoi(meta[epochKey])
	step, err2 := strconv.Atoi(meta[stepKey])
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	own := f.tensors()
	if len(list) != len(own) {
		return fmt.Errorf("%d tensors: want %d", len(list), len(own))
	}
	for i, t := range own {
		if list[i].Name != t.Name || !slices.Equal(list[i].Shape, t.Shape) {
			return fmt.Errorf("tensor %q: want %q of shape %v", list[i].Name, t.Name, t.Shape)
		}
		copy(t.Data, list[i].Data)
	}
	f.epoch, f.step = epoch, step
	return nil
}
