package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/model/safetensors"
)

func testCard() Card {
	factor := 0.25
	return Card{
		Identity:   Identity{Game: "connect4", GameVersion: 1, EncoderVersion: 2, Actions: 7},
		Rules:      []RulesShare{{"standard", 0.75}, {"standard,height=5", 0.25}},
		Generation: 3, Step: 1000, Positions: 20_000, Samples: 80_000, CPuct: 0.7, CPuctFactor: &factor, Search: "gumbel",
		Training: json.RawMessage(`{"seed":7}`), Licence: "CC0-1.0",
	}
}

func TestLoadReturnsWhatSaveWrote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "net"+Extension)
	w, c := randomWeights(small), testCard()
	if err := Save(path, w, c); err != nil {
		t.Fatal(err)
	}
	got, card, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Equal(w) {
		t.Error("weights differ")
	}
	c.Format, c.FormatVersion, c.Network = Format, FormatVersion, small
	if !reflect.DeepEqual(*card, c) {
		t.Errorf("card = %+v, want %+v", *card, c)
	}
	text, err := os.ReadFile(CardPath(path))
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer // Training is kept as text and was indented
	if err := json.Compact(&compact, text); err != nil {
		t.Fatal(err)
	}
	if beside, err := parseCard(compact.Bytes()); err != nil || !reflect.DeepEqual(*beside, c) {
		t.Errorf("card beside the file = %+v, %v", beside, err)
	}
	if err := card.Fits(c.Identity, small.Shape); err != nil {
		t.Errorf("Fits() = %v", err)
	}
	other := c.Identity
	other.EncoderVersion++
	if err := card.Fits(other, Shape{}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("encoder %d, %d actions: want", c.EncoderVersion, c.Actions)) {
		t.Errorf("Fits() of another encoder = %v", err)
	}
	if err := card.Fits(c.Identity, Shape{}); err == nil || !strings.Contains(err.Error(), "network has shape") {
		t.Errorf("Fits() of another shape = %v", err)
	}
	other.Game = "konreh"
	if err := card.Fits(other, Shape{}); err == nil || err.Error() != "network plays connect4, not konreh" {
		t.Errorf("Fits() of another game = %v", err)
	}
}

// A file of a network with the reply head is read back; one of a network
// without it does not say a word of it, so that it is the file of a program
// that did not know the head. A card and tensors that disagree are refused.
func TestReplyHeadInFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "net"+Extension)
	w := randomWeights(withReply())
	if err := Save(path, w, testCard()); err != nil {
		t.Fatal(err)
	}
	got, card, err := Load(path)
	if err != nil || !got.Equal(w) || !card.Network.Config.Reply {
		t.Fatalf("Load() = weights %v, card %+v, %v", got != nil, card, err)
	}
	if b := altered(t, nil, nil); bytes.Contains(b, []byte("reply")) {
		t.Error("a file without the head speaks of it")
	}
	_, _, err = Decode(altered(t, func(c *Card) { c.Network.Config.Reply = true }, nil))
	if err == nil || !strings.Contains(err.Error(), "tensor reply.conv.weight: missing") {
		t.Errorf("Decode() = %v for a card with the head and tensors without", err)
	}
}

func TestSaveRefusesBeforeItWrites(t *testing.T) {
	dir := t.TempDir()
	nan := randomWeights(small)
	nan.Tensor("value.wdl.weight")[0] = float32(math.NaN())
	noGame, shares := testCard(), testCard()
	noGame.Game = ""
	shares.Rules[0].Share = 0.5
	for name, err := range map[string]error{
		"value.wdl.weight": Save(filepath.Join(dir, "a"+Extension), nan, testCard()),
		"game":             Save(filepath.Join(dir, "b"+Extension), randomWeights(small), noGame),
		"shares":           Save(filepath.Join(dir, "c"+Extension), randomWeights(small), shares),
		"name that ends":   Save(filepath.Join(dir, "d.bin"), randomWeights(small), testCard()),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("Save() = %v, want a complaint about %s", err, name)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("files left behind: %v", left)
	}
}

