package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// samples writes what scripts/soak.sh would measure: two hours from 200 MiB on,
// growing by so many an hour.
func samples(t *testing.T, growth float64) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("seconds,resident_kib,shard_kib\n")
	for s := 0; s <= 7200; s += 10 {
		fmt.Fprintf(&b, "%d,%.0f,%d\n", s, 1024*(200+growth*float64(s)/3600), 1024*s/100)
	}
	path := filepath.Join(t.TempDir(), "grows.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestGrowthIsSeen: the slope is the growth of memory in MiB an hour.
func TestGrowthIsSeen(t *testing.T) {
	for _, growth := range []float64{0, 72, -9} {
		m, err := read(samples(t, growth))
		if err != nil {
			t.Fatal(err)
		}
		if got := m.growth(); math.Abs(got-growth) > 0.01 {
			t.Errorf("growth = %g MiB an hour, want %g", got, growth)
		}
		if n := len(m.hours); m.name != "grows" || n != 721 || m.hours[n-1] != 2 || m.resident[0] != 200 || m.shards[n-1] != 72 {
			t.Errorf("%s: %d samples, the last at %g hours with %g MiB of shards; the first has %g MiB", m.name, n, m.hours[n-1], m.shards[n-1], m.resident[0])
		}
	}
}

// TestPicture is well-formed and names each file.
func TestPicture(t *testing.T) {
	out := filepath.Join(t.TempDir(), "soak.svg")
	if err := run([]string{out, samples(t, 0), samples(t, 30)}); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	names := 0
	for d := xml.NewDecoder(f); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok && strings.TrimSpace(string(text)) == "grows" {
			names++
		}
	}
	if names != 2 {
		t.Errorf("the picture names %d files, want both", names)
	}
}

// TestBadSamples are refused with their file and line.
func TestBadSamples(t *testing.T) {
	for text, want := range map[string]string{
		"seconds,resident_kib,shard_kib\n1,2,3\n":      "1 samples: want at least 8",
		"seconds,resident_kib\n1,2\n":                  "2 columns: want seconds, resident_kib, shard_kib",
		"seconds,resident_kib,shard_kib\n1,two,3\n":    `sample 1: strconv.ParseFloat: parsing "two"`,
		"seconds,resident_kib,shard_kib\n1,2,3\n4,5\n": "line 3: wrong number of fields",
	} {
		path := filepath.Join(t.TempDir(), "bad.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := read(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("read(%q) = %v, want %q and the file", text, err, want)
		}
	}
	if err := run([]string{"soak.svg"}); err == nil {
		t.Error("no file, and no error")
	}
}
