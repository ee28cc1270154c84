package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/seal"
)

// Shard is an opened shard: verified against its checksum, of a known version
// and the right game. Its rows are decoded, and held to the rules, when they
// are asked for. Not safe for concurrent use.
type Shard struct {
	// Name is what errors call the shard: its path.
	Name string
	Meta Meta

	info *engine.Info
	file *parquet.File
}

// Open reads and verifies the shard at path, which must be of info's game.
// Errors name the shard and wrap ErrCorrupt, ErrVersion, ErrForeign or what the
// file system said.
func Open(path string, info *engine.Info) (*Shard, error) {
	data, err := input.Read(path, input.Large)
	if err != nil {
		return nil, fmt.Errorf("shard %s: %w", path, err)
	}
	return Parse(path, data, info)
}

// RunOf is the run that the shard at path names.
func RunOf(path string) (string, error) {
	data, err := input.Read(path, input.Large)
	s := &Shard{}
	if err == nil {
		err = s.parse(data)
	}
	if err != nil {
		return "", fmt.Errorf("shard %s: %w", path, err)
	}
	return s.Meta.Run, nil
}

// OpenAny is Open for a shard of whatever game, as ParseAny is.
func OpenAny(path string, find func(game string) (*engine.Info, error)) (*Shard, error) {
	data, err := input.Read(path, input.Large)
	if err != nil {
		return nil, fmt.Errorf("shard %s: %w", path, err)
	}
	return ParseAny(path, data, find)
}

// Parse is Open for a shard in memory. The shard keeps data.
func Parse(name string, data []byte, info *engine.Info) (*Shard, error) {
	return ParseAny(name, data, func(string) (*engine.Info, error) { return info, nil })
}

// ParseAny is Parse for a shard of whatever game: find says what the game of
// that name is, or that there is none.
func ParseAny(name string, data []byte, find func(game string) (*engine.Info, error)) (*Shard, error) {
	s := &Shard{Name: name}
	if err := s.open(data, find); err != nil {
		return nil, fmt.Errorf("shard %s: %w", name, err)
	}
	return s, nil
}

func (s *Shard) open(data []byte, find func(game string) (*engine.Info, error)) (err error) {
	if err = s.parse(data); err != nil {
		return err
	}
	if s.info, err = find(s.Meta.Game); err != nil {
		return fmt.Errorf("%w: %w", ErrForeign, err)
	}
	if err := s.Meta.fits(s.info); err != nil {
		return err
	}
	return s.checkFile(int64(len(data)))
}

// parse reads the structure of the file and its metadata.
func (s *Shard) parse(data []byte) (err error) {
	// The checksum comes first: no parser sees a damaged file. A file that somebody
	// made so can still be anything.
	defer corruptIfPanicked(&err)
	if err = seal.Check(data); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if s.file, err = parquet.OpenFile(bytes.NewReader(data), int64(len(data)), parquet.SkipBloomFilters(true)); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	s.Meta, err = parseMeta(s.file.Lookup)
	return err
}

// checkFile checks columns and sizes against the metadata.
func (s *Shard) checkFile(size int64) (err error) {
	defer corruptIfPanicked(&err)
	want := schemaText
	if !s.Meta.hasDraws() {
		want = schemaWithoutDraws
	}
	if s.file.Schema().String() != want {
		return fmt.Errorf("%w: columns are not those of format %d", ErrCorrupt, s.Meta.Format)
	}
	if n := s.file.NumRows(); n != int64(s.Meta.Rows) || n == 0 {
		return fmt.Errorf("%w: %d rows, metadata says %d", ErrCorrupt, n, s.Meta.Rows)
	}
	return s.checkSizes(size)
}

// largestRatio is how many times smaller than its contents a column may be: more is
// no shard but an attempt to use up the memory. Columns of records reach some 200.
const largestRatio = 10_000

// checkSizes refuses a shard that would take much memory to decode, before that is
// asked for.
func (s *Shard) checkSizes(size int64) error {
	if n := int64(s.Meta.Rows); n > size {
		return fmt.Errorf("%w: %d rows in %d bytes", ErrCorrupt, n, size)
	}
	for _, group := range s.file.Metadata().RowGroups {
		for _, column := range group.Columns {
			m := &column.MetaData
			switch {
			case m.Codec != format.Zstd && m.Codec != format.Uncompressed:
				return fmt.Errorf("%w: column %v is compressed with %v, want zstd", ErrCorrupt, m.PathInSchema, m.Codec)
			case m.TotalUncompressedSize < 0 || m.TotalUncompressedSize > largestRatio*size:
				return fmt.Errorf("%w: column %v says it has %d bytes", ErrCorrupt, m.PathInSchema, m.TotalUncompressedSize)
			}
		}
	}
	return nil
}

// corruptIfPanicked makes ErrCorrupt of a panic: the parser of Parquet trusts a
// file's own sizes and offsets.
func corruptIfPanicked(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: %v", ErrCorrupt, p)
	}
}

// schemaText is the schema as parquet-go prints it, schemaWithoutDraws the schema of
// format 2.
var (
	schemaText         = parquet.SchemaOf(Row{}).String()
	schemaWithoutDraws = strings.Replace(schemaText, "\trequired float root_draw;\n", "", 1)
)

// Rows decodes all rows and checks them against every rule of Row.
func (s *Shard) Rows() ([]Row, error) {
	rows, err := s.Decode()
	if err != nil {
		return nil, err
	}
	if err := s.checkRows(rows); err != nil {
		return nil, fmt.Errorf("shard %s: %w: %w", s.Name, ErrCorrupt, err)
	}
	return rows, nil
}

// Decode decodes all rows unchecked; Problems checks them.
func (s *Shard) Decode() ([]Row, error) {
	rows := make([]Row, s.Meta.Rows)
	if err := s.decode(rows); err != nil {
		return nil, fmt.Errorf("shard %s: %w", s.Name, err)
	}
	if !s.Meta.hasDraws() {
		for i := range rows {
			rows[i].RootDraw = DrawUnknown
		}
	}
	return rows, nil
}

func (s *Shard) decode(rows []Row) (err error) {
	defer corruptIfPanicked(&err)
	r := parquet.NewGenericReader[Row](s.file)
	defer r.Close()
	n, err := r.Read(rows)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	case n != len(rows):
		return fmt.Errorf("%w: %w", ErrCorrupt, io.ErrUnexpectedEOF)
	}
	return nil
}

func (s *Shard) checkRows(rows []Row) error {
	if err := checkRows(rows, s.info, &s.Meta); err != nil {
		return err
	}
	return s.checkWhole(rows)
}

// checkWhole checks the metadata against the rows.
func (s *Shard) checkWhole(rows []Row) error {
	if rows[0].GameNumber != s.Meta.FirstGame || rows[len(rows)-1].GameNumber != s.Meta.LastGame {
		return fmt.Errorf("games %d to %d, metadata says %d to %d",
			rows[0].GameNumber, rows[len(rows)-1].GameNumber, s.Meta.FirstGame, s.Meta.LastGame)
	}
	rules := map[string]bool{}
	for i := range rows {
		rules[rows[i].Rules] = true
	}
	if got := rulesHash(rules); got != s.Meta.RulesHash {
		return fmt.Errorf("rules hash %s, metadata says %s", got, s.Meta.RulesHash)
	}
	return nil
}
