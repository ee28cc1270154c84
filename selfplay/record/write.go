package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/atomicfile"
)

// The checksum of a shard stands in its metadata and covers every byte of the
// file, the metadata included: it is computed with its own digits zero. Parquet
// has checksums of pages, but none of what says where the pages are.
const (
	hashKey    = keyPrefix + "sha256"
	hashDigits = 2 * sha256.Size
)

var zeroHash = strings.Repeat("0", hashDigits)

// codec is zstd at the level that costs about what the rest of writing costs.
var codec = zstd.Codec{Level: zstd.SpeedDefault}

// pageBytes is the size of a Parquet page before compression. A page is what
// zstd sees at once, and neighbouring rows are much alike: larger pages make
// smaller files. A shard of some ten thousand rows has a few pages a column.
const pageBytes = 1 << 20

// Marshal makes the file of a shard from rows in order of game and ply. Equal
// arguments make equal bytes. Rows that break a rule are refused. The rows'
// values are rounded in place to what the file holds.
func Marshal(info *engine.Info, head Head, rows []Row) ([]byte, Meta, error) {
	if len(rows) == 0 {
		return nil, Meta{}, errors.New("a shard needs a row")
	}
	if info.NumActions > maxCode+1 || info.NumChance > maxCode+1 {
		return nil, Meta{}, fmt.Errorf("%s has more than %d action codes", info.Name, maxCode+1)
	}
	m := Meta{
		Format: FormatVersion,
		Game:   info.Name, GameVersion: info.Version, EncoderVersion: info.EncoderVersion,
		NumActions: info.NumActions, PackedBytes: info.PackedBytes,
		Head: head, Rows: len(rows),
		FirstGame: rows[0].GameNumber, LastGame: rows[len(rows)-1].GameNumber,
	}
	rules := map[string]bool{}
	for i := range rows {
		rules[rows[i].Rules] = true
		rows[i].RootValue = roundValue(rows[i].RootValue)
		rows[i].NetworkValue = roundValue(rows[i].NetworkValue)
		rows[i].Surprise = roundValue(rows[i].Surprise)
	}
	m.RulesHash = rulesHash(rules)
	if err := checkRows(rows, info, &m); err != nil {
		return nil, m, err
	}
	data, err := encode(&m, rows)
	return data, m, err
}

// encode makes the file of checked rows.
func encode(m *Meta, rows []Row) ([]byte, error) {
	options := []parquet.WriterOption{
		parquet.Compression(&codec),
		parquet.PageBufferSize(pageBytes),
		// Version 1 pages compress the levels of the lists too.
		parquet.DataPageVersion(1),
		// Without a fixed name the file would name the build that wrote it.
		parquet.CreatedBy("ludozero", fmt.Sprint(FormatVersion), ""),
		parquet.KeyValueMetadata(hashKey, zeroHash),
	}
	for _, p := range m.pairs() {
		options = append(options, parquet.KeyValueMetadata(keyPrefix+p.key, p.format()))
	}
	var file bytes.Buffer
	w := parquet.NewGenericWriter[Row](&file, options...)
	if _, err := w.Write(rows); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	data := file.Bytes()
	place, err := hashPlace(data)
	if err != nil {
		return nil, err
	}
	copy(data[place:], fileHash(data, place))
	return data, nil
}

// Write puts a shard into the folder dir, whole or not at all, under the name
// that FileName gives it, and returns its path. A shard of that name is
// replaced: after a stop, the same games played again make the same bytes.
func Write(dir string, info *engine.Info, head Head, rows []Row) (string, Meta, error) {
	path := filepath.Join(dir, FileName(head.Generation, head.Number))
	data, m, err := Marshal(info, head, rows)
	if err == nil {
		err = atomicfile.Write(path, func(w io.Writer) error {
			_, err := w.Write(data)
			return err
		})
	}
	if err != nil {
		return "", m, fmt.Errorf("shard %s: %w", path, err)
	}
	return path, m, nil
}

// hashPlace returns where the digits of the checksum begin in a file.
func hashPlace(data []byte) (int, error) {
	// The metadata is at the end; what rows hold comes before it. Between the
	// key and its value stand the type and length bytes of the footer's
	// encoding: two, neither of them a hexadecimal digit.
	at := bytes.LastIndex(data, []byte(hashKey)) + len(hashKey) + 2
	if at < len(hashKey)+2 || len(data) < at+hashDigits {
		return 0, fmt.Errorf("%w: no checksum; truncated, or no shard of this program", ErrCorrupt)
	}
	return at, nil
}

// fileHash is the checksum of data, whose digits begin at place.
func fileHash(data []byte, place int) []byte {
	h := sha256.New()
	h.Write(data[:place])
	io.WriteString(h, zeroHash)
	h.Write(data[place+hashDigits:])
	return hex.AppendEncode(nil, h.Sum(nil))
}
