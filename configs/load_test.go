package configs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ludozero/ludozero/engine/games"
)

type share struct {
	Rules string  `mapstructure:"rules"`
	Share float64 `mapstructure:"share"`
}

type window struct {
	MinPositions int64   `mapstructure:"min_positions"`
	Exponent     float64 `mapstructure:"exponent"`
}

func (w window) Validate() error {
	var errs []error
	if w.MinPositions < 1 {
		errs = append(errs, fmt.Errorf("min_positions = %d: want at least 1", w.MinPositions))
	}
	if w.Exponent > 1 {
		errs = append(errs, fmt.Errorf("exponent = %g: want at most 1", w.Exponent))
	}
	return errors.Join(errs...)
}

type train struct {
	Batch        int           `mapstructure:"batch"`
	LearningRate float32       `mapstructure:"learning_rate"`
	Every        time.Duration `mapstructure:"every"`
	Steps        []int32       `mapstructure:"steps"`
	Window       window        `mapstructure:"window"`
}

type settings struct {
	Name    string   `mapstructure:"name"`
	Seed    uint64   `mapstructure:"seed"`
	Gating  bool     `mapstructure:"gating"`
	Small   int8     `mapstructure:"small"`
	Players []string `mapstructure:"players"`
	Mix     []share  `mapstructure:"mix"`
	Train   train    `mapstructure:"train"`
}

// Validate repeats a problem of a section and has one across sections.
func (s settings) Validate() error {
	var errs []error
	if s.Train.Window.Exponent > 1 {
		errs = append(errs, fmt.Errorf("train.window.exponent = %g: want at most 1", s.Train.Window.Exponent))
	}
	if s.Train.Batch > 1000 && !s.Gating {
		errs = append(errs, errors.New("train.batch = 1001: want gating"))
	}
	return errors.Join(errs...)
}

func defaults() settings {
	return settings{
		Name: "night", Seed: 1, Players: []string{"random", "mcts"},
		Mix: []share{{"standard", 0.7}, {"tutor", 0.2}, {"blitz", 0.1}},
		Train: train{
			Batch: 256, LearningRate: 0.001, Every: 15 * time.Minute, Steps: []int32{1, 2},
			Window: window{MinPositions: 100, Exponent: 0.75},
		},
	}
}

