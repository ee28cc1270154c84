// Package zoo holds the shipped networks, embedded in the binary, so that they play
// without any file: each has a name, a weight file and a page about its strength. The
// package reads no files and builds for a browser. model/infer makes networks of the
// weights; player/open finds networks by words.
//
// NAME.eval, if there is one, is an evaluation for alpha-beta (package model/nnue), which
// fit-evaluation writes, and NAME.matches.json says how it did in matches against the network of
// its name: by these it is chosen before the network, or not.
//
// In this folder NAME.safetensors and NAME.md are embedded, and NAME.ratings.json,
// if there is one: the table by which the network plays at a rating, which
// scripts/ratings makes from a tournament. NAME.card.json is a copy of the card of the
// weight file for people and other programs. scripts/ship writes weights, card and page
// of a run's checkpoint; the results on the page are written by hand from measurements of
// these weights. A page and a table name their weights by digest and are refused for
// others.
package zoo

import (
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/model"
)

// MaxBytes bounds the weight file of a shipped network: all of them are in every
// binary and, one at a time, in every page that plays.
const MaxBytes = 3_000_000

// PageExtension ends the name of the page of a network.
const PageExtension = ".md"

// RatingsExtension ends the name of the table of ratings of a network.
const RatingsExtension = ".ratings.json"

//go:embed *.safetensors *.md *.ratings.json *.eval *.matches.json
var files embed.FS

var names, evaluations = list(model.Extension), list(EvaluationExtension)

// list is the names of all files that end in extension, in order and without it.
func list(extension string) []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic("BUG: embedded files: " + err.Error())
	}
	var all []string
	for _, e := range entries { // sorted
		if name, ok := strings.CutSuffix(e.Name(), extension); ok {
			all = append(all, name)
		}
	}
	return all
}

// Names lists the shipped networks in alphabetical order. A network with the name of a
// game is that game's default player.
func Names() []string { return slices.Clone(names) }

// Has reports whether a network of that name is shipped.
func Has(name string) bool { return slices.Contains(names, name) }

// File is the weight file of a network, as model.Decode reads it: a copy.
func File(name string) ([]byte, error) {
	if !Has(name) {
		return nil, fmt.Errorf("no shipped network is called %q: want %s", name, strings.Join(names, " or "))
	}
	return files.ReadFile(name + model.Extension)
}

// Load decodes a network. The weights are the caller's own.
func Load(name string) (*model.Weights, *model.Card, error) {
	b, err := File(name)
	if err != nil {
		return nil, nil, err
	}
	w, c, err := model.Decode(b)
	if err != nil {
		return nil, nil, fmt.Errorf("shipped network %s: %w", name, err)
	}
	return w, c, nil
}

// Strength is what the page of a network says of how strong it is, Markdown
// without the heading. It is an error if the page is of other weights.
func Strength(name string) (string, error) {
	file, err := File(name)
	if err != nil {
		return "", err
	}
	page, err := files.ReadFile(name + PageExtension)
	if err != nil {
		return "", err
	}
	text, err := strength(string(page), Digest(file))
	if err != nil {
		return "", fmt.Errorf("page %s: %w", path.Join("model/zoo", name+PageExtension), err)
	}
	return text, nil
}

// Ratings is the table of ratings of a network, as player.ReadRatings reads it; nil if
// it has none. It is an error if the table is of other weights.
func Ratings(name string) ([]byte, error) {
	file, err := File(name)
	if err != nil {
		return nil, err
	}
	data, err := files.ReadFile(name + RatingsExtension)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if of := RatingsOf(data); of != Digest(file) {
		return nil, fmt.Errorf("table %s: it is about weights %q: want one of %s", path.Join("model/zoo", name+RatingsExtension), of, Digest(file))
	}
	return data, nil
}

// RatingsOf is the digest of the weights that a table of ratings is about, "" if it
// names none.
func RatingsOf(data []byte) string {
	var table struct {
		Weights string `json:"weights"`
	}
	_ = json.Unmarshal(data, &table)
	return table.Weights
}

// DigestDigits is the length of a Digest.
const DigestDigits = 16

// Digest identifies a weight file: hexadecimal digits of its SHA-256, by which players
// of networks are known in matches, too.
func Digest(file []byte) string { return fmt.Sprintf("%x", sha256.Sum256(file))[:DigestDigits] }

// Words of a page.
const (
	weightsLine     = "Weights "
	strengthHeading = "## Strength"
)

// NewPage is the page of a network that has not been measured yet.
func NewPage(name string, file []byte) string {
	return fmt.Sprintf("# %s\n\n%s%s\n\n%s\n\nNot measured yet.\n", name, weightsLine, Digest(file), strengthHeading)
}

// About is the digest of the weights that a page is about, "" if it names none.
func About(page string) string {
	_, of, _ := strings.Cut("\n"+unix(page), "\n"+weightsLine)
	of, _, _ = strings.Cut(of, "\n")
	return of
}

// strength is the section of a page under the heading of strength, up to the next heading
// of its level.
func strength(page, digest string) (string, error) {
	if of := About(page); of != digest {
		return "", fmt.Errorf("it is about weights %q: want a line %q and results of these", of, weightsLine+digest)
	}
	_, text, _ := strings.Cut("\n"+unix(page), "\n"+strengthHeading+"\n")
	for _, heading := range []string{"\n# ", "\n## "} {
		text, _, _ = strings.Cut(text, heading)
	}
	if text = strings.TrimSpace(text); text == "" {
		return "", errors.New("it has nothing under " + strengthHeading)
	}
	return text, nil
}

// unix is text without the carriage returns that Git adds on some systems.
func unix(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
