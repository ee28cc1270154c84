package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// small is a network with every optional tensor.
var small = Network{
	Shape:  Shape{Planes: 5, Height: 6, Width: 7, Globals: 3, MaskPlane: 4, PolicyPlanes: 2, PolicyGlobals: 1},
	Config: Config{Blocks: 2, Channels: 8, PoolEvery: 2, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 16},
}

func testRNG() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func randomWeights(n Network) *Weights {
	w := NewWeights(n)
	w.Init(testRNG())
	return w
}

func TestTensorsAreTheDocumentedOnes(t *testing.T) {
	var names []string
	count := 0
	for _, s := range small.Tensors() {
		names = append(names, s.Name)
		if s.Role.Learned() {
			count += s.Len()
		}
		if s.Decay != (s.Role == Weight) {
			t.Errorf("%s: role %s, decay %t", s.Name, s.Role, s.Decay)
		}
	}
	bn := func(prefix string) string {
		return prefix + ".scale " + prefix + ".shift " + prefix + ".mean " + prefix + ".var "
	}
	want := "stem.conv.weight stem.globals.weight " + bn("stem.bn") +
		"block.0.conv1.weight " + bn("block.0.bn1") + "block.0.conv2.weight " + bn("block.0.bn2") +
		"block.1.conv1.weight " + bn("block.1.bn1") + "block.1.pool.weight block.1.pool.bias block.1.conv2.weight " + bn("block.1.bn2") +
		"policy.conv1.weight " + bn("policy.bn") + "policy.conv2.weight policy.conv2.bias policy.globals.weight policy.globals.bias " +
		"value.conv.weight " + bn("value.bn") + "value.hidden.weight value.hidden.bias value.wdl.weight value.wdl.bias value.turns.weight value.turns.bias"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("Tensors() = %s\nwant %s", got, want)
	}
	// stem 9·5·8 + 3·8 + 16; blocks 4·(9·64 + 16) + 24·8 + 8; policy 64 + 16 + 16 + 2
	// + 24 + 1; value 64 + 16 + 42·8·16 + 16 + 48 + 3 + 16 + 1.
	const learned = 400 + 2568 + 123 + 5540
	if got := NewWeights(small).Count(); got != learned || got != count {
		t.Errorf("Count() = %d, by specs %d, want %d", got, count, learned)
	}
}

// withReply is small with the head for the opponent's reply.
func withReply() Network {
	n := small
	n.Config.Reply = true
	return n
}

// TestReplyHeadComesLast: its tensors follow all others, which begin with the
// same values as without it.
func TestReplyHeadComesLast(t *testing.T) {
	with, without := randomWeights(withReply()), randomWeights(small)
	n := len(without.Specs())
	for i, s := range without.Specs() {
		if got := with.Specs()[i]; got.Name != s.Name || !slices.Equal(with.Data(i), without.Data(i)) {
			t.Fatalf("tensor %d is %s with other values than %s", i, got.Name, s.Name)
		}
	}
	var names []string
	for _, s := range with.Specs()[n:] {
		names = append(names, s.Name)
	}
	if got, want := strings.Join(names, " "), "reply.conv.weight reply.conv.bias reply.globals.weight reply.globals.bias"; got != want {
		t.Errorf("the head has tensors %s, want %s", got, want)
	}
	if got, want := with.Count()-without.Count(), 8*2+2+3*8*1+1; got != want {
		t.Errorf("the head has %d values, want %d", got, want)
	}
}

func TestInitGivesTheStatedSpread(t *testing.T) {
	n := Network{Shape: Shape{Planes: 48, Height: 8, Width: 8, MaskPlane: -1, PolicyPlanes: 27}, Config: DefaultConfig()}
	w := randomWeights(n)
	for i, s := range w.Specs() {
		v := w.Data(i)
		if s.Init.Std == 0 {
			for _, x := range v {
				if x != s.Init.Const {
					t.Fatalf("%s: value %g, want %g", s.Name, x, s.Init.Const)
				}
			}
			continue
		}
		var sum, squares float64
		for _, x := range v {
			sum += float64(x)
			squares += float64(x) * float64(x)
		}
		k := float64(len(v))
		// Five standard errors of a normal sample's standard deviation and mean.
		std := float64(s.Init.Std)
		if got := math.Sqrt(squares / k); math.Abs(got-std) > 5*std/math.Sqrt(2*k) {
			t.Errorf("%s: spread %g, want %g", s.Name, got, std)
		}
		if got := sum / k; math.Abs(got) > 5*std/math.Sqrt(k) {
			t.Errorf("%s: mean %g, want 0", s.Name, got)
		}
	}
	if !w.Equal(randomWeights(n)) {
		t.Error("the same generator state gave other weights")
	}
}

func TestCloneIsIndependent(t *testing.T) {
	w := randomWeights(small)
	c := w.Clone()
	if !w.Equal(c) {
		t.Fatal("clone differs")
	}
	c.Tensor("value.wdl.bias")[1] = 5
	if w.Equal(c) || w.Tensor("value.wdl.bias")[1] != 0 {
		t.Error("clone shares memory")
	}
	w.CopyFrom(c)
	if !w.Equal(c) {
		t.Error("CopyFrom left a difference")
	}
	if len(w.All()) != w.Count()+2*(5*8+8+8) { // mean and variance of five tower norms and two heads
		t.Errorf("All() has %d values, Count() %d", len(w.All()), w.Count())
	}
}

func TestCheckNamesTheTensor(t *testing.T) {
	for _, c := range []struct {
		tensor string
		x      float64
		reason string
	}{
		{"block.0.conv2.weight", math.NaN(), "block.0.conv2.weight: value 3 is NaN"},
		{"policy.bn.mean", math.Inf(-1), "policy.bn.mean: value 3 is -Inf"},
		{"stem.bn.var", -1, "stem.bn.var: value 3 is -1"},
	} {
		w := randomWeights(small)
		w.Tensor(c.tensor)[3] = float32(c.x)
		if err := w.Check(); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("Check() = %v, want %q", err, c.reason)
		}
	}
}

func TestValidateReportsEveryProblem(t *testing.T) {
	bad := Network{
		Shape:  Shape{Planes: 0, Height: 2, Width: 14, Globals: -1, MaskPlane: 3, PolicyPlanes: 0, PolicyGlobals: -1},
		Config: Config{Blocks: -1, Channels: 12, PoolEvery: -1, PolicyChannels: 0, ValueChannels: 1024, ValueHidden: 7},
	}
	err := bad.Validate()
	if err == nil {
		t.Fatal("Validate() = nil")
	}
	for _, key := range []string{"planes = 0", "height = 2", "width = 14", "globals = -1", "mask_plane = 3", "policy_planes = 0",
		"policy_globals = -1", "blocks = -1", "channels = 12", "pool_every = -1", "policy_channels = 0", "value_channels = 1024", "value_hidden = 7"} {
		if !strings.Contains(err.Error(), key+": want ") {
			t.Errorf("Validate() does not report %q:\n%v", key, err)
		}
	}
	tall := small
	tall.Shape.Height, tall.Shape.Width = 17, 13
	if err := tall.Validate(); err == nil || !strings.Contains(err.Error(), "height = 17: want 3 to 16") {
		t.Errorf("Validate() of 17 rows = %v, want the limit", err)
	}
	if err := small.Validate(); err != nil {
		t.Errorf("Validate() of a good network = %v", err)
	}
	if err := DefaultConfig().Validate(); err != nil {
		t.Errorf("DefaultConfig is refused: %v", err)
	}
}