func write(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNothingSetIsTheDefaults(t *testing.T) {
	for _, path := range []string{"", write(t, ""), write(t, "# nothing\n"), write(t, "{}\n")} {
		got, err := Load(defaults(), path, nil, []string{"HOME=/home", "LUDOZERO_KERNEL=generic", "LUDOZERO_FAULT="})
		if err != nil || !reflect.DeepEqual(got, defaults()) {
			t.Errorf("Load(%q) = %+v, %v", path, got, err)
		}
	}
}

func TestFileSetsEveryType(t *testing.T) {
	got, err := Load(defaults(), write(t, `
name: "day"   # a comment
seed: 18446744073709551615
gating: true
small: -128
players: [random]
mix:
  - {rules: "standard,balance=pie", share: 1}
train:
  batch: 1_000
  learning_rate: 3e-4
  every: 1h30m
  steps: []
  window: {exponent: 1}
`), nil, nil)
	want := settings{
		Name: "day", Seed: 1<<64 - 1, Gating: true, Small: -128, Players: []string{"random"}, Mix: []share{{"standard,balance=pie", 1}},
		Train: train{Batch: 1000, LearningRate: 3e-4, Every: 90 * time.Minute, Steps: []int32{}, Window: window{100, 1}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Load = %+v, %v, want %+v", got, err, want)
	}
}

func TestLaterSourcesWin(t *testing.T) {
	path := write(t, "name: file\ntrain: {batch: 1, every: 1s, window: {min_positions: 11}}\nplayers: [a, b, c]")
	environ := []string{"LUDOZERO_TRAIN_BATCH=2", "LUDOZERO_TRAIN_EVERY=2s", "LUDOZERO_PLAYERS=[d]"}
	got, err := Load(defaults(), path, []string{"train.every=3s"}, environ)
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "file" || got.Train.Batch != 2 || got.Train.Every != 3*time.Second || got.Train.Window.MinPositions != 11 ||
		got.Train.Window.Exponent != 0.75 || !reflect.DeepEqual(got.Players, []string{"d"}) {
		t.Errorf("Load = %+v", got)
	}
}

// TestEveryKeyBySetAndEnvironment sets each key alone both ways; viper on its own sees
// no variable of a key that no file or default names.
func TestEveryKeyBySetAndEnvironment(t *testing.T) {
	words := map[string]string{
		"name": "x=y: [z", "seed": "7", "gating": "true", "small": "-3", "players": "[a, 'b,c']", "mix": "[{rules: tutor, share: 0.5}]",
		"train.batch": "8", "train.learning_rate": "0.5", "train.every": "10ms", "train.steps": "[4,5]",
		"train.window.min_positions": "9", "train.window.exponent": "0.25",
	}
	keys, variables := Keys[settings]()
	if len(keys) != len(words) {
		t.Fatalf("Keys = %v", keys)
	}
	for i, key := range keys {
		a, err := Load(defaults(), "", []string{key + "=" + words[key]}, nil)
		if err != nil {
			t.Error(err)
		}
		b, err := Load(defaults(), "", nil, []string{variables[i] + "=" + words[key]})
		if err != nil {
			t.Error(err)
		}
		if reflect.DeepEqual(a, defaults()) || !reflect.DeepEqual(a, b) {
			t.Errorf("%s: override gives %+v, environment %+v", key, a, b)
		}
	}
	if variables[len(variables)-1] != "LUDOZERO_TRAIN_WINDOW_EXPONENT" {
		t.Errorf("Keys = %v", variables)
	}
}

// TestAllProblemsAtOnce: every source, every kind of problem, one error.
func TestAllProblemsAtOnce(t *testing.T) {
	path := write(t, `name: 2024
seed: -1
gating: yes
small: 128
players: random
mix: [{rule: standard}, {rules: tutor, share: all}]
colour: red
train:
  batch: 1.5
  learning_rate: .nan
  every: 15
  steps: [1, x]
  batchs: 3
  window:
    min_positions: 0
    exponent:
  batch: 7
  sub: {a: 1, b: 2}
`)
	_, err := Load(defaults(), path,
		[]string{"train.bath=3", "nonsense", "train=3", "train.batch=ten", "train.window.exponent=2", "seed=1", "seed=2"},
		[]string{"LUDOZERO_TRAIN_BATCHES=3", "LUDOZERO_KERNAL=avx2", "LUDOZERO_GATING=1", "LUDOZERO_TRAIN_EVERY=", "LUDOZERO_TRAIN_STEPS=1"})
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	for _, want := range []string{
		path + `:1: name: 2024 is of the wrong type: want text`,
		path + `:2: seed: -1: want a whole number from 0 to 18446744073709551615`,
		path + `:3: gating: "yes" is of the wrong type: want true or false`,
		path + `:4: small: 128: want a whole number from -128 to 127`,
		path + `:5: players: "random" is of the wrong type: want a list of text`,
		path + `:6: mix: entry 1: unknown key "rule"; did you mean rules?`,
		path + `:6: mix: entry 2: share: "all" is of the wrong type: want a number`,
		path + `:7: unknown key "colour"`,
		path + `:9: train.batch: 1.5 is of the wrong type: want a whole number`,
		path + `:10: train.learning_rate: .nan: want a finite number`,
		path + `:11: train.every: 15 is of the wrong type: want a duration such as 15m`,
		path + `:12: train.steps: entry 2: "x" is of the wrong type: want a whole number from -2147483648 to 2147483647`,
		path + `:13: unknown key "train.batchs"; did you mean train.batch?`,
		path + `:15: train.window.min_positions = 0: want at least 1`,
		path + `:16: train.window.exponent: has no value: want a number`,
		path + `:17: batch is there twice`,
		path + `:18: unknown key "train.sub"`,
		`override train.bath=3: unknown key "train.bath"; did you mean train.batch?`,
		`override nonsense: want key=value`,
		`override train=3: unknown key "train"`,
		`override train.batch=ten: train.batch: "ten" is of the wrong type: want a whole number`,
		`override train.window.exponent=2: train.window.exponent = 2: want at most 1`,
		`override seed=2: seed is set twice`,
		`environment LUDOZERO_TRAIN_BATCHES: no such setting; did you mean LUDOZERO_TRAIN_BATCH?`,
		`environment LUDOZERO_KERNAL: no such setting`,
		`environment LUDOZERO_GATING: gating: 1 is of the wrong type: want true or false`,
		`environment LUDOZERO_TRAIN_EVERY: train.every: "" is of the wrong type: want a duration such as 15m`,
		`environment LUDOZERO_TRAIN_STEPS: train.steps: 1 is of the wrong type: want a list of a whole number from -2147483648 to 2147483647`,
	} {
		found := false
		for i, line := range lines {
			if line == want {
				lines = append(lines[:i], lines[i+1:]...)
				found = true
				break
			}
		}
		if !found {
			t.Errorf("not reported: %s", want)
		}
	}
	if len(lines) != 0 {
		t.Errorf("reported besides:\n%s", strings.Join(lines, "\n"))
	}
}

func TestImpossibleValuesNameTheirSource(t *testing.T) {
	bad := defaults()
	bad.Train.Window.MinPositions = -1
	_, err := Load(bad, "", nil, nil)
	if err == nil || err.Error() != "default: train.window.min_positions = -1: want at least 1" {
		t.Errorf("Load = %v", err)
	}
	// Rules across sections are asked even if a section complains.
	_, err = Load(defaults(), "", []string{"train.batch=1001", "train.window.exponent=2"}, nil)
	if err == nil || err.Error() != "override train.window.exponent=2: train.window.exponent = 2: want at most 1\n"+
		"override train.batch=1001: train.batch = 1001: want gating" {
		t.Errorf("Load = %v", err)
	}
}

func TestFilesThatAreNoSettings(t *testing.T) {
	for text, want := range map[string]string{
		"- a\n- b":          "want keys and values",
		"name: [":           "yaml",
		"a: 1\n---\nb: 2":   "more than one",
		"train: 3":          "train: want a section",
		"Train: {batch: 3}": `unknown key "Train"`,
		"<<: {name: x}":     `unknown key "<<"`,
	} {
		if _, err := Load(defaults(), write(t, text), nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	// Of values that a missing file may have nothing is said.
	d := defaults()
	d.Train.Window.MinPositions = 0
	_, err := Load(d, filepath.Join(t.TempDir(), "none.yaml"), []string{"speed=1"}, nil)
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), `unknown key "speed"`) || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("no file: %v, want that and the override", err)
	}
}

func TestDefaultsAreNotTouched(t *testing.T) {
	d := defaults()
	if _, err := Load(d, write(t, "players: [x]\nmix: [{rules: y, share: 1}]\ntrain: {steps: [9]}"), nil, nil); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(d, defaults()) {
		t.Errorf("defaults became %+v", d)
	}
}

func TestDump(t *testing.T) {
	const want = `name: night
seed: 1
gating: false
small: 0
players: [random, mcts]
mix:
  - rules: standard
    share: 0.7
  - rules: tutor
    share: 0.2
  - rules: blitz
    share: 0.1
train:
  batch: 256
  learning_rate: 0.001
  every: 15m
  steps: [1, 2]
  window:
    min_positions: 100
    exponent: 0.75
`
	if got := string(Dump(defaults())); got != want {
		t.Errorf("Dump:\n%s", got)
	}
}

// TestDumpLoadsBack: whatever the values, a resolved file is read to the same.
func TestDumpLoadsBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.yaml")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.StringMatching(`[ -~\n]{0,12}`), rapid.SampledFrom([]string{"", "true", "12", "null", "~", "1e3", "a: b", "- x", "é", "15m"}))
		c := settings{
			Name: text.Draw(t, "name"), Seed: rapid.Uint64().Draw(t, "seed"), Gating: true, Small: rapid.Int8().Draw(t, "small"),
			Players: rapid.SliceOf(text).Draw(t, "players"), Mix: []share{},
			Train: train{
				Batch: rapid.Int().Draw(t, "batch"), LearningRate: rapid.Float32().Draw(t, "rate"),
				Every: time.Duration(rapid.Int64().Draw(t, "every")), Steps: rapid.SliceOf(rapid.Int32()).Draw(t, "steps"),
				Window: window{rapid.Int64Min(1).Draw(t, "min"), rapid.Float64Max(1).Draw(t, "exponent")},
			},
		}
		for range rapid.IntRange(0, 3).Draw(t, "mix") {
			c.Mix = append(c.Mix, share{text.Draw(t, "rules"), rapid.Float64().Draw(t, "share")})
		}
		data := Dump(c)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := Load(defaults(), path, nil, nil)
		if err != nil || !reflect.DeepEqual(got, c) {
			t.Fatalf("%s\nLoad = %+v, %v, want %+v", data, got, err, c)
		}
	})
}

