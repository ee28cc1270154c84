package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/model/safetensors"
)

// Extension is the extension of a weight file, CardExtension of the card beside it.
const (
	Extension     = ".safetensors"
	CardExtension = ".card.json"
)

// Metadata keys of a weight file: the card, and the calibration if there is one.
const (
	cardKey        = "card"
	calibrationKey = "calibration"
)

// ErrVersion is wrapped when a file is intact but of a format or version that this
// program does not know.
var ErrVersion = errors.New("unknown weight file format or version")

// CardPath is the name of the card beside the weight file path.
func CardPath(path string) string { return strings.TrimSuffix(path, Extension) + CardExtension }

// Save writes the weight file and then, for people and other programs, its card
// beside it, each whole or not at all. The weight file holds the card too and
// is all that Load reads, so the two cannot contradict each other after a kill
// between the writes. Format, FormatVersion and Network of the card are set by
// Save; c itself is not changed.
func Save(path string, w *Weights, c Card) error {
	if !strings.HasSuffix(path, Extension) {
		return fmt.Errorf("weights %s: want a name that ends in %s", path, Extension)
	}
	if err := atomicfile.Write(path, func(f io.Writer) error { return Encode(f, w, c) }); err != nil {
		return fmt.Errorf("weights %s: %w", path, err)
	}
	err := atomicfile.Write(CardPath(path), func(f io.Writer) error { return EncodeCard(f, w, c) })
	if err != nil {
		return fmt.Errorf("card %s: %w", CardPath(path), err)
	}
	return nil
}

// EncodeCard writes the card beside a weight file as Save does.
func EncodeCard(f io.Writer, w *Weights, c Card) error {
	stamp(&c, w)
	text, err := json.MarshalIndent(c, "", "  ")
	if err == nil {
		_, err = f.Write(append(text, '\n'))
	}
	return err
}

// stamp sets the fields of a card that follow from the weights.
func stamp(c *Card, w *Weights) {
	c.Format, c.FormatVersion, c.Network = Format, FormatVersion, w.net
	if c.Rules == nil {
		c.Rules = []RulesShare{}
	}
}

// Encode writes a weight file as Save does. Equal arguments give equal bytes.
func Encode(f io.Writer, w *Weights, c Card) error {
	stamp(&c, w)
	if err := errors.Join(c.validate(), w.Check()); err != nil {
		return err
	}
	text, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("card: %w", err)
	}
	meta := map[string]string{"format": "ludozero", cardKey: string(text)}
	if c.Calibration != nil {
		if err := c.Calibration.Fits(w.net); err != nil {
			return err
		}
		text, err := json.Marshal(c.Calibration) // map keys are sorted
		if err != nil {
			return fmt.Errorf("calibration: %w", err)
		}
		meta[calibrationKey] = string(text)
	}
	return safetensors.Encode(f, meta, w.tensors())
}

// Load reads a weight file. Errors name the file and wrap safetensors.ErrCorrupt
// if it is truncated or altered, ErrVersion if it is not one that this program
// knows.
func Load(path string) (*Weights, *Card, error) {
	b, err := input.Read(path, input.Large)
	if err != nil {
		return nil, nil, fmt.Errorf("weights: %w", err)
	}
	w, c, err := Decode(b)
	if err != nil {
		return nil, nil, fmt.Errorf("weights %s: %w", path, err)
	}
	return w, c, nil
}

// Decode reads a weight file from memory.
func Decode(b []byte) (*Weights, *Card, error) {
	meta, tensors, err := safetensors.Decode(b)
	if err != nil {
		return nil, nil, err
	}
	var version struct {
		Format        string `json:"format"`
		FormatVersion int    `json:"format_version"`
	}
	if meta[cardKey] == "" {
		return nil, nil, fmt.Errorf("%w: it has no card of a network", ErrVersion)
	}
	err = json.Unmarshal([]byte(meta[cardKey]), &version)
	if err != nil || version.Format != Format || version.FormatVersion != FormatVersion {
		return nil, nil, fmt.Errorf("%w: %q version %d, want %q version %d", ErrVersion,
			version.Format, version.FormatVersion, Format, FormatVersion)
	}
	c, err := parseCard([]byte(meta[cardKey]))
	if err != nil {
		return nil, nil, fmt.Errorf("card: %w", err)
	}
	w, err := weightsOf(c.Network, tensors)
	if err != nil {
		return nil, nil, err
	}
	if text, ok := meta[calibrationKey]; ok {
		if c.Calibration, err = parseCalibration([]byte(text), c.Network); err != nil {
			return nil, nil, err
		}
	}
	return w, c, nil
}
