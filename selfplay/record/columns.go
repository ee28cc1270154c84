package record

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/ludozero/ludozero/engine"
)

// maxCode is the largest action code that Columns, and so a shard, can hold.
const maxCode = 1<<16 - 1

// Columns holds what training needs of the rows of a shard, in flat slabs
// without a pointer per row: 19 bytes, the packed position, 2 bytes a legal
// action and 2 more for each in a policy target.
type Columns struct {
	// Rows is the number of rows, PackedBytes the length of a position.
	Rows, PackedBytes int
	// Packed is [Rows, PackedBytes].
	Packed []byte
	// Rules lists the different rules words; RulesOf [Rows] indexes it.
	Rules   []string
	RulesOf []uint16
	// Legal holds the legal actions of row i at LegalEnd[i-1] to LegalEnd[i].
	Legal    []uint16
	LegalEnd []int32
	// Policy holds the policy target of row i, in 1/PolicyOne, at PolicyEnd[i-1]
	// to PolicyEnd[i]: one entry for each legal action, or none.
	Policy    []uint16
	PolicyEnd []int32
	// Outcome is +1, 0 or -1 in the acting player's view.
	Outcome []int8
	// TurnsLeft is the number of player turns to the end, TurnsUnknown in a game
	// that was resigned.
	TurnsLeft []int32
	// Surprise is Row.Surprise, in nats; 0 without a policy target.
	Surprise []float32
	// GameEnd holds, for each game in turn, the index after its last row.
	GameEnd []int32
}

// TurnsUnknown stands for the turns left where a game was not played to its end.
const TurnsUnknown = -1

// LegalOf returns the legal actions of row i, PolicyOf its policy target, which
// may be empty, PackedOf its packed position. They are parts of the slabs.
func (c *Columns) LegalOf(i int) []uint16 { return span(c.Legal, c.LegalEnd, i) }

// PolicyOf returns the policy target of row i; it belongs to c.
func (c *Columns) PolicyOf(i int) []uint16 { return span(c.Policy, c.PolicyEnd, i) }

// PackedOf returns the packed position of row i; it belongs to c.
func (c *Columns) PackedOf(i int) []byte {
	return c.Packed[i*c.PackedBytes : (i+1)*c.PackedBytes]
}

func span(slab []uint16, end []int32, i int) []uint16 {
	start := int32(0)
	if i > 0 {
		start = end[i-1]
	}
	return slab[start:end[i]]
}

// Columns decodes what training needs, several times as fast as Rows, and checks it
// against the rules of Row.
func (s *Shard) Columns() (*Columns, error) {
	n := s.Meta.Rows
	c := &Columns{
		Rows: n, PackedBytes: s.info.PackedBytes,
		Packed:    make([]byte, 0, n*s.info.PackedBytes),
		RulesOf:   make([]uint16, 0, n),
		LegalEnd:  make([]int32, 0, n),
		PolicyEnd: make([]int32, 0, n),
		Outcome:   make([]int8, 0, n),
		TurnsLeft: make([]int32, 0, n),
		Surprise:  make([]float32, 0, n),
	}
	err := s.readColumns(c)
	if err == nil {
		err = c.check(s.info)
	}
	if err != nil {
		return nil, fmt.Errorf("shard %s: %w: %w", s.Name, ErrCorrupt, err)
	}
	return c, nil
}

func (s *Shard) readColumns(c *Columns) error {
	return errors.Join(
		s.eachPage(c.addPacked, "packed"),
		s.eachPage(c.addRules, "rules"),
		s.eachPage(func(p parquet.Page) error {
			return addLists(&c.Legal, &c.LegalEnd, p)
		}, "legal", "list", "element"),
		s.eachPage(func(p parquet.Page) error {
			return addLists(&c.Policy, &c.PolicyEnd, p)
		}, "policy", "list", "element"),
		s.eachPage(func(p parquet.Page) error {
			for _, v := range int32s(p) {
				c.Outcome = append(c.Outcome, int8(v))
			}
			return nil
		}, "outcome"),
		s.eachPage(func(p parquet.Page) error {
			c.TurnsLeft = append(c.TurnsLeft, int32s(p)...)
			return nil
		}, "turns_left"),
		s.appendFloats(&c.Surprise, "surprise"),
		s.readGames(c),
		s.readResigned(c),
	)
}

// readGames finds where each game ends.
func (s *Shard) readGames(c *Columns) error {
	last, row := int64(-1), int32(0)
	err := s.eachPage(func(p parquet.Page) error {
		values := p.Data()
		for _, number := range values.Int64() {
			switch {
			case number < last:
				return fmt.Errorf("row %d: game %d follows game %d", row, number, last)
			case number > last && row > 0:
				c.GameEnd = append(c.GameEnd, row)
			}
			last = number
			row++
		}
		return nil
	}, "game_number")
	c.GameEnd = append(c.GameEnd, row)
	return err
}

