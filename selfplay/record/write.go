package record

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/seal"
	"github.com/parquet-go/parquet-go"
)

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
		rows[i].Round()
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
	var pairs [][2]string
	for _, p := range m.pairs() {
		pairs = append(pairs, [2]string{keyPrefix + p.key, p.format()})
	}
	// Version 1 pages compress the levels of the lists too.
	return seal.File(rows, FormatVersion, pairs, parquet.PageBufferSize(pageBytes), parquet.DataPageVersion(1))
}

// Write puts a shard into the folder dir, whole or not at all, under the name
// that FileName gives it, and returns its path. A shard of that name is
// replaced: after a stop, the same games played again make the same bytes.
func Write(dir string, info *engine.Info, head Head, rows []Row) (string, Meta, error) {
	path := filepath.Join(dir, FileName(head.Generation, head.Number))
	data, m, err := Marshal(info, head, rows)
	if err == nil {
		err = atomicfile.WriteBytes(path, data)
	}
	if err != nil {
		return "", m, fmt.Errorf("shard %s: %w", path, err)
	}
	return path, m, nil
}
