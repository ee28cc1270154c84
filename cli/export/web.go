package export

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player/nnue"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/web/site"
	"github.com/spf13/cobra"
)

// partsScript makes the parts of a site in a folder; it is in the source tree.
const partsScript = "scripts/site/parts.sh"

// writeSite writes a page to play on, with the network that word names or, without a
// word, all networks and evaluations that are shipped.
func writeSite(c *cobra.Command, env *shell.Env, dir, word string) error {
	words := []string{word}
	if word == "" {
		words = zoo.Names()
	}
	var networks []site.Network
	var evaluations []site.Evaluation
	if word == "" {
		for _, name := range zoo.Evaluations() {
			file, err := zoo.Evaluation(name)
			if err != nil {
				return err
			}
			e, err := nnue.Parse(file)
			if err != nil {
				return err
			}
			matches, err := zoo.EvaluationMatches(name)
			if err != nil {
				return err
			}
			evaluations = append(evaluations, site.Evaluation{
				Name: name, Game: e.Card.Game, Trained: e.TrainedRules(), File: file, First: matches.WonInBrowser(),
			})
		}
	}
	for _, word := range words {
		source, err := open.Find(word)
		if err != nil {
			return err
		}
		n, err := exportable(env.Families, source, word)
		if err != nil {
			return err
		}
		ratings, err := source.Ratings()
		if err != nil {
			return err
		}
		name := siteName(n.Name)
		if source.Shipped == "" && zoo.Has(name) {
			name += "-own" // ratings and names of opponents are of the shipped one
		}
		networks = append(networks, site.Network{Name: name, Weights: n.Weights, Card: n.Card, Ratings: ratings})
	}
	ctx, stop := shell.Interruptible(c.Context())
	defer stop()
	parts, done, err := siteParts(ctx, c.ErrOrStderr())
	if err != nil {
		return err
	}
	defer done()
	if err := makeRoom(dir); err != nil {
		return err
	}
	if err := site.Write(dir, parts, networks, evaluations); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "%s: a page to play on, for any web server; to try it: cd %s && python3 -m http.server, then http://localhost:8000/\n", wording.PlainName(dir), wording.Quoted(dir))
	return err
}

// siteName is the name of a network as addresses and descriptions of players take
// it: that of its file, folder or run, with - for all other letters and signs, and
// beginning with none, since web servers hide files by their first sign.
func siteName(name string) string {
	name = strings.TrimLeft(strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '-' || r == '_' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '-'
	}, name), "-._")
	return cmp.Or(name, "network")
}

// siteParts are the parts of a site, and what is to be done when they are not needed
// any more: those that the program was built with, or made in its source tree.
func siteParts(ctx context.Context, progress io.Writer) (parts fs.FS, done func(), err error) {
	if parts := site.Parts(); parts != nil {
		return parts, func() {}, nil
	}
	tree, err := sourceTree()
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "ludozero-site-")
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = os.RemoveAll(dir) }
	var said bytes.Buffer
	make := exec.CommandContext(ctx, filepath.Join(tree, filepath.FromSlash(partsScript)), dir)
	make.Stdout, make.Stderr = &said, &said
	fmt.Fprintf(progress, "making the parts of the site in %s: WebAssembly by go build, ONNX Runtime by npm (some seconds; the first time a minute)\n", tree)
	if err := make.Run(); err != nil {
		done()
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		return nil, nil, fmt.Errorf("%s: %w\n%s", partsScript, err, strings.TrimSpace(said.String()))
	}
	return os.DirFS(dir), done, nil
}

// sourceTree is the folder of this program's source: above the working folder, or
// above the program itself, where `make build` puts it.
func sourceTree() (string, error) {
	var starts []string
	if dir, err := os.Getwd(); err == nil {
		starts = append(starts, dir)
	}
	if program, err := os.Executable(); err == nil {
		starts = append(starts, filepath.Dir(program))
	}
	for _, dir := range starts {
		for ; ; dir = filepath.Dir(dir) {
			if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(partsScript))); err == nil {
				return dir, nil
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return "", errors.New("--web: this program was built without the parts of a site: run it in its source tree, where Go, node and npm make them, or build it there with `make complete`")
}