// altered returns a whole file with a right checksum whose card or tensors were
// changed before it was written.
func altered(t testing.TB, card func(*Card), tensors func([]safetensors.Tensor) []safetensors.Tensor) []byte {
	t.Helper()
	w, c := randomWeights(small), testCard()
	stamp(&c, w)
	ts := w.tensors()
	for i := range ts {
		ts[i].Data, ts[i].Shape = slices.Clone(ts[i].Data), slices.Clone(ts[i].Shape)
	}
	if card != nil {
		card(&c)
	}
	if tensors != nil {
		ts = tensors(ts)
	}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := safetensors.Encode(&b, map[string]string{cardKey: string(text)}, ts); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestLoadNamesFileTensorAndRule(t *testing.T) {
	type tensors = []safetensors.Tensor
	whole := altered(t, nil, nil)
	flipped := bytes.Clone(whole)
	flipped[len(flipped)-1] ^= 1
	var foreign bytes.Buffer // as an evaluation for alpha-beta is
	if err := safetensors.Encode(&foreign, map[string]string{"another.card": "{}"}, tensors{{Name: "first.bias", Shape: []int{1}, Data: []float32{1}}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		b      []byte
		is     error
		reason string
	}{
		{"truncated", whole[:len(whole)-4], safetensors.ErrCorrupt, "bytes "},
		{"flipped", flipped, safetensors.ErrCorrupt, "checksum"},
		{"foreign", foreign.Bytes(), ErrVersion, "it has no card of a network"},
		{"format", altered(t, func(c *Card) { c.Format = "other" }, nil), ErrVersion, `"other" version 1`},
		{"version", altered(t, func(c *Card) { c.FormatVersion = 2 }, nil), ErrVersion, "version 2, want"},
		{"architecture", altered(t, func(c *Card) { c.Network.Config.Channels = 9 }, nil), nil, "channels = 9"},
		{"huge", altered(t, func(c *Card) { c.Network.Config.Channels = 512; c.Network.Config.Blocks = 64 }, nil), nil, "tensor stem.conv.weight: shape [3 3 5 8], want [3 3 5 512]"},
		{"missing", altered(t, nil, func(ts tensors) tensors { return ts[1:] }), nil, "tensor stem.conv.weight: missing"},
		{"extra", altered(t, nil, func(ts tensors) tensors {
			return append(ts, safetensors.Tensor{Name: "more", Shape: []int{1}, Data: []float32{1}})
		}), nil, "tensor more: the network has none"},
		{"misshaped", altered(t, nil, func(ts tensors) tensors { ts[1].Shape = []int{8, 3}; return ts }), nil, "tensor stem.globals.weight: shape [8 3], want [3 8]"},
		{"variance", altered(t, nil, func(ts tensors) tensors { ts[5].Data[0] = -1; return ts }), nil, "tensor stem.bn.var: value 0 is -1"},
	} {
		path := filepath.Join(t.TempDir(), "net"+Extension)
		if err := os.WriteFile(path, c.b, 0o666); err != nil {
			t.Fatal(err)
		}
		_, _, err := Load(path)
		if err == nil || !strings.Contains(err.Error(), c.reason) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: Load() = %v, want the path and %q", c.name, err, c.reason)
		}
		if c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: Load() = %v, want to wrap %v", c.name, err, c.is)
		}
	}
}

// FuzzCard holds that an accepted card can be written again and says the same.
func FuzzCard(f *testing.F) {
	c := testCard()
	stamp(&c, randomWeights(small))
	text, _ := json.Marshal(c)
	f.Add(text)
	f.Add([]byte(`{"format":"ludozero-network","format_version":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := parseCard(text)
		if err != nil {
			return
		}
		again, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if d, err := parseCard(again); err != nil || d.Network != c.Network || d.Identity != c.Identity {
			t.Fatalf("an accepted card is read back as %+v, %v", d, err)
		}
	})
}

// TestWhatCardsAskPlayersFor: what no player could do is refused with its rule.
func TestWhatCardsAskPlayersFor(t *testing.T) {
	for want, change := range map[string]func(*Card){
		"cpuct = 101: want 0 to 100":                func(c *Card) { c.CPuct = 101 },
		"cpuct_factor = -1: want 0 to 100":          func(c *Card) { f := -1.0; c.CPuctFactor = &f },
		`search = "mcts": want one of puct, gumbel`: func(c *Card) { c.Search = "mcts" },
	} {
		c := testCard()
		change(&c)
		if err := Save(filepath.Join(t.TempDir(), "net"+Extension), randomWeights(small), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
