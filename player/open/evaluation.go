package open

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player/nnue"
)

// Evaluation reads the evaluation that a word means: with a slash the file of that path, else
// the shipped one of that name, or a file if none has that name. A word that is both is refused,
// as Find does.
func Evaluation(word string) (*nnue.Evaluation, error) {
	shipped, path, err := findEvaluation(word)
	if err != nil {
		return nil, err
	}
	if shipped == "" {
		return nnue.Read(path)
	}
	data, err := zoo.Evaluation(shipped)
	if err != nil {
		return nil, err
	}
	e, err := nnue.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("shipped evaluation %s: %w", shipped, err)
	}
	return e, nil
}

// carryEvaluation is player.Kind.Carry: every program of this build has the shipped ones.
func carryEvaluation(word string) (string, []byte, error) {
	shipped, path, err := findEvaluation(word)
	if err != nil || shipped != "" {
		return ShippedPrefix + shipped, nil, err
	}
	data, err := input.Read(path, input.Large)
	return "", data, err
}

// findEvaluation returns the name of the shipped evaluation that a word means, or a path.
func findEvaluation(word string) (shipped, path string, err error) {
	if name, ok := strings.CutPrefix(word, ShippedPrefix); ok {
		_, err := zoo.Evaluation(name)
		return name, "", err
	}
	if strings.ContainsFunc(word, func(r rune) bool { return r == '/' || r == filepath.Separator }) {
		return "", word, nil
	}
	switch known, here := zoo.HasEvaluation(word), isFile(word); {
	case !known && !here:
		return "", "", fmt.Errorf("no file %s, and no shipped evaluation of that name: want a path, or %s", word, strings.Join(zoo.Evaluations(), " or "))
	case known && here:
		return "", "", fmt.Errorf("%s is a shipped evaluation and also a file here: want ./%s for the one here, %s%s for the shipped one", word, word, ShippedPrefix, word)
	case known:
		return word, "", nil
	}
	return "", word, nil
}

// shippedEvaluation describes the player with the evaluation that is shipped for a game, also
// where a file of its name is in the working folder.
func shippedEvaluation(game string) string {
	word := game
	if isFile(game) {
		word = ShippedPrefix + game
	}
	return nnue.KindName + ":" + word
}

// isFile tells whether there is a file of that path, and no folder.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
