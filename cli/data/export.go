package data

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/spf13/cobra"
)

// A rowFormat writes rows to a file of another format.
type rowFormat func(io.Writer) (write func(*record.Row) error, flush func() error)

var rowFormats = map[string]rowFormat{"csv": csvFormat, "jsonl": jsonlFormat}

func newDataExport(env *shell.Env) *cobra.Command {
	var format, to string
	var force bool
	c := &cobra.Command{
		Use:   "export PATH...",
		Short: "Write all rows to one file in another format",
		Long: "Writes all columns: as CSV with a line of names, in which lists are JSON, or as JSON, one object a line. A packed\n" +
			"position is hexadecimal. The file appears when it is whole. Most programs that read these read shards as well.",
		Args:    cobra.MinimumNArgs(1),
		Example: "  ludozero data export runs/first --out first.csv\n  ludozero data export runs/first --format jsonl --out first.txt",
		RunE: func(c *cobra.Command, args []string) error {
			write, err := exportFormat(format, to)
			if err != nil {
				return shell.Usage(err)
			}
			files, err := findShards(args)
			if err != nil {
				return shell.Usage(err)
			}
			if err := mayWrite(to, files, force); err != nil {
				return shell.Usage(err)
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			b := shell.NewBar(c.ErrOrStderr(), len(files), "shards")
			rows := 0
			err = atomicfile.Write(to, func(w io.Writer) error {
				rows, err = exportRows(ctx, census.NewLibrary(env.Families), b, files, w, write)
				return err
			})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s in %s\n", wording.Count(rows, "row"), wording.PlainName(to))
			return err
		},
	}
	c.Flags().StringVar(&format, "format", "", "csv or jsonl (default: the end of the name)")
	c.Flags().StringVar(&to, "out", "", "file to write (required)")
	c.Flags().BoolVar(&force, "force", false, "replace the file if it exists")
	return c
}

// exportFormat finds the format by its name, or by that of the file.
func exportFormat(name, file string) (rowFormat, error) {
	if file == "" {
		return nil, errors.New("--out is required: the file to write, such as rows.csv")
	}
	if name == "" {
		name = strings.TrimPrefix(filepath.Ext(file), ".")
		if rowFormats[name] == nil {
			return nil, fmt.Errorf("--out %s: say --format csv or --format jsonl, or end the name with one", file)
		}
	}
	f := rowFormats[name]
	if f == nil {
		return nil, fmt.Errorf("--format %q: want csv or jsonl", name)
	}
	return f, nil
}

// mayWrite refuses a file that exists, unless force is set, and always one of
// the shards.
func mayWrite(to string, files []census.File, force bool) error {
	info, err := os.Stat(to)
	switch {
	case to == "-":
		return errors.New("--out -: want a file; `data cat` prints rows")
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("--out %s: no file", to)
	case !force:
		return fmt.Errorf("--out %s: it exists; --force replaces it", to)
	}
	for _, f := range files {
		if shard, err := os.Stat(f.Path); err == nil && os.SameFile(shard, info) {
			return fmt.Errorf("--out %s: it is one of the shards", to)
		}
	}
	return nil
}

// exportRows writes the rows of all shards and returns how many there are.
func exportRows(ctx context.Context, l *census.Library, b *shell.Bar, files []census.File, w io.Writer, format rowFormat) (rows int, err error) {
	write, flush := format(w)
	err = b.Each(ctx, len(files), func(i int) (string, error) {
		s, _, err := l.Open(files[i].Path)
		if err != nil {
			return "", err
		}
		list, err := s.Rows()
		if err != nil {
			return "", err
		}
		for i := range list {
			if err := write(&list[i]); err != nil {
				return "", err
			}
		}
		rows += len(list)
		return wording.Count(rows, "row"), nil
	})
	return rows, errors.Join(err, flush())
}

func jsonlFormat(w io.Writer) (func(*record.Row) error, func() error) {
	var j census.RowJSON
	var line []byte
	write := func(r *record.Row) error {
		line = j.Append(line[:0], r)
		_, err := w.Write(line)
		return err
	}
	return write, func() error { return nil }
}

func csvFormat(w io.Writer) (func(*record.Row) error, func() error) {
	c := csv.NewWriter(w)
	columns := census.Columns()
	fields := make([]string, len(columns))
	for i := range columns {
		fields[i] = columns[i].Name
	}
	_ = c.Write(fields) // its error comes again with the next
	var value []byte
	write := func(r *record.Row) error {
		for i := range columns {
			value = columns[i].Append(value[:0], r)
			fields[i] = string(value)
		}
		return c.Write(fields)
	}
	return write, func() error {
		c.Flush()
		return c.Error()
	}
}
