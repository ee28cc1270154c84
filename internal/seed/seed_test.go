package seed

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// The expected numbers come from a second implementation, of this package and
// of PCG-DXSM, in another language.
func TestStreamsArePinned(t *testing.T) {
	for _, c := range []struct {
		run     uint64
		purpose string
		index   uint64
		want    string
	}{
		{0, "", 0, "da373ec4ec324d99 2d6e74278da658a7"},
		{1, "game", 0, "f841bce2adc1caed 3f77aba2c9741db1"},
		{1, "game", 1, "1dd2ea529fa4cb75 c847ad5238e3749e"},
		{1, "training-batch", 7, "78e265355bbc0700 7ba4a00fc38b4999"},
		{1<<64 - 1, "noise", 1<<64 - 1, "c57a535fe7f86eb4 50dd7d45f00cf377"},
	} {
		r := rand.New(Stream(c.run, c.purpose, c.index))
		if got := fmt.Sprintf("%016x %016x", r.Uint64(), r.Uint64()); got != c.want {
			t.Errorf("Stream(%d, %q, %d) begins %s, want %s", c.run, c.purpose, c.index, got, c.want)
		}
	}
}

func TestStreamsDiffer(t *testing.T) {
	seen := map[[2]uint64]string{}
	for run := range uint64(20) {
		for _, purpose := range []string{"", "\x00", "a", "a\x00", "game", "emag", "gamegame", "gamegamegame", "training-batch"} {
			for index := range uint64(50) {
				hi, lo := State(run, purpose, index)
				name := fmt.Sprintf("%d %q %d", run, purpose, index)
				if other, ok := seen[[2]uint64{hi, lo}]; ok {
					t.Fatalf("streams %s and %s are one", name, other)
				}
				seen[[2]uint64{hi, lo}] = name
			}
		}
	}
}

// TestNeighboursAreUnrelated flips one bit of the index and of the run and
// counts the bits that change in the first output: 32 of 64 on average.
func TestNeighboursAreUnrelated(t *testing.T) {
	flips, n := 0, 0
	for i := range uint64(500) {
		base := rand.New(Stream(3, "game", i)).Uint64()
		for bit := range 64 {
			flips += bits.OnesCount64(base ^ rand.New(Stream(3, "game", i^1<<bit)).Uint64())
			flips += bits.OnesCount64(base ^ rand.New(Stream(3^1<<bit, "game", i)).Uint64())
			n += 2
		}
	}
	// The standard deviation of this mean is 4/sqrt(64000), about 0.016.
	if mean := float64(flips) / float64(n); mean < 31.9 || mean > 32.1 {
		t.Errorf("one flipped input bit changes %.3f output bits, want 32", mean)
	}
}

func TestStateDoesNotAllocate(t *testing.T) {
	var pcg rand.PCG
	if n := testing.AllocsPerRun(100, func() { pcg.Seed(State(1, "game", 2)) }); n != 0 {
		t.Errorf("State allocates %v times", n)
	}
}
