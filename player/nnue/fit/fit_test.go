package fit

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/connect4"
	model "github.com/ludozero/ludozero/model/nnue"
	"github.com/ludozero/ludozero/model/safetensors"
	"github.com/ludozero/ludozero/player/alphabeta"
	"github.com/ludozero/ludozero/player/alphabeta/positions"
)

// made returns samples whose targets follow from a bit and a term, with noise among the
// other bits: 40 games of 50 positions.
func made() *Samples {
	m, r := &Samples{}, rand.New(rand.NewPCG(1, 1))
	for game := range 40 {
		m.count++
		for range 50 {
			logit := 0.0
			if r.IntN(2) == 0 {
				m.bits = append(m.bits, 7)
				logit++
			}
			m.bits = append(m.bits, uint16(64+r.IntN(64)))
			m.ends = append(m.ends, uint32(len(m.bits)))
			if r.IntN(2) == 0 {
				m.bits = append(m.bits, 7)
				logit--
			}
			m.ends = append(m.ends, uint32(len(m.bits)))
			a, b := r.IntN(7)-3, r.IntN(100)
			m.terms = append(m.terms, int16(a), int16(b))
			logit += float64(a) / 2
			m.targets, m.games = append(m.targets, float32(1/(1+math.Exp(-logit)))), append(m.games, int32(game))
		}
	}
	return m
}

var (
	small = Config{Units: 64, Epochs: 6, Batch: 64, Rate: 0.003, Decay: 0.01, Seed: 3}
	start = Start{Words: 2, Weights: []float64{0.3, 0}}
)

func run(t *testing.T, f *Fit, epochs int) (last Epoch) {
	t.Helper()
	for range epochs {
		var err error
		if last, err = f.Epoch(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
	}
	return last
}

// TestFitLearns what decides, nearly to the entropy of the targets, from bits and terms.
func TestFitLearns(t *testing.T) {
	f, err := New(made(), start, small)
	if err != nil {
		t.Fatal(err)
	}
	if f.HeldOut() != 100 || f.Learned() != 1900 {
		t.Errorf("%d positions to learn from, %d held out, want 1900 and 100", f.Learned(), f.HeldOut())
	}
	if loss := f.Loss(); math.Abs(loss-f.TermsLoss(start.Weights)) > 0.08 {
		t.Errorf("the fit begins with a loss of %.4f, want about that of the terms, %.4f", loss, f.TermsLoss(start.Weights))
	}
	last := run(t, f, small.Epochs)
	if over := last.HeldLoss - f.LeastLoss(); over < 0 || over > 0.004 {
		t.Errorf("the held-out loss is %.4f above the least, want at most 0.004", over)
	}
	if f.TermsLoss(start.Weights)-f.LeastLoss() < 0.02 {
		t.Errorf("the terms alone come within %.4f of the least: the test shows nothing", f.TermsLoss(start.Weights)-f.LeastLoss())
	}
	if _, err := model.Quantize(f.Network()); err != nil {
		t.Error(err)
	}
}

// TestResumedFitIsTheSame, byte for byte, as one that was never interrupted.
func TestResumedFitIsTheSame(t *testing.T) {
	whole, _ := New(made(), start, small)
	run(t, whole, 3)
	want, err := whole.save()
	if err != nil {
		t.Fatal(err)
	}
	first, _ := New(made(), start, small)
	run(t, first, 1)
	data, err := first.save()
	if err != nil {
		t.Fatal(err)
	}
	saved, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	second, _ := New(made(), start, small)
	if err := second.resume(saved); err != nil {
		t.Fatal(err)
	}
	run(t, second, 2)
	if got, err := second.save(); err != nil || !slices.Equal(got, want) {
		t.Errorf("resumed after one epoch of three the fit is another (%v)", err)
	}
	run(t, whole, small.Epochs-3)
	if want, err = whole.save(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	file, resumed := filepath.Join(t.TempDir(), "fit"), 0
	watch := Watch{
		Resumed: func(epochs int) { resumed = epochs },
		Step:    func(int, int, float64) {},
		Epoch:   func(Epoch) { stop() },
	}
	stopped, _ := New(made(), start, small)
	if _, err := stopped.Run(ctx, file, watch); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "resumes after epoch 1") {
		t.Errorf("Run, stopped after an epoch: %v", err)
	}
	last, _ := New(made(), start, small)
	if _, err := last.Run(t.Context(), file, watch); err != nil || resumed != 1 {
		t.Errorf("Run again: %v, resumed after epoch %d, want 1", err, resumed)
	}
	if got, err := last.save(); err != nil || !slices.Equal(got, want) {
		t.Errorf("Run, stopped and resumed, ends with another fit (%v)", err)
	}
	other := small
	other.Rate = 0.002
	for name, change := range map[string]func() *Fit{
		"configuration": func() *Fit { f, _ := New(made(), start, other); return f },
		"target": func() *Fit {
			m := made()
			m.targets[5] += 0.01
			f, _ := New(m, start, small)
			return f
		},
	} {
		if err := change().resume(saved); !errors.Is(err, ErrOther) {
			t.Errorf("of another %s: error is %v, want ErrOther", name, err)
		}
	}
	if _, err := parse(data[1:]); !errors.Is(err, safetensors.ErrCorrupt) {
		t.Errorf("of a damaged file: error is %v, want ErrCorrupt", err)
	}
}

// TestCheckNeedsNoPositions to refuse a saved fit of another configuration or choice of them.
func TestCheckNeedsNoPositions(t *testing.T) {
	file, m := filepath.Join(t.TempDir(), "fit"), made()
	if err := Check(file, m.Choice, small); err != nil {
		t.Errorf("without a file: %v", err)
	}
	f, _ := New(m, start, small)
	if _, err := f.Run(t.Context(), file, Watch{Step: func(int, int, float64) {}, Epoch: func(Epoch) {}}); err != nil {
		t.Fatal(err)
	}
	if err := Check(file, m.Choice, small); err != nil {
		t.Errorf("of the same: %v", err)
	}
	other, more := small, m.Choice
	other.Epochs++
	more.Every++
	for _, err := range []error{Check(file, m.Choice, other), Check(file, more, small)} {
		if !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), file+": ") {
			t.Errorf("of another: error is %v, want ErrOther and the file", err)
		}
	}
}