func TestDurationText(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", time.Second: "1s", 10 * time.Second: "10s", time.Minute: "1m", 10 * time.Minute: "10m", time.Hour: "1h", 10 * time.Hour: "10h",
		90 * time.Minute: "1h30m", time.Hour + time.Second: "1h0m1s", time.Millisecond: "1ms", 70 * time.Second: "1m10s",
	} {
		if got := durationText(d); got != want {
			t.Errorf("durationText(%v) = %s, want %s", d, got, want)
		}
	}
}

func TestBadStructsAreBugs(t *testing.T) {
	for name, load := range map[string]func(){
		"no tag": func() { Keys[struct{ A int }]() },
		"map": func() {
			Keys[struct {
				A map[string]int `mapstructure:"a"`
			}]()
		},
		"pointer": func() {
			Keys[struct {
				A *int `mapstructure:"a"`
			}]()
		},
		"capital": func() {
			Keys[struct {
				A int `mapstructure:"Abc"`
			}]()
		},
		"reserved": func() {
			Keys[struct {
				A int `mapstructure:"kernel"`
			}]()
		},
		"clash": func() {
			Keys[struct {
				A struct {
					B int `mapstructure:"b_c"`
				} `mapstructure:"a"`
				C struct {
					D int `mapstructure:"c"`
				} `mapstructure:"a_b"`
			}]()
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p := recover(); p == nil || !strings.HasPrefix(fmt.Sprint(p), "BUG: ") {
					t.Errorf("panic %v, want BUG", p)
				}
			}()
			load()
		})
	}
}

