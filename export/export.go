// Package export writes a network for other programs: ONNX models, a card that describes
// inputs and outputs, vectors by which a client checks its own encoding and runtime, and
// small programs in other languages that do so. It knows no files; a folder is a list of
// names and contents, made in memory and written by the caller.
//
// docs/export.md documents the folder. FormatVersion goes up when a change affects what
// a client reads.
package export

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/manual"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/model/onnx"
	"github.com/ludozero/ludozero/model/precision"
)

// Names of the files of an export.
const (
	ReadmeFile  = "README.md"
	CardFile    = "card.json"
	GameFile    = "game.json"
	FloatFile   = "model.onnx"
	Int8File    = "model.int8.onnx"
	VectorsFile = "vectors.jsonl"
)

// programs are copied into every export.
//
//go:embed files/example.mjs files/example.py files/inputs.py
var programs embed.FS

// Network is the network to export.
type Network struct {
	// Name is for people: the name of a shipped network or of a file.
	Name string
	// Digest identifies the weight file, zoo.Digest.
	Digest string
	// Family is the game of the weights. The caller has checked that they match.
	Family  *engine.Family
	Weights *model.Weights
	Card    *model.Card
	// Strength says how well it plays, Markdown; empty if unknown.
	Strength string
}

// Options are the choices of an export.
type Options struct {
	// Vectors is the number of positions for clients to compare with, at least 1.
	Vectors int
	// Seed is the seed of the games that the positions are drawn from.
	Seed uint64
}

// File is one file of an export.
type File struct {
	Name string
	Data []byte
}

// Files makes all files of an export, in the order in which people would read
// them.
func Files(ctx context.Context, n *Network, o Options) ([]File, error) {
	list, err := Sample(ctx, n, o.Vectors, rand.New(seed.Stream(o.Seed, "export", 0)))
	if err != nil {
		return nil, err
	}
	vectors, err := encodeVectors(n, list)
	if err != nil {
		return nil, err
	}
	card, err := NewCard(n)
	if err != nil {
		return nil, err
	}
	card.Vectors = len(list)
	text, err := json.MarshalIndent(card, "", " ")
	if err != nil {
		return nil, fmt.Errorf("card: %w", err)
	}
	game, err := n.game()
	if err != nil {
		return nil, err
	}
	described, err := game.JSON()
	if err != nil {
		return nil, err
	}
	files := []File{{ReadmeFile, card.readme(game)}, {CardFile, append(text, '\n')}, {GameFile, described}}
	for _, p := range card.Precisions() {
		data, err := WriteONNX(ctx, n, p, o.Seed)
		if err != nil {
			return nil, err
		}
		files = append(files, File{card.Models[p.String()], data})
	}
	files = append(files, File{VectorsFile, vectors})
	entries, err := programs.ReadDir("files")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		data, err := programs.ReadFile("files/" + e.Name())
		if err != nil {
			return nil, err
		}
		files = append(files, File{e.Name(), data})
	}
	return files, nil
}

// WriteONNX makes the model of n in a precision, F32 or Int8. Equal arguments and kernel
// variants give equal bytes.
func WriteONNX(ctx context.Context, n *Network, p precision.Precision, randomSeed uint64) ([]byte, error) {
	o := onnx.Options{Metadata: map[string]string{
		"game": n.Card.Game, "game_version": strconv.Itoa(n.Card.GameVersion), "encoder_version": strconv.Itoa(n.Card.EncoderVersion),
		"weights": n.Digest, "precision": p.String(), "licence": n.Card.Licence,
	}}
	if p == precision.Int8 {
		if err := calibrate(ctx, n, randomSeed, &o); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	err := onnx.Write(&b, n.Weights, o)
	return b.Bytes(), err
}

// calibrationPositions is how many positions the ranges of an int8 model are measured on.
const calibrationPositions = 512

// calibrate measures what o needs for an int8 model. The positions are others than those of
// the vectors.
func calibrate(ctx context.Context, n *Network, randomSeed uint64, o *onnx.Options) error {
	list, err := Sample(ctx, n, calibrationPositions, rand.New(seed.Stream(randomSeed, "export ranges", 0)))
	if err != nil {
		return err
	}
	net := n.Card.Network
	c, err := infer.NewCalibrator(net, n.Weights)
	if err != nil {
		return err
	}
	planes, globals := make([]float32, net.Shape.Planes*net.Shape.Cells()), make([]float32, net.Shape.Globals)
	for _, p := range list {
		p.State.Encode(planes, globals)
		if err := c.Add(planes, globals, 1); err != nil {
			return err
		}
	}
	k, err := c.Calibration()
	if err != nil {
		return err
	}
	further := map[string]onnx.Range{}
	for name, r := range c.Further() {
		further[name] = onnx.Range(r)
	}
	o.Int8, o.Means = onnx.Ranges(net, k, further), k.Means
	return nil
}

// game describes the game under the rulesets that the network was trained on.
func (n *Network) game() (*manual.Document, error) {
	words := []string{""}
	if len(n.Card.Rules) > 0 {
		words = words[:0]
		for _, r := range n.Card.Rules {
			words = append(words, r.Rules)
		}
	}
	var list []engine.Game
	for _, word := range words {
		g, err := n.Family.Parse(word)
		if err != nil {
			return nil, fmt.Errorf("card: rules %s: %w", word, err)
		}
		list = append(list, g)
	}
	return manual.Describe(n.Family, list)
}

// info describes the family, whatever the rules.
func (n *Network) info() (*engine.Info, error) {
	g, err := n.Family.Parse("")
	if err != nil {
		return nil, err
	}
	return g.Info(), nil
}
