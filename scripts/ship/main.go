// Command ship adds the network of a run to the networks in the binary:
//
//	go run ./scripts/ship RUN NAME
//	go run ./scripts/ship RUN@GENERATION NAME
//	go run ./scripts/ship network.safetensors NAME
//	go run ./scripts/ship -search gumbel RUN NAME
//
// RUN may also be the folder of a checkpoint. The command writes
// model/zoo/NAME.safetensors (weights, calibration, card with a licence), the card beside
// it, and the page NAME.md. An existing page stays if it describes the same weights;
// otherwise a new one without results replaces it, and a table of ratings of other
// weights is removed: scripts/ratings makes another. Rebuild the binary to include the
// network. A network with the name of a game is the default player of that game.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/train/rundir"
)

func main() {
	dir := flag.String("into", filepath.Join("model", "zoo"), "folder of the shipped networks")
	licence := flag.String("licence", "MIT", "SPDX expression that the network is published under")
	search := flag.String("search", "", "search for playing with it, "+strings.Join(model.Searches, " or ")+"; empty: its run's")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: ship [-into DIR] [-licence SPDX] [-search SEARCH] RUN|RUN@GENERATION|FILE NAME")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	text, err := ship(*dir, flag.Arg(0), flag.Arg(1), *licence, *search)
	if err != nil {
		fmt.Fprintln(os.Stderr, "ship:", err)
		os.Exit(1)
	}
	fmt.Print(text)
}

// nameForm distinguishes names from paths, options and player descriptions.
var nameForm = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// kinds are the words of players that would be taken for the network, or it for them.
var kinds = []string{"alphabeta", "exact", "mcts", "minimax", "net", "nnue", "random", "school", "solver", "ugi"}

// ship runs the command and returns its output.
func ship(dir, source, name, licence, search string) (string, error) {
	if !nameForm.MatchString(name) {
		return "", fmt.Errorf("name %q: want small letters, digits and hyphens, a letter first", name)
	}
	if slices.Contains(kinds, name) {
		return "", fmt.Errorf("name %q: a kind of players has it", name)
	}
	if licence == "" {
		return "", errors.New("a shipped network needs a licence")
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%s: no such folder: ship is called in the root of the repository", dir)
	}
	path, err := weights(source)
	if err != nil {
		return "", err
	}
	w, card, err := model.Load(path)
	if err != nil {
		return "", err
	}
	if err := fit(card); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	card.Licence = licence
	if search != "" {
		card.Search = search // Encode refuses unknown ones
	}
	var file bytes.Buffer
	if err := model.Encode(&file, w, *card); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	if file.Len() > zoo.MaxBytes {
		return "", fmt.Errorf("%s: %d bytes, want at most %d", path, file.Len(), zoo.MaxBytes)
	}
	to := filepath.Join(dir, name)
	if err := model.Save(to+model.Extension, w, *card); err != nil {
		return "", err
	}
	said, err := page(to+zoo.PageExtension, name, file.Bytes())
	if err != nil {
		return "", err
	}
	gone, err := outdated(to+zoo.RatingsExtension, file.Bytes())
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s: generation %d of %s, %d bytes, weights %s\n%s\n%s", to+model.Extension,
		card.Generation, card.Game, file.Len(), zoo.Digest(file.Bytes()), said, gone), nil
}

// outdated removes a table of ratings made with other weights than file.
func outdated(path string, file []byte) (string, error) {
	table, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) || err == nil && zoo.RatingsOf(table) == zoo.Digest(file) {
		return "", nil
	}
	if err == nil {
		err = os.Remove(path)
	}
	return path + ": removed, it was about other weights; go run ./scripts/ratings makes another of a tournament\n", err
}

// fit refuses networks that must not be shipped.
func fit(card *model.Card) error {
	switch {
	case card.Step == 0 || len(card.Rules) == 0:
		return errors.New("the network has learned nothing")
	case card.Calibration == nil:
		return errors.New("the network has no calibration, so that it could not play with precision=int8: see ludozero calibrate")
	}
	return nil
}

// page writes the page of a network, unless the existing one describes this file.
func page(path, name string, file []byte) (string, error) {
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	if zoo.About(string(old)) == zoo.Digest(file) {
		return path + ": stays, it is about these weights", nil
	}
	err = atomicfile.Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, zoo.NewPage(name, file))
		return err
	})
	return path + ": new; measure the strength and write it there, with command and interval", err
}

// weights finds the weight file that source names: a file, a checkpoint's folder, a run
// (its newest checkpoint) or a generation of a run.
func weights(source string) (string, error) {
	dir, generation := source, -1
	info, err := os.Stat(source)
	if at := strings.LastIndexByte(source, '@'); errors.Is(err, os.ErrNotExist) && at > 0 {
		if n, bad := strconv.Atoi(source[at+1:]); bad == nil && n >= 0 {
			dir, generation = source[:at], n
			info, err = os.Stat(dir)
		}
	}
	switch {
	case err != nil:
		return "", err
	case !info.IsDir() && generation < 0:
		return source, nil
	}
	if file := filepath.Join(dir, rundir.WeightsFile); generation < 0 {
		if _, err := os.Stat(file); err == nil {
			return file, nil
		}
	}
	if generation, err = rundir.Choose(dir, generation); err != nil {
		return "", err
	}
	return rundir.WeightsPath(dir, generation), nil
}