// readResigned sets the turns left of resigned games to TurnsUnknown and refuses
// negative ones in the others. It runs after the column turns_left.
func (s *Shard) readResigned(c *Columns) error {
	row := 0
	return s.eachPage(func(p parquet.Page) error {
		resigned, err := dictionary(p, func(word string) bool { return word == ReasonResignation })
		if err != nil {
			return err
		}
		for _, v := range int32s(p) {
			switch {
			case row >= len(c.TurnsLeft): // check tells
			case c.TurnsLeft[row] < 0:
				return fmt.Errorf("row %d: turns left %d: want none below 0", row, c.TurnsLeft[row])
			case resigned[v]:
				c.TurnsLeft[row] = TurnsUnknown
			}
			row++
		}
		return nil
	}, "reason")
}

// dictionary applies of to each word in the dictionary of a page, whose values index
// it.
func dictionary[T any](p parquet.Page, of func(word string) T) ([]T, error) {
	dict := p.Dictionary()
	if dict == nil {
		return nil, errors.New("no dictionary")
	}
	list := make([]T, dict.Len())
	for i := range list {
		list[i] = of(string(dict.Index(int32(i)).ByteArray()))
	}
	return list, nil
}

// int32s are the values of a page, without nulls. In a page with a dictionary they
// index it.
func int32s(p parquet.Page) []int32 {
	values := p.Data()
	return values.Int32()
}

// eachPage calls add with every page of a column in turn.
func (s *Shard) eachPage(add func(parquet.Page) error, path ...string) error {
	leaf, ok := s.file.Schema().Lookup(path...)
	if !ok {
		panic("BUG: no column " + path[0])
	}
	for _, group := range s.file.RowGroups() {
		if err := eachPageOf(group.ColumnChunks()[leaf.ColumnIndex], add); err != nil {
			return fmt.Errorf("column %s: %w", path[0], err)
		}
	}
	return nil
}

func eachPageOf(chunk parquet.ColumnChunk, add func(parquet.Page) error) (err error) {
	pages := chunk.Pages()
	defer func() { err = errors.Join(err, pages.Close()) }()
	for {
		p, err := pages.ReadPage()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		err = add(p)
		parquet.Release(p)
		if err != nil {
			return err
		}
	}
}

func (c *Columns) addPacked(p parquet.Page) error {
	values := p.Data()
	data, offsets := values.ByteArray()
	for i := 1; i < len(offsets); i++ {
		if n := offsets[i] - offsets[i-1]; int(n) != c.PackedBytes {
			return fmt.Errorf("row %d: packed position of %d bytes, want %d", len(c.Packed)/c.PackedBytes+i-1, n, c.PackedBytes)
		}
	}
	if len(offsets) > 0 {
		c.Packed = append(c.Packed, data[offsets[0]:offsets[len(offsets)-1]]...)
	}
	return nil
}

// addRules converts a page of indices into the row group's dictionary to indices into
// c.Rules.
func (c *Columns) addRules(p parquet.Page) error {
	number, err := dictionary(p, func(word string) uint16 {
		at := slices.Index(c.Rules, word)
		if at < 0 {
			at = len(c.Rules)
			c.Rules = append(c.Rules, word)
		}
		return uint16(at)
	})
	if err != nil {
		return err
	}
	if len(c.Rules) > 1<<16 {
		return fmt.Errorf("more than %d rulesets", 1<<16)
	}
	for _, v := range int32s(p) {
		c.RulesOf = append(c.RulesOf, number[v])
	}
	return nil
}

// addLists appends the lists of a page to a slab. A level of repetition 0 begins
// a row; a level of definition 0 is an empty list, for which there is no value.
// The writer never splits a row over two pages.
func addLists(slab *[]uint16, end *[]int32, p parquet.Page) error {
	repetition, definition := p.RepetitionLevels(), p.DefinitionLevels()
	n := 0
	at := int32(len(*slab))
	for i, r := range repetition {
		if r == 0 && i > 0 {
			*end = append(*end, at)
		}
		if definition[i] != 0 {
			at++
			n++
		}
	}
	if len(repetition) > 0 {
		*end = append(*end, at)
	}
	list := int32s(p)
	if len(list) != n {
		return fmt.Errorf("%d values, levels say %d", len(list), n)
	}
	for i, v := range list {
		if uint32(v) > maxCode {
			return fmt.Errorf("value %d is %d: want 0 to %d", i, v, maxCode)
		}
		*slab = append(*slab, uint16(v))
	}
	return nil
}

// check checks the columns against the rules of Row.
func (c *Columns) check(info *engine.Info) error {
	if len(c.Packed) != c.Rows*c.PackedBytes || len(c.RulesOf) != c.Rows || len(c.LegalEnd) != c.Rows ||
		len(c.PolicyEnd) != c.Rows || len(c.Outcome) != c.Rows || len(c.TurnsLeft) != c.Rows ||
		len(c.Surprise) != c.Rows {
		return fmt.Errorf("columns of different lengths, want %d rows", c.Rows)
	}
	for i := range c.Rows {
		legal := c.LegalOf(i)
		err := checkLegal(legal, info)
		if err == nil {
			err = checkPolicy(c.PolicyOf(i), len(legal))
		}
		if err == nil {
			err = checkSurprise(c.Surprise[i], len(c.PolicyOf(i)) > 0)
		}
		if err == nil && (c.Outcome[i] < -1 || c.Outcome[i] > 1) {
			err = fmt.Errorf("outcome %d: want -1, 0 or 1", c.Outcome[i])
		}
		if err != nil {
			return fmt.Errorf("row %d: %w", i, err)
		}
	}
	return nil
}