// TestGradient against finite differences, of weights of every part.
func TestGradient(t *testing.T) {
	f, err := New(made(), start, small)
	if err != nil {
		t.Fatal(err)
	}
	run(t, f, 1) // so that no part is at its start
	w, n := f.workers[0], f.network
	list := f.learn[:64]
	loss := func() (sum float64) {
		for _, i := range list {
			f.samples.read(int(i), 2, &w.sample)
			l, _ := crossEntropy(n.Forward(w.sample.own, w.sample.other, w.sample.terms, &w.scratch), w.sample.target)
			sum += l
		}
		return sum
	}
	w.clear()
	for _, i := range list {
		f.samples.read(int(i), 2, &w.sample)
		w.add(n)
	}
	r := rand.New(rand.NewPCG(2, 1))
	for k, p := range n.Parts() {
		grads := w.grad.Parts()[k].Values
		checked := 0
		for try := 0; try < 2000 && checked < 12; try++ {
			i := r.IntN(len(p.Values))
			if math.Abs(float64(grads[i])) < 0.02 {
				continue
			}
			checked++
			const step = 1.0 / 1024
			was := p.Values[i]
			p.Values[i] = was + step
			above := loss()
			p.Values[i] = was - step
			below := loss()
			p.Values[i] = was
			want := (above - below) / (2 * step)
			if got := float64(grads[i]); math.Abs(got-want) > 0.02+0.05*math.Abs(want) {
				t.Errorf("%s: weight %d has gradient %.4f, by differences %.4f", p.Name, i, got, want)
			}
		}
		if checked == 0 {
			t.Errorf("%s: no weight with a gradient", p.Name)
		}
	}
}

func TestFitNeedsGames(t *testing.T) {
	m := made()
	m.games = make([]int32, len(m.games)) // all of one
	if _, err := New(m, start, small); !errors.Is(err, errTooFew) {
		t.Errorf("of one game: error is %v, want errTooFew", err)
	}
	c := small
	c.Units = 65
	if _, err := New(made(), start, c); err == nil {
		t.Error("65 units are accepted")
	}
}

// TestStoppedFitSaysWhy.
func TestStoppedFitSaysWhy(t *testing.T) {
	f, err := New(made(), start, small)
	if err != nil {
		t.Fatal(err)
	}
	why := errors.New("enough")
	ctx, stop := context.WithCancelCause(context.Background())
	stop(why)
	if _, err := f.Epoch(ctx, nil); !errors.Is(err, why) {
		t.Errorf("error is %v, want the cause", err)
	}
}

// TestGamesAreTheSameOnAnyNumberOfCores, teach what becomes of positions, and stop.
func TestGamesAreTheSameOnAnyNumberOfCores(t *testing.T) {
	g, err := connect4.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	play := func(ctx context.Context, cores int) (*Samples, error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		m := NewSamples(&connect4.Family, Choice{Every: 1, Result: 0.25, Seed: 4})
		p := positions.Play{Game: g, Depth: 2, RandomTurns: 8, Blunder: 10, Seed: 4}
		return m, m.Play(ctx, p, 30, func() (*alphabeta.Engine, error) { return alphabeta.New(g), nil }, func(int) {})
	}
	one, err := play(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if four, err := play(t.Context(), 4); err != nil || one.Digest() != four.Digest() {
		t.Errorf("on four cores other positions are learned from (%v)", err)
	}
	if one.Games() != 30 || one.Len() < 300 || len(one.targets) != len(one.games) || len(one.ends) != 2*one.Len() || one.games[one.Len()-1] != 29 {
		t.Errorf("%d positions of %d games", one.Len(), one.Games())
	}
	// Before the last move of a game that is won, the winner expects to win.
	certain := 0
	for i, x := range one.targets {
		if last := i+1 == one.Len() || one.games[i+1] != one.games[i]; last && x == 1 {
			certain++
		}
		if x < 0 || x > 1 {
			t.Errorf("target %g: want 0 to 1", x)
		}
	}
	if certain < 10 {
		t.Errorf("%d of 30 games end with a win that was seen, want 10 at least", certain)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	if _, err := play(ctx, 1); !errors.Is(err, why) {
		t.Errorf("stopped: error is %v, want %v", err, why)
	}
}

// TestUnseenBitsWeighNothing, so that they do not cost the others precision.
func TestUnseenBitsWeighNothing(t *testing.T) {
	f, err := New(made(), start, small)
	if err != nil {
		t.Fatal(err)
	}
	run(t, f, 1)
	for bit, want := range map[int]bool{7: true, 8: false, 100: true} {
		row := f.Network().First[bit*small.Units : (bit+1)*small.Units]
		if slices.Equal(row, make([]float32, small.Units)) == want {
			t.Errorf("bit %d has weights %v", bit, row[:4])
		}
	}
}
