package seal

import (
	"bytes"
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
