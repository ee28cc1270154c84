package plan

import (
	"slices"
	"testing"

	"github.com/ludozero/ludozero/model/kernel"
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

func auto() Config {
	c := DefaultConfig()
	c.SelfPlay.Precision, c.Train.Precision = "auto", "auto"
	return c
}

func TestResolveAuto(t *testing.T) {
	play, learn := fastest(kernel.Level())
	like := DefaultConfig()
	like.SelfPlay.Precision, like.Train.Precision = "bf16", "bf16"
	one := auto()
	one.SelfPlay.Precision = "bf16"
	for _, c := range []struct {
		name        string
		cfg         Config
		like        *Config
		play, learn string
		settled     []string
	}{
		{"by the kernels", auto(), nil, play, learn, []string{"self_play.precision=" + play, "train.precision=" + learn}},
		{"as the run has it", auto(), &like, "bf16", "bf16", []string{"self_play.precision=bf16", "train.precision=bf16"}},
		{"one of them", one, nil, "bf16", learn, []string{"train.precision=" + learn}},
		{"none", DefaultConfig(), &like, "f32", "f32", nil},
	} {
		cfg := c.cfg
		settled := cfg.ResolveAuto(c.like, kernel.Level())
		if cfg.SelfPlay.Precision != c.play || cfg.Train.Precision != c.learn || !slices.Equal(settled, c.settled) {
			t.Errorf("%s: %s, %s, settled %q, want %s, %s, %q", c.name, cfg.SelfPlay.Precision, cfg.Train.Precision, settled, c.play, c.learn, c.settled)
		}
		explicit := DefaultConfig()
		explicit.SelfPlay.Precision, explicit.Train.Precision = c.play, c.learn
		if cfg.Hash() != explicit.Hash() {
			t.Errorf("%s: the hash is not that of the values themselves", c.name)
		}
	}
	if like.SelfPlay.Precision != "bf16" {
		t.Error("ResolveAuto changed what it was to be like")
	}
}
