// Command versus runs this program and others on the same network, the same
// inputs and the same number of threads, in turns of less than a second, and
// prints how many times faster we are. scripts/versus.sh installs the others
// and calls it.
//
// Every side is a separate process, which sleeps while another one runs, so
// that all see the same machine. The outputs of all sides are compared before
// anything is timed: a ratio means nothing if the answers differ.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout)
	stop()
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "versus:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	only    *regexp.Regexp
	time    time.Duration
	slice   time.Duration
	dir     string // scratch, and the packages that scripts/versus.sh installed
	modules string // "" without ONNX Runtime
	python  string // "" without PyTorch
	json    string
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) error {
	if len(args) == 2 && args[0] == "side" {
		return answer(args[1], stdin, stdout)
	}
	o := options{only: new(regexp.Regexp)}
	f := flag.NewFlagSet("versus", flag.ContinueOnError)
	f.TextVar(o.only, "only", o.only, "only rows whose name this regular expression matches, such as 'f32/batch=64'")
	f.DurationVar(&o.time, "time", 4*time.Second, "time of each side of a row")
	f.DurationVar(&o.slice, "slice", 500*time.Millisecond, "time of each turn of a side")
	f.StringVar(&o.dir, "dir", ".cache/versus", "folder for models, inputs and outputs")
	f.StringVar(&o.modules, "modules", "", "folder above node_modules with onnxruntime-node; none: no rows of inference")
	f.StringVar(&o.python, "python", "", "Python 3 with PyTorch; none: training is compared with gorgonia's own operations alone")
	f.StringVar(&o.json, "json", "", "file for the results as JSON")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("unexpected word %q", f.Arg(0))
	}
	if o.time < o.slice || o.slice <= 0 {
		return fmt.Errorf("time %s in slices of %s: want at least one slice", o.time, o.slice)
	}
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return err
	}
	report, err := compare(ctx, o, stdout)
	if report == nil || o.json == "" {
		return err
	}
	text, failed := json.MarshalIndent(report, "", "  ")
	return errors.Join(err, failed, os.WriteFile(o.json, append(text, '\n'), 0o644))
}