// TestEveryRunKeyByEnvironment changes each key of a run file through its
// variable and looks for the change in the settings, valid or not.
func TestEveryRunKeyByEnvironment(t *testing.T) {
	for _, f := range leaves(reflect.TypeFor[Run]()) {
		was := reflect.ValueOf(DefaultRun(games.All())).FieldByIndex(f.index)
		word := otherWord(was)
		got, err := Load(DefaultRun(games.All()), "", nil, []string{f.env() + "=" + word})
		if err != nil && strings.HasPrefix(err.Error(), "environment "+f.env()+": no such") || reflect.DeepEqual(reflect.ValueOf(got).FieldByIndex(f.index).Interface(), was.Interface()) {
			t.Errorf("%s=%s changes nothing: %v", f.env(), word, err)
		}
	}
}

func otherWord(v reflect.Value) string {
	switch {
	case v.Type() == durationType:
		return (time.Duration(v.Int()) + time.Second).String()
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		return "[" + strings.Repeat("{}, ", v.Len()+1) + "]"
	case v.Kind() == reflect.Slice:
		item := otherWord(reflect.New(v.Type().Elem()).Elem())
		return "[" + strings.Repeat(item+", ", v.Len()+1) + "]"
	case v.Kind() == reflect.Bool:
		return fmt.Sprint(!v.Bool())
	case v.CanInt():
		return fmt.Sprint(v.Int() + 1)
	case v.CanUint():
		return fmt.Sprint(v.Uint() + 1)
	case v.CanFloat():
		return fmt.Sprint(v.Float() + 0.5)
	}
	return v.String() + "x"
}

// TestManyProblems: a file of another kind is told from 20 of its keys, in linear time.
func TestManyProblems(t *testing.T) {
	const n = 200_000
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "word%d: x\n", i)
	}
	begin := time.Now()
	_, err := Load(defaults(), write(t, b.String()), []string{"nonsense"}, nil)
	if err == nil || time.Since(begin) > 30*time.Second { // comparing all with all takes hours
		t.Fatalf("Load after %v: %.80v", time.Since(begin), err)
	}
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 22 || !strings.HasSuffix(lines[19], `unknown key "word19"`) ||
		!strings.HasSuffix(lines[20], fmt.Sprintf("and %d more", n-20)) || lines[21] != "override nonsense: want key=value" {
		t.Errorf("%d lines:\n%.3000v", len(lines), err)
	}
}

// TestAliases: a small file that stands for a huge one is refused as what it is.
func TestAliases(t *testing.T) {
	const n = 3000
	var keys strings.Builder
	for i := range n {
		fmt.Fprintf(&keys, "word%d: 1, ", i)
	}
	for text, want := range map[string]string{
		"mix:\n  - &x {" + keys.String() + "}\n" + strings.Repeat("  - *x\n", n):   `mix: entry 1: unknown key "word0"`,
		"players: [" + strings.Repeat("*x, ", n) + "*x]\nname: &x y":               "",
		"name: &x y\nplayers: [" + strings.Repeat("*x, ", n) + "*x]":               "players: entry 1: the alias *x is of the wrong type: want text",
		"mix: &x [{rules: a, share: 1}]\nplayers: *x":                              "players: the alias *x is of the wrong type: want a list of text",
		"train: &x {batch: 3}\nother: *x":                                          `unknown key "other"`,
		"train: &x {window: *x}":                                                   "train.window: want a section of keys",
		"players: [&x " + strings.Repeat("y", n) + strings.Repeat(", *x", n) + "]": "entry 2: the alias *x is of the wrong type",
		"mix:\n" + strings.Repeat("  - {rules: 1, a: 1, b: 1}\n", n):               "mix: entry 1: rules: 1 is of the wrong type",
	} {
		begin := time.Now()
		_, err := Load(defaults(), write(t, text), nil, nil)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "\n") > 21 || len(err.Error()) > 10_000 || time.Since(begin) > 10*time.Second {
			t.Errorf("%.40q after %v: %.300v, want %q", text, time.Since(begin), err, want)
		}
	}
}
