package census

import (
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/ludozero/ludozero/selfplay/record"
)

// Column writes one column of a row as text. In JSON the text stands as it
// is, or in quotes if it is no JSON of its own.
type Column struct {
	Name   string
	Append func(b []byte, r *record.Row) []byte
	Quoted bool
}

// columns are all columns of a shard in their order; a test holds them to
// the schema. Lists are JSON, packed positions hexadecimal.
var columns = []Column{
	text("run", func(r *record.Row) string { return r.Run }),
	text("game", func(r *record.Row) string { return r.Game }),
	text("rules", func(r *record.Row) string { return r.Rules }),
	number("generation", func(r *record.Row) int32 { return r.Generation }),
	number("game_number", func(r *record.Row) int64 { return r.GameNumber }),
	{"seed", func(b []byte, r *record.Row) []byte { return strconv.AppendUint(b, r.Seed, 10) }, false},
	text("beginning", func(r *record.Row) string { return r.Beginning }),
	number("ply", func(r *record.Row) int32 { return r.Ply }),
	number("turn", func(r *record.Row) int32 { return r.Turn }),
	number("player", func(r *record.Row) int8 { return r.Player }),
	number("side", func(r *record.Row) int8 { return r.Side }),
	text("position", func(r *record.Row) string { return r.Position }),
	{"packed", func(b []byte, r *record.Row) []byte { return hex.AppendEncode(b, r.Packed) }, true},
	{"before", func(b []byte, r *record.Row) []byte { return appendList(b, r.Before) }, false},
	{"legal", func(b []byte, r *record.Row) []byte { return appendList(b, r.Legal) }, false},
	text("policy_kind", func(r *record.Row) string { return r.PolicyKind }),
	{"policy", func(b []byte, r *record.Row) []byte { return appendList(b, r.Policy) }, false},
	{"visits", func(b []byte, r *record.Row) []byte { return appendList(b, r.Visits) }, false},
	{"root_value", func(b []byte, r *record.Row) []byte { return appendFloat(b, r.RootValue) }, false},
	{"root_draw", func(b []byte, r *record.Row) []byte { return appendFloat(b, r.RootDraw) }, false},
	{"network_value", func(b []byte, r *record.Row) []byte { return appendFloat(b, r.NetworkValue) }, false},
	{"surprise", func(b []byte, r *record.Row) []byte { return appendFloat(b, r.Surprise) }, false},
	{"full", func(b []byte, r *record.Row) []byte { return strconv.AppendBool(b, r.Full) }, false},
	number("action", func(r *record.Row) int32 { return int32(r.Action) }),
	{"resigns", func(b []byte, r *record.Row) []byte { return strconv.AppendBool(b, r.Resigns) }, false},
	number("outcome", func(r *record.Row) int8 { return r.Outcome }),
	text("reason", func(r *record.Row) string { return r.Reason }),
	number("turns_left", func(r *record.Row) int32 { return r.TurnsLeft }),
	{"after", func(b []byte, r *record.Row) []byte { return appendList(b, r.After) }, false},
}

// Columns returns all columns of a shard in their order.
func Columns() []Column { return slices.Clone(columns) }

func text(name string, get func(*record.Row) string) Column {
	return Column{name, func(b []byte, r *record.Row) []byte { return append(b, get(r)...) }, true}
}

func number[T int8 | int32 | int64](name string, get func(*record.Row) T) Column {
	return Column{name, func(b []byte, r *record.Row) []byte { return strconv.AppendInt(b, int64(get(r)), 10) }, false}
}

func appendList[T ~int32 | ~uint16](b []byte, list []T) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(v), 10)
	}
	return append(b, ']')
}

// appendFloat writes the shortest text that reads back as v.
func appendFloat(b []byte, v float32) []byte {
	return strconv.AppendFloat(b, float64(v), 'g', -1, 32)
}

// RowJSON writes rows as JSON, one object a line.
type RowJSON struct{ value []byte }

// Append appends the line of r.
func (w *RowJSON) Append(b []byte, r *record.Row) []byte {
	for i := range columns {
		c := &columns[i]
		if i == 0 {
			b = append(b, '{')
		} else {
			b = append(b, ',')
		}
		b = append(strconv.AppendQuote(b, c.Name), ':')
		if !c.Quoted {
			b = c.Append(b, r)
			continue
		}
		w.value = c.Append(w.value[:0], r)
		b = appendQuoted(b, w.value)
	}
	return append(b, '}', '\n')
}

// appendQuoted appends text as a JSON string.
func appendQuoted(b, text []byte) []byte {
	for _, x := range text {
		if x < ' ' || x > '~' || x == '"' || x == '\\' {
			quoted, err := json.Marshal(string(text))
			if err != nil {
				panic("BUG: a string cannot be written as JSON")
			}
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}
