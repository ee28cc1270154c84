package run

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/train/plan"
)

func TestFastestByLevel(t *testing.T) {
	want := map[string][2]string{
		"generic":    {"f32", "f32"},
		"avx2":       {"f32", "f32"},
		"avx2vnni":   {"int8", "f32"},
		"avx512":     {"f32", "f32"},
		"avx512vnni": {"int8", "f32"},
		"amx":        {"int8", "bf16"},
	}
	for level, formats := range want {
		if play, learn := fastest(level); play != formats[0] || learn != formats[1] {
			t.Errorf("level %s plays in %s and trains in %s, want %s and %s", level, play, learn, formats[0], formats[1])
		}
	}
	for _, level := range kernel.Levels() {
		if _, ok := want[level]; !ok {
			t.Errorf("level %s: nothing was measured", level)
		}
	}
}

func auto() plan.Config {
	c := tiny()
	c.SelfPlay.Precision, c.Train.Precision = "auto", "auto"
	return c
}

func TestResolveAuto(t *testing.T) {
	play, learn := fastest(kernel.Level())
	like := tiny()
	like.SelfPlay.Precision, like.Train.Precision = "bf16", "bf16"
	one := auto()
	one.SelfPlay.Precision = "bf16"
	for _, c := range []struct {
		name        string
		cfg         plan.Config
		like        *plan.Config
		play, learn string
		settled     []string
	}{
		{"by the kernels", auto(), nil, play, learn, []string{"self_play.precision=" + play, "train.precision=" + learn}},
		{"as the run has it", auto(), &like, "bf16", "bf16", []string{"self_play.precision=bf16", "train.precision=bf16"}},
		{"one of them", one, nil, "bf16", learn, []string{"train.precision=" + learn}},
		{"none", tiny(), &like, "f32", "f32", nil},
	} {
		cfg := c.cfg
		settled := ResolveAuto(&cfg, c.like)
		if cfg.SelfPlay.Precision != c.play || cfg.Train.Precision != c.learn || !slices.Equal(settled, c.settled) {
			t.Errorf("%s: %s, %s, settled %q, want %s, %s, %q", c.name, cfg.SelfPlay.Precision, cfg.Train.Precision, settled, c.play, c.learn, c.settled)
		}
		explicit := tiny()
		explicit.SelfPlay.Precision, explicit.Train.Precision = c.play, c.learn
		if cfg.Hash() != explicit.Hash() {
			t.Errorf("%s: the hash is not that of the values themselves", c.name)
		}
	}
	if like.SelfPlay.Precision != "bf16" {
		t.Error("ResolveAuto changed what it was to be like")
	}
}

// TestRunWantsNoAuto: a run that said auto would be another one on another machine.
func TestRunWantsNoAuto(t *testing.T) {
	cfg := auto()
	if err := cfg.Validate(games.All()); err != nil {
		t.Errorf("Validate = %v", err)
	}
	dir := newDir(t)
	for what, err := range map[string]error{"Run": work(t.Context(), dir, cfg), "Reproduce": Reproduce(t.Context(), dir, cfg, games.All(), nil, nil)} {
		if err == nil || !strings.Contains(err.Error(), "self_play.precision: auto: want") || !strings.Contains(err.Error(), "train.precision: auto: want") {
			t.Errorf("%s = %v, want an error with both keys", what, err)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the run that was refused has a folder: %v", err)
	}
	cfg.SelfPlay.Precision, cfg.Train.Precision = "automatic", "int8"
	err := cfg.Validate(games.All())
	for _, want := range []string{`self_play.precision: "automatic": want one of f32, int8, bf16 or auto`, "train.precision: int8: want f32, bf16 or auto"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Validate = %v, want %s", err, want)
		}
	}
}
