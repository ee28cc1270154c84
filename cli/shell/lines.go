package shell

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// chunkLines is how many lines a worker takes at once: enough to hide the
// hand-over, few enough that output follows input closely.
const chunkLines = 64

// An Answer writes the answer to a line, whose number counts from 1, to b and reports
// whether the line was good. It is used by one goroutine.
type Answer func(ctx context.Context, b *bytes.Buffer, line []byte, number uint64) (good bool)

// Lines answers every line of in that is not empty, on all cores, and writes the answers to
// out in the order of the lines. Each core gets an answer of its own from open. bad counts
// the lines that were not good.
func Lines(ctx context.Context, in io.Reader, out io.Writer, open func() Answer) (bad int, err error) {
	type chunk struct {
		lines [][]byte
		first uint64 // number of the first line
		out   chan []byte
		bad   int
	}
	workers := runtime.GOMAXPROCS(0)
	work, order := make(chan *chunk), make(chan *chunk, 4*workers) // the order queue bounds memory
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(work)
		defer close(order)
		next := uint64(1)
		return readChunks(ctx, in, chunkLines, func(lines [][]byte) error {
			k := &chunk{lines: lines, first: next, out: make(chan []byte, 1)}
			next += uint64(len(lines))
			for _, to := range []chan *chunk{order, work} {
				select {
				case to <- k:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	})
	for range workers {
		group.Go(func() error {
			answer := open()
			for k := range work {
				var b bytes.Buffer
				for i, line := range k.lines {
					if !answer(ctx, &b, line, k.first+uint64(i)) {
						k.bad++
					}
				}
				k.out <- b.Bytes()
			}
			return nil
		})
	}
	group.Go(func() error {
		for k := range order {
			select {
			case b := <-k.out:
				bad += k.bad
				if _, err := out.Write(b); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	err = group.Wait()
	return bad, err
}

// readChunks hands out the lines of r in groups of at most size. Lines may be of
// any length; empty ones are skipped.
func readChunks(ctx context.Context, r io.Reader, size int, do func([][]byte) error) error {
	in := bufio.NewReaderSize(r, 1<<16)
	var lines [][]byte
	for ctx.Err() == nil {
		line, err := in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			lines = append(lines, line)
		}
		// A caller who waits for the answer to one line gets it.
		if len(lines) == size || len(lines) > 0 && (err != nil || in.Buffered() == 0) {
			if err := do(lines); err != nil {
				return err
			}
			lines = nil
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("standard input: %w", err)
		}
	}
	return ctx.Err()
}
