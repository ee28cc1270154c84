package run

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
)

func auto() plan.Config {
	c := tiny()
	c.SelfPlay.Precision, c.Train.Precision = "auto", "auto"
	return c
}

// TestRunWantsNoAuto: a run that said auto would be another one on another machine.
func TestRunWantsNoAuto(t *testing.T) {
	cfg := auto()
	if err := cfg.Validate(games.All()); err != nil {
		t.Errorf("Validate = %v", err)
	}
	dir := newDir(t)
	for what, err := range map[string]error{"Run": work(t.Context(), dir, cfg), "Reproduce": play.Reproduce(t.Context(), dir, cfg, games.All(), nil, nil, nil)} {
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
