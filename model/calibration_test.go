package model

import (
	"bytes"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/model/safetensors"
)

func testCalibration(n Network) *Calibration {
	c := &Calibration{Version: CalibrationVersion, Positions: 256, Ranges: map[string]float32{}}
	for i, name := range n.Activations() {
		c.Ranges[name] = 1 + 0.1*float32(i)
	}
	for range n.Shape.Planes {
		c.Planes, c.Means = append(c.Planes, 1), append(c.Means, 0.25)
	}
	return c
}

func TestActivationsAreNamedInOrder(t *testing.T) {
	n := small
	n.Config.Blocks, n.Config.PoolEvery = 2, 2
	want := []string{"stem", "block.0.inner", "block.0.output", "block.1.inner", "block.1.pooled", "block.1.output"}
	if got := n.Activations(); !slices.Equal(got, want) {
		t.Errorf("Activations() = %v, want %v", got, want)
	}
}

func TestCalibrationIsKeptBesideTheCard(t *testing.T) {
	w, c := randomWeights(small), testCard()
	var plain, first, second bytes.Buffer
	if err := Encode(&plain, w, c); err != nil {
		t.Fatal(err)
	}
	c.Calibration = testCalibration(small)
	for _, b := range []*bytes.Buffer{&first, &second} {
		if err := Encode(b, w, c); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the same calibration gives other bytes")
	}
	got, card, err := Decode(first.Bytes())
	if err != nil || !got.Equal(w) || !reflect.DeepEqual(card.Calibration, c.Calibration) {
		t.Errorf("calibration = %+v, %v, want %+v", card.Calibration, err, c.Calibration)
	}
	if _, card, err := Decode(plain.Bytes()); err != nil || card.Calibration != nil {
		t.Errorf("a file without a calibration has %+v, %v", card.Calibration, err)
	}
	// What a program reads that knows no calibration is the same in both.
	before, _, _ := safetensors.Decode(plain.Bytes())
	after, _, _ := safetensors.Decode(first.Bytes())
	delete(after, calibrationKey)
	if !reflect.DeepEqual(before, after) {
		t.Errorf("metadata %v with a calibration, %v without", after, before)
	}
}

func TestCalibrationsThatDoNotFitAreRefused(t *testing.T) {
	for _, c := range []struct {
		want   string
		change func(*Calibration)
	}{
		{"version = 1", func(c *Calibration) { c.Version = 1 }},
		{"positions = 0", func(c *Calibration) { c.Positions = 0 }},
		{"stem: missing", func(c *Calibration) { delete(c.Ranges, "stem") }},
		{"stem = 0", func(c *Calibration) { c.Ranges["stem"] = 0 }},
		{"stem = -1", func(c *Calibration) { c.Ranges["stem"] = -1 }},
		{"stem = NaN", func(c *Calibration) { c.Ranges["stem"] = float32(math.NaN()) }},
		{"stem = +Inf", func(c *Calibration) { c.Ranges["stem"] = float32(math.Inf(1)) }},
		{"plane 1 = 0", func(c *Calibration) { c.Planes[1] = 0 }},
		{"mean of plane 1 = 1.5", func(c *Calibration) { c.Means[1] = 1.5 }},
		{"mean of plane 0 = NaN", func(c *Calibration) { c.Means[0] = float32(math.NaN()) }},
		{"means of 0", func(c *Calibration) { c.Means = nil }},
		{"0 planes", func(c *Calibration) { c.Planes = nil }},
		{"no more activations", func(c *Calibration) { c.Ranges["block.9.output"] = 1 }},
	} {
		k := testCalibration(small)
		c.change(k)
		card := testCard()
		card.Calibration = k
		if err := Encode(&bytes.Buffer{}, randomWeights(small), card); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Encode = %v, want %q", err, c.want)
		}
	}
}

func TestDamagedCalibrationsInFiles(t *testing.T) {
	good, err := func() (string, error) {
		var b bytes.Buffer
		card := testCard()
		card.Calibration = testCalibration(small)
		err := Encode(&b, randomWeights(small), card)
		meta, _, _ := safetensors.Decode(b.Bytes())
		return meta[calibrationKey], err
	}()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{good, ""},
		{strings.Replace(good, `"version":2`, `"version":7,"later":true`, 1), "none"}, // passed over
		{good[:len(good)/2], "calibration: "},
		{good + "x", "more after it"},
		{strings.Replace(good, `"positions"`, `"places"`, 1), "places"},
		{strings.Replace(good, `"stem":`, `"stern":`, 1), "range of stem: missing"},
		{strings.Replace(good, `"stem":`, `"stem":-`, 1), "range of stem = -"},
		{"{}", "version = 0"},
	} {
		var b bytes.Buffer
		if err := Encode(&b, randomWeights(small), testCard()); err != nil {
			t.Fatal(err)
		}
		meta, tensors, err := safetensors.Decode(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		meta[calibrationKey] = c.text
		b.Reset()
		if err := safetensors.Encode(&b, meta, tensors); err != nil {
			t.Fatal(err)
		}
		_, card, err := Decode(b.Bytes())
		switch {
		case c.want == "":
			if err != nil || card.Calibration == nil {
				t.Errorf("Decode = %v", err)
			}
		case c.want == "none":
			if err != nil || card.Calibration != nil {
				t.Errorf("of a later version: %+v, %v, want none", card, err)
			}
		case err == nil || !strings.Contains(err.Error(), c.want):
			t.Errorf("%.40s: Decode = %v, want %q", c.text, err, c.want)
		}
	}
	path := filepath.Join(t.TempDir(), "net"+Extension)
	card := testCard()
	card.Calibration = &Calibration{}
	if err := Save(path, randomWeights(small), card); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("Save = %v, want an error that names the file", err)
	}
}
