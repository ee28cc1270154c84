// Package export is the command that writes networks for other programs, and pages to
// play against them.
package export

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/export"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/spf13/cobra"
)

// exportFlags are the flags of export.
type exportFlags struct {
	model, out, web string
	options         export.Options
	asJSON          bool
}

// mostVectors keeps a typing error from filling memory: it is far more than
// anybody wants to compare.
const mostVectors = 100_000

// New is the command export.
func New(env *shell.Env) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:   "export",
		Short: "Write a network for other programs, as ONNX, or a page to play against it",
		Long: "Writes a folder that other programs use a network by: the network as ONNX models, in f32 and,\n" +
			"faster and less exact, in int8; a card that says what goes in, what comes out and which number is which move,\n" +
			"for people and for programs; positions with inputs and outputs by which a client checks itself; and examples in\n" +
			"JavaScript and Python that do so.\n" +
			"docs/export.md tells how to use it. The positions are from games that the network plays without search under the\n" +
			"rules that it was trained on.\n\n" +
			"--model is the name of a shipped network, or the path of a weight file, a checkpoint, or a run for its newest network.\n" +
			"The folder appears when it is whole; one with files in it is not touched.\n\n" +
			"With --web the folder is a page to play on instead, for any web server: rules and search as WebAssembly, the network\n" +
			"by ONNX Runtime, all in the browser; without --model with all shipped networks. Its parts are made in the source tree\n" +
			"by Go, node and npm, unless the program was built with them (make complete).",
		Args:    cobra.NoArgs,
		Example: "  ludozero export --model konreh --out konreh-onnx\n  ludozero export --web site",
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.validate(c); err != nil {
				return shell.Usage(err)
			}
			if f.web != "" {
				return writeSite(c, env, f.web, f.model)
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			files, err := f.write(ctx, env)
			if err != nil {
				return err
			}
			return f.tell(c, files)
		},
	}
	c.Flags().StringVar(&f.model, "model", "", "network: NAME of a shipped one, or PATH (required; with --web default: all shipped ones)")
	c.Flags().StringVar(&f.out, "out", "", "folder to write (required, but with --web)")
	c.Flags().StringVar(&f.web, "web", "", "folder to write a page to play on to, instead of --out")
	c.Flags().IntVar(&f.options.Vectors, "vectors", 64, "positions to compare with")
	c.Flags().Uint64Var(&f.options.Seed, "seed", 1, "seed of the games that the positions are from")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	return c
}

func (f *exportFlags) validate(c *cobra.Command) error {
	var errs problems.List
	if c.Flags().Changed("web") {
		errs.If(f.web == "", "--web: want the folder to write")
		for _, name := range []string{"out", "vectors", "seed", "json"} {
			errs.If(c.Flags().Changed(name), "--%s: with --web there is nothing for it to do", name)
		}
		var err error
		f.web, err = freeFolder("--web", f.web)
		return errors.Join(append(errs, err)...)
	}
	errs.If(f.model == "", "--model is required: the network to export, a path such as runs/first, or the name of a shipped one")
	if f.out == "" {
		errs = append(errs, errors.New("--out is required: the folder to write"))
	} else {
		var err error
		f.out, err = freeFolder("--out", f.out)
		errs = append(errs, err)
	}
	if n := f.options.Vectors; n < 1 || n > mostVectors {
		errs.Add("--vectors %d: want 1 to %d", n, mostVectors)
	}
	return errs.Err()
}

// freeFolder is the path of a folder to be put in its place as a whole, without
// symbolic links: one that is not there yet, or one that is empty and that nobody
// would be left in.
func freeFolder(flag, dir string) (string, error) {
	if dir == "" {
		return "", nil // it is said elsewhere
	}
	path, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(dir); err == nil {
			return "", fmt.Errorf("%s %s: it is a link to what is not there: want a folder that is new or empty", flag, dir)
		}
		return filepath.Clean(dir), nil
	}
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", flag, dir, err)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", flag, dir, err)
	}
	if len(entries) > 0 {
		return "", fmt.Errorf("%s %s: there are files in it: want a folder that is new or empty", flag, dir)
	}
	here, err := os.Stat(".")
	if err != nil {
		return "", err
	}
	if there, err := os.Stat(path); err != nil || os.SameFile(here, there) {
		return "", errors.Join(err, fmt.Errorf("%s %s: it is the folder that you are in, which cannot be put in its place as a whole: want another", flag, dir))
	}
	return path, nil
}

// write makes the files and then the folder.
func (f *exportFlags) write(ctx context.Context, env *shell.Env) ([]export.File, error) {
	source, err := open.Find(f.model)
	if err != nil {
		return nil, err
	}
	n, err := exportable(env.Families, source, f.model)
	if err != nil {
		return nil, err
	}
	files, err := export.Files(ctx, n, f.options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.model, err)
	}
	if err := makeRoom(f.out); err != nil {
		return nil, err
	}
	return files, atomicfile.WriteDir(f.out, func(dir string) error {
		for _, file := range files {
			if err := os.WriteFile(filepath.Join(dir, file.Name), file.Data, 0o666); err != nil {
				return err
			}
		}
		return nil
	})
}

// makeRoom prepares a folder to be written as one: an empty one goes only now, and
// stays if somebody has put something in it.
func makeRoom(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// exportable reads the network, which must be one that this program could play with. word
// is how the user named it.
func exportable(games engine.Families, n open.Network, word string) (*export.Network, error) {
	file, err := n.File()
	if err != nil {
		return nil, err
	}
	of := &export.Network{Digest: zoo.Digest(file)}
	if of.Weights, of.Card, err = model.Decode(file); err != nil {
		return nil, fmt.Errorf("%s: %w", n, err)
	}
	if of.Family, err = games.ByName(of.Card.Game); err != nil {
		return nil, fmt.Errorf("%s: %w", n, err)
	}
	game, err := of.Family.Parse("")
	if err != nil {
		return nil, err
	}
	info := game.Info()
	if err := of.Card.Fits(plan.Identity(info), plan.Shape(info)); err != nil {
		return nil, fmt.Errorf("%s: %w", n, err)
	}
	if n.Shipped == "" {
		return of, describeSource(n, word, of)
	}
	of.Name = n.Shipped
	of.Strength, err = zoo.Strength(n.Shipped)
	return of, err
}

func (f *exportFlags) tell(c *cobra.Command, files []export.File) error {
	type written struct {
		File  string `json:"file"`
		Bytes int    `json:"bytes"`
	}
	var list []written
	for _, file := range files {
		list = append(list, written{filepath.Join(f.out, file.Name), len(file.Data)})
	}
	if f.asJSON {
		return shell.WriteJSON(c, list)
	}
	for _, w := range list {
		fmt.Fprintf(c.OutOrStdout(), "%8d  %s\n", w.Bytes, wording.PlainName(w.File))
	}
	return nil
}
