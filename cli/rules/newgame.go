package rules

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine/newgame"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/spf13/cobra"
)

// NewNewGame is the command new-game.
func NewNewGame(env *shell.Env) *cobra.Command {
	o := newGameOptions{}
	c := &cobra.Command{
		Use:   "new-game NAME",
		Short: "Begin a game of your own: rules, tests, guide and run files that work, to be changed",
		Long: "Writes a small complete game under NAME: rules, encoder, text, picture, page of rules, tests with reference games, and\n" +
			"run files. It trains and plays as it is; change it step by step into yours, and keep its tests green.\n\n" +
			"Without --module it is added to the source tree of ludozero, as engine/NAME, with its entries in lists. With --module it\n" +
			"is a module of its own in a new folder, called as the last word of PATH: a program with all commands, which needs the\n" +
			"source tree at --ludozero to build, and no network once that tree builds.",
		Args:    cobra.ExactArgs(1),
		Example: "  ludozero new-game hop\n  ludozero new-game hop --module example.org/hop --ludozero ../ludozero",
		RunE: func(c *cobra.Command, args []string) error {
			o.name = args[0]
			if err := newgame.CheckName(o.name); err != nil {
				return shell.Usage(err)
			}
			if f, _ := env.Families.ByName(o.name); f != nil {
				return shell.Usagef("name %q: there is a game of that name", o.name)
			}
			if o.module == "" {
				return o.addToTree(c.OutOrStdout())
			}
			return o.makeModule(c.OutOrStdout())
		},
	}
	c.Flags().StringVar(&o.module, "module", "", "make a module of this `PATH` instead of adding to the source tree")
	c.Flags().StringVar(&o.source, "ludozero", ".", "`DIR` of the source tree of ludozero")
	return c
}

type newGameOptions struct{ name, module, source string }

// addToTree writes a game into the source tree, all files or none.
func (o *newGameOptions) addToTree(out io.Writer) error {
	added, changed, err := newgame.Tree(os.DirFS(o.source), o.name)
	if err != nil {
		return shell.Usagef("--ludozero %s: %w", o.source, err)
	}
	if err := writeAll(o.source, []string{"engine/" + o.name, "configs/" + o.name}, added, changed); err != nil {
		return err
	}
	for _, f := range slices.Concat(added, changed) {
		fmt.Fprintln(out, f.Path)
	}
	_, err = fmt.Fprintf(out, "\nNext, in %s:\n  go test ./engine/%s ./engine/games\n  go run ./scripts/guides                # its page in docs\n"+
		"  make build && bin/ludozero play --game %[2]s --against random\n  bin/ludozero train --config %[2]s/tiny --run runs/%[2]s-tiny\n", o.source, o.name)
	return err
}

// writeAll makes new folders of the added files and replaces the changed ones. After an
// error everything is as it was.
func writeAll(top string, folders []string, added, changed []newgame.File) (err error) {
	var undo []func() error
	defer func() {
		if err != nil {
			for _, f := range slices.Backward(undo) {
				err = errors.Join(err, f())
			}
		}
	}()
	for _, folder := range folders {
		at := filepath.Join(top, filepath.FromSlash(folder))
		if err := writeFolder(at, folder+"/", added); err != nil {
			return err
		}
		undo = append(undo, func() error { return os.RemoveAll(at) })
	}
	for _, f := range changed {
		at := filepath.Join(top, filepath.FromSlash(f.Path))
		old, err := input.Read(at, input.Small)
		if err == nil {
			err = atomicfile.WriteBytes(at, f.Data)
		}
		if err != nil {
			return err
		}
		undo = append(undo, func() error { return atomicfile.WriteBytes(at, old) })
	}
	return nil
}

// writeFolder makes a folder of the files whose paths begin with prefix.
func writeFolder(at, prefix string, files []newgame.File) error {
	return atomicfile.WriteDir(at, func(dir string) error {
		for _, f := range files {
			name, ok := strings.CutPrefix(f.Path, prefix)
			if !ok {
				continue
			}
			to := filepath.Join(dir, filepath.FromSlash(name))
			err := os.MkdirAll(filepath.Dir(to), 0o777)
			if err == nil {
				err = os.WriteFile(to, f.Data, 0o666)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// makeModule writes a module in a folder of the working one.
func (o *newGameOptions) makeModule(out io.Writer) error {
	dir := path.Base(o.module)
	if _, err := os.Lstat(dir); err == nil {
		return shell.Usagef("--module %s: %s exists already", o.module, dir)
	}
	from, err := sourceFrom(dir, o.source)
	if err != nil {
		return err
	}
	files, err := newgame.Module(os.DirFS(o.source), from, o.module, o.name)
	if err != nil {
		return shell.Usagef("--module %s --ludozero %s: %w", o.module, o.source, err)
	}
	if err := writeFolder(dir, "", files); err != nil {
		return err
	}
	for _, f := range files {
		fmt.Fprintln(out, path.Join(dir, f.Path))
	}
	_, err = fmt.Fprintf(out, "\nNext:\n  cd %s\n  go test ./...\n  go run . play --game %s --against random\n  go run . train --config tiny.yaml --run runs/tiny\n", dir, o.name)
	return err
}

// sourceFrom is the path of the source tree as seen from a folder of the working one,
// if source is relative to that.
func sourceFrom(dir, source string) (string, error) {
	if filepath.IsAbs(source) {
		return source, nil
	}
	from, err := filepath.Rel(dir, source)
	return filepath.ToSlash(from), err
}
