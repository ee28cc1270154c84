// Package seal puts a checksum into the metadata of a Parquet file that covers
// every byte of the file, the metadata included: it is computed with its own
// digits zero. Parquet has checksums of pages, but none of what says where the
// pages are, and a parser that trusts an altered length may take the process
// down: Check comes before it.
package seal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// Key is the metadata key of the checksum.
const Key = "ludozero.sha256"

// digits is the length of a checksum in hexadecimal.
const digits = 2 * sha256.Size

// Blank is what the writer gives as the value of Key, once and as the last use
// of the key in the file, for Seal to overwrite.
var Blank = strings.Repeat("0", digits)

// File makes the sealed Parquet file of rows, compressed, with pairs of key and value as
// its metadata. Equal arguments make equal bytes: it names the version of its format as
// the program that wrote it, where a build would be named.
func File[T any](rows []T, version int, pairs [][2]string, options ...parquet.WriterOption) ([]byte, error) {
	options = append(options,
		// Its level costs about what the rest of writing costs. It keeps its encoders for the
		// next file: a new one takes 20 MB, and a run writes a file each second.
		parquet.Compression(&parquet.Zstd),
		parquet.CreatedBy("ludozero", strconv.Itoa(version), ""),
		parquet.KeyValueMetadata(Key, Blank))
	for _, p := range pairs {
		options = append(options, parquet.KeyValueMetadata(p[0], p[1]))
	}
	var file bytes.Buffer
	w := parquet.NewGenericWriter[T](&file, options...)
	if _, err := w.Write(rows); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	data := file.Bytes()
	return data, Seal(data)
}

// Seal writes the checksum of a file into it, over Blank or an earlier one.
func Seal(data []byte) error {
	at, err := place(data)
	if err == nil {
		copy(data[at:], sum(data, at))
	}
	return err
}

// Check returns an error if a file differs in any bit from what Seal left.
func Check(data []byte) error {
	at, err := place(data)
	if err != nil {
		return err
	}
	if got := sum(data, at); !bytes.Equal(got, data[at:at+digits]) {
		return fmt.Errorf("checksum %.16s, the file says %.16s", got, data[at:])
	}
	return nil
}

// place returns where the digits of the checksum begin in a file.
func place(data []byte) (int, error) {
	// The metadata is at the end; what rows hold comes before it. Between the
	// key and its value stand the type and length bytes of the footer's
	// encoding: two, neither of them a hexadecimal digit.
	at := bytes.LastIndex(data, []byte(Key)) + len(Key) + 2
	if at < len(Key)+2 || len(data) < at+digits {
		return 0, errors.New("no checksum; truncated, or no file of this program")
	}
	return at, nil
}

// sum is the checksum of data, whose digits begin at at.
func sum(data []byte, at int) []byte {
	h := sha256.New()
	h.Write(data[:at])
	io.WriteString(h, Blank)
	h.Write(data[at+digits:])
	return hex.AppendEncode(nil, h.Sum(nil))
}
