package seal

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/parquet-go/parquet-go"
)

func file(t *testing.T, options ...parquet.WriterOption) []byte {
	t.Helper()
	type row struct{ Text string }
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b, options...)
	if _, err := w.Write([]row{{"some text with " + Key + " in it"}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestEqualRowsMakeEqualFiles: a file's bytes do not tell what was written before it or
// beside it, though files share their encoders.
func TestEqualRowsMakeEqualFiles(t *testing.T) {
	type row struct {
		Text  string
		Count int64
	}
	write := func(seed uint64, n int) []byte {
		r := rand.New(rand.NewPCG(seed, 1))
		rows := make([]row, n)
		for i := range rows {
			rows[i] = row{strings.Repeat("abcdefgh"[:1+r.IntN(8)], 1+r.IntN(30)), r.Int64N(50)}
		}
		data, err := File(rows, 1, [][2]string{{"seed", "any"}})
		if err != nil {
			t.Error(err)
		}
		return data
	}
	var want [4][]byte
	for i := range want {
		want[i] = write(uint64(i), 500*i)
	}
	var group sync.WaitGroup
	for k := range 4 {
		group.Go(func() {
			for i := range 12 {
				j := (i*(2*k+1) + k) % len(want)
				write(uint64(100*k+i), 700) // something else
				if !bytes.Equal(write(uint64(j), 500*j), want[j]) {
					t.Errorf("goroutine %d, file %d: the same rows made other bytes", k, i)
				}
			}
		})
	}
	group.Wait()
}

// TestEveryBitIsSealed flips each bit of a file and cuts it everywhere.
func TestEveryBitIsSealed(t *testing.T) {
	data := file(t, parquet.KeyValueMetadata("another", "value"), parquet.KeyValueMetadata(Key, Blank))
	if err := Check(data); err == nil {
		t.Error("a file that was not sealed is good")
	}
	if err := Seal(data); err != nil {
		t.Fatal(err)
	}
	if err := Check(data); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := f.Lookup(Key); !ok || len(v) != digits || v == Blank {
		t.Errorf("the metadata has %q", v)
	}
	for i := range data {
		for bit := range 8 {
			data[i] ^= 1 << bit
			if Check(data) == nil {
				t.Errorf("byte %d, bit %d changed: the file is good", i, bit)
			}
			data[i] ^= 1 << bit
		}
		if Check(data[:i]) == nil {
			t.Errorf("cut to %d bytes: the file is good", i)
		}
	}
}

func TestNothingToSeal(t *testing.T) {
	for _, data := range [][]byte{nil, []byte(Key), []byte(Key + "  " + Blank[1:])} {
		if Seal(data) == nil || Check(data) == nil {
			t.Errorf("%q has a place for a checksum", data)
		}
	}
}
