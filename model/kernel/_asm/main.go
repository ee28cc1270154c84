// Command _asm writes the assembly of package kernel.
//
//	go run . [-dir ..]         writes the files
//	go run . [-dir ..] -check  compares instead, and fails if any differs
package main

//go:generate go run . -dir ..

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

func main() {
	dir := flag.String("dir", "..", "folder of package kernel")
	check := flag.Bool("check", false, "compare with the files there, write nothing")
	flag.Parse()
	if err := run(*dir, *check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir string, check bool) error {
	for _, file := range []struct {
		name     string
		generate func(*gen)
		isas     []isa
	}{
		{"conv", tiles, floats},
		{"winograd", transforms, floats},
		{"gradient", gradients, floats},
		{"gradient_winograd", winogradGradients, floats},
		{"rows", rows, floats},
		{"optimizer", optimizers, floats},
		{"peak", peaks, floats},
		{"int8", tiles8, integers},
		{"int8peak", peaks8, integers},
		{"int8rows", rows8, []isa{avx2}},
		{"amx", amx, []isa{matrices}},
	} {
		text, stubs, err := compile(file.name, file.generate, file.isas)
		if err != nil {
			return fmt.Errorf("%s: %w", file.name, err)
		}
		for suffix, data := range map[string][]byte{"_amd64.s": text, "_stubs_amd64.go": stubs} {
			path := filepath.Join(dir, file.name+suffix)
			if !check {
				if err := os.WriteFile(path, data, 0o666); err != nil {
					return err
				}
				continue
			}
			old, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if !bytes.Equal(old, data) {
				return fmt.Errorf("%s is not what the generator writes: run make generate", path)
			}
		}
	}
	return nil
}

// compile runs one generator for some instruction sets and prints its file.
func compile(name string, generate func(*gen), isas []isa) (text, stubs []byte, err error) {
	c := build.NewContext()
	c.ConstraintExpr("!purego")
	for _, isa := range isas {
		generate(&gen{Context: c, isa: isa})
	}
	file, err := c.Result()
	if err != nil {
		return nil, nil, err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return nil, nil, err
	}
	if err := encodeAVX2(file); err != nil {
		return nil, nil, err
	}
	config := printer.Config{Name: "model/kernel/_asm (" + name + ")", Pkg: "kernel"}
	if text, err = printer.NewGoAsm(config).Print(file); err != nil {
		return nil, nil, err
	}
	stubs, err = printer.NewStubs(config).Print(file)
	return text, stubs, err
}
