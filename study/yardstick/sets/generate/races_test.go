package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestWorkersChangeNothing: the file depends on the seed and on how many positions
// are asked for, not on workers or tables.
func TestWorkersChangeNothing(t *testing.T) {
	build := func(workers, table int) []byte {
		path := filepath.Join(t.TempDir(), "races.jsonl")
		m := maker{stages: races(1, 0), seed: 1, workers: workers, table: table}
		if err := m.write(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	one, three := build(1, 1<<12), build(3, 1<<20)
	if n := bytes.Count(one, []byte("\n")); n != 9 || !bytes.Equal(one, three) {
		t.Errorf("%d positions\n%swith 3 workers\n%s", n, one, three)
	}
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	m := maker{stages: races(1, 0), workers: 2, table: 1 << 12}
	if err := m.write(ctx, filepath.Join(t.TempDir(), "none")); !errors.Is(err, cause) {
		t.Errorf("write after its context ended: %v", err)
	}
}
