package configs

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// FuzzLoad: no file and no override makes Load panic, and what it takes without
// complaint survives being written and read again.
func FuzzLoad(f *testing.F) {
	f.Add("name: x\ntrain: {batch: 3, window: {exponent: 1e-3}}", "seed=7")
	f.Add("mix: &m [{rules: a, share: 1}]\nplayers: *m", "mix=[{rules: a}]")
	f.Add("train: &t {window: *t}", "train.every=1h")
	f.Add("? [a, b]\n: c\n<<: *x", "train.steps=[1, 0x2, 1_0]")
	path := filepath.Join(f.TempDir(), "run.yaml")
	f.Fuzz(func(t *testing.T, text, override string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		cfg, err := Load(defaults(), path, []string{override}, nil)
		if err != nil {
			return
		}
		if err := os.WriteFile(path, Dump(cfg), 0o666); err != nil {
			t.Fatal(err)
		}
		again, err := Load(defaults(), path, nil, nil)
		if err != nil || !reflect.DeepEqual(again, cfg) {
			t.Errorf("%s\nLoad = %+v, %v, want %+v", Dump(cfg), again, err, cfg)
		}
	})
}
