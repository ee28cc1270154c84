// Command npm writes the folder of the package for JavaScript: the program in WebAssembly,
// the modules of clients/javascript, and the shipped networks. It runs at the top of the
// source tree and needs Go alone:
//
//	go run ./scripts/npm DIR
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/export"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/nnue"
	"github.com/ludozero/ludozero/web/worker"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/npm DIR")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "npm:", err)
		os.Exit(1)
	}
}

const networksFolder = "networks"

// modelSeed is the default of `ludozero export`.
const modelSeed = 1

func run(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, networksFolder), 0o755); err != nil {
		return err
	}
	sources, err := filepath.Glob("clients/javascript/*")
	if err != nil || len(sources) == 0 {
		return errors.Join(errors.New("no clients/javascript: run it at the top of the source tree"), err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	for _, source := range append(sources, "web/site/files/engine.js", "LICENSE", "NOTICE", filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")) {
		data, err := os.ReadFile(source)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(source)), data, 0o644)
		}
		if err != nil {
			return err
		}
	}
	if err := build(filepath.Join(dir, "ludozero.wasm")); err != nil {
		return err
	}
	licences, err := forWasm("scripts/licences.sh", "./cmd/ludozero-wasm")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "licences.txt"), licences, 0o644); err != nil {
		return err
	}
	return writeNetworks(dir)
}

// build compiles the program, as scripts/site/parts.sh does.
func build(file string) error {
	path, err := filepath.Abs(file)
	if err == nil {
		_, err = forWasm("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, "./cmd/ludozero-wasm")
	}
	return err
}

// forWasm runs a command that is to see the program's packages, and returns its output.
func forWasm(name string, args ...string) ([]byte, error) {
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, said.String())
	}
	return out, nil
}

// writeNetworks writes the shipped networks and the file that lists them.
func writeNetworks(dir string) error {
	site := worker.Site{}
	for _, name := range zoo.Names() {
		file, err := zoo.File(name)
		if err != nil {
			return err
		}
		weights, card, err := zoo.Load(name)
		if err != nil {
			return err
		}
		card.Training = nil // names folders of whoever trained it
		path := networksFolder + "/" + name
		n := worker.Network{Name: name, Model: path + ".onnx", Int8: path + ".int8.onnx", Weights: path + model.Extension, Card: *card}
		family, err := games.All().ByName(card.Game)
		if err != nil {
			return err
		}
		exported := &export.Network{Name: name, Digest: zoo.Digest(file), Family: family, Weights: weights, Card: card}
		for p, path := range map[precision.Precision]string{precision.F32: n.Model, precision.Int8: n.Int8} {
			data, err := export.WriteONNX(context.Background(), exported, p, modelSeed)
			if err != nil {
				return fmt.Errorf("network %s: %w", name, err)
			}
			if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(path)), data, 0o644); err != nil {
				return err
			}
		}
		table, err := zoo.Ratings(name)
		if err == nil && table != nil {
			n.Ratings, err = player.ReadRatings(table)
		}
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(n.Weights)), file, 0o644); err != nil {
			return err
		}
		site.Networks = append(site.Networks, n)
	}
	for _, name := range zoo.Evaluations() {
		file, err := zoo.Evaluation(name)
		if err != nil {
			return err
		}
		e, err := nnue.Parse(file)
		if err != nil {
			return fmt.Errorf("evaluation %s: %w", name, err)
		}
		path := networksFolder + "/" + name + ".eval"
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(path)), file, 0o644); err != nil {
			return err
		}
		site.Evaluations = append(site.Evaluations, worker.Evaluation{Name: name, File: path, Game: e.Card.Game, Trained: e.TrainedRules()})
	}
	text, err := json.Marshal(site)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, worker.SiteFile), text, 0o644)
}
