package tensorboard

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/train/rundir"
)

// The reader below is written from the description of the formats and shares
// nothing with the writer: checksums bit by bit, messages field by field.

// crc32c is CRC-32C by its definition: polynomial 0x1EDC6F41, reflected.
func crc32c(data []byte) uint32 {
	c := ^uint32(0)
	for _, x := range data {
		c ^= uint32(x)
		for range 8 {
			c = c>>1 ^ 0x82f63b78*(c&1)
		}
	}
	return ^c
}

func unmask(sum uint32) uint32 {
	sum -= 0xa282ead8
	return sum>>17 | sum<<15
}

// records cuts a file into the data of its records.
func records(t *testing.T, file []byte) (list [][]byte) {
	t.Helper()
	for len(file) > 0 {
		n := binary.LittleEndian.Uint64(file)
		if got, want := unmask(binary.LittleEndian.Uint32(file[8:])), crc32c(file[:8]); got != want {
			t.Fatalf("record %d: length %d has checksum %08x, want %08x", len(list), n, got, want)
		}
		data := file[12 : 12+n]
		if got, want := unmask(binary.LittleEndian.Uint32(file[12+n:])), crc32c(data); got != want {
			t.Fatalf("record %d: checksum %08x, want %08x", len(list), got, want)
		}
		list = append(list, data)
		file = file[16+n:]
	}
	return list
}

// message reads the fields of a message: numbers of fixed width and varints as
// uint64, the rest as bytes.
func message(t *testing.T, b []byte, see func(field int, number uint64, data []byte)) {
	t.Helper()
	varint := func() (x uint64) {
		for shift := 0; ; shift += 7 {
			c := b[0]
			b = b[1:]
			x |= uint64(c&0x7f) << shift
			if c < 0x80 {
				return x
			}
		}
	}
	for len(b) > 0 {
		key := varint()
		switch field := int(key >> 3); key & 7 {
		case 0:
			see(field, varint(), nil)
		case 1:
			see(field, binary.LittleEndian.Uint64(b), nil)
			b = b[8:]
		case 2:
			n := varint()
			see(field, 0, b[:n])
			b = b[n:]
		case 5:
			see(field, uint64(binary.LittleEndian.Uint32(b)), nil)
			b = b[4:]
		default:
			t.Fatalf("field %d has wire type %d", field, key&7)
		}
	}
}

// event is what the reader finds in a record.
type event struct {
	time    float64
	step    int64
	version string
	scalars map[string]float32
}

func read(t *testing.T, file []byte) (list []event) {
	t.Helper()
	for _, data := range records(t, file) {
		e := event{scalars: map[string]float32{}}
		message(t, data, func(field int, number uint64, inner []byte) {
			switch field {
			case 1:
				e.time = math.Float64frombits(number)
			case 2:
				e.step = int64(number)
			case 3:
				e.version = string(inner)
			case 5:
				message(t, inner, func(field int, _ uint64, value []byte) {
					tag := ""
					message(t, value, func(field int, number uint64, text []byte) {
						switch field {
						case 1:
							tag = string(text)
						case 2:
							e.scalars[tag] = math.Float32frombits(uint32(number))
						}
					})
				})
			}
		})
		list = append(list, e)
	}
	return list
}

// TestFileIsWhatTensorBoardReads compares the first record with the bytes that
// files of TensorFlow begin with, byte for byte but for the time, and the rest
// with what a reader of its own finds.
func TestFileIsWhatTensorBoardReads(t *testing.T) {
	at := time.Unix(1_700_000_000, 250_000_000)
	file := Marshal([]Event{
		{Time: at, Step: 300, Scalars: []Scalar{{"loss/policy_loss", 1.5}, {"ends/full board", 0.25}}},
		{Time: at.Add(time.Minute), Step: -1, Scalars: []Scalar{{"x", math.NaN()}, {"y", math.Inf(1)}}},
		{Time: at.Add(time.Hour), Step: 1 << 40, Scalars: []Scalar{{"x", math.Inf(-1)}, {"loss/policy_loss", -2}}},
	})
	// Length 24, its checksum as TensorFlow writes it, field 1.
	if want := []byte{24, 0, 0, 0, 0, 0, 0, 0, 0xa3, 0x7f, 0x4b, 0x22, 0x09}; !bytes.HasPrefix(file, want) {
		t.Errorf("file begins with % x, want % x", file[:len(want)], want)
	}
	got := read(t, file)
	want := []event{
		{1_700_000_000.25, 0, "brain.Event:2", map[string]float32{}},
		{1_700_000_000.25, 300, "", map[string]float32{"loss/policy_loss": 1.5, "ends/full board": 0.25}},
		{1_700_003_600.25, 1 << 40, "", map[string]float32{"loss/policy_loss": -2}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, want %+v", got, want)
	}
}

func TestEmptyFileHasItsVersion(t *testing.T) {
	if got := read(t, Marshal(nil)); len(got) != 1 || got[0].version != "brain.Event:2" || got[0].time != 0 {
		t.Errorf("read %+v", got)
	}
}

// TestEveryFigureIsShownOrLeftOut has whoever adds a column say where it goes.
func TestEveryFigureIsShownOrLeftOut(t *testing.T) {
	var columns []string
	for i := range reflect.TypeFor[rundir.Metrics]().NumField() {
		column, _, _ := strings.Cut(reflect.TypeFor[rundir.Metrics]().Field(i).Tag.Get("parquet"), ",")
		columns = append(columns, column)
	}
	known := slices.Clone(leftOut)
	for _, list := range groups {
		known = append(known, list...)
	}
	for _, c := range columns {
		if n := len(slices.DeleteFunc(slices.Clone(known), func(k string) bool { return k != c })); n != 1 {
			t.Errorf("column %s stands %d times in the groups and what is left out, want once", c, n)
		}
	}
	for _, c := range append(known, laterColumns...) {
		if !slices.Contains(columns, c) {
			t.Errorf("there is no column %s", c)
		}
	}
}

func TestGenerationsBecomeEvents(t *testing.T) {
	began := time.Unix(1000, 0)
	rows := []rundir.Metrics{
		{
			Generation: 1, Step: 20, Games: 8, NewGames: 8, LearnedSeconds: 30, DrawRate: 0, PolicyLoss: 1.25,
			Ends: []rundir.EndCount{{Reason: "line", Games: 6}, {Reason: "full board", Games: 2}},
		},
		{Generation: 2, Step: 40, LearnedSeconds: 60, FrozenPositions: 128, ValueSlope: 0.5, CoreSeconds: 110},
	}
	events := FromMetrics(rows, began, map[int]time.Time{2: time.Unix(2000, 0)})
	if got := []string{fmt.Sprint(events[0].Time.Unix(), events[0].Step), fmt.Sprint(events[1].Time.Unix(), events[1].Step)}; !slices.Equal(got, []string{"1030 20", "2000 40"}) {
		t.Errorf("time and step %q", got)
	}
	got := read(t, Marshal(events))
	for tag, want := range map[string]float32{
		"loss/policy_loss": 1.25, "games/draw_rate": 0, "ends/line": 0.75, "ends/full board": 0.25, "progress/generation": 1,
	} {
		if v, ok := got[1].scalars[tag]; !ok || v != want {
			t.Errorf("%s = %g, %t, want %g", tag, v, ok, want)
		}
	}
	// Not known, not measured by an earlier program, a reason without games.
	for _, tag := range []string{"progress/core_seconds", "loss/value_loss", "values/value_slope", "frozen/frozen_drift", "training/clipped_steps"} {
		if v, ok := got[1].scalars[tag]; ok {
			t.Errorf("%s = %g, want none", tag, v)
		}
	}
	for tag, want := range map[string]float32{"progress/core_seconds": 110, "values/value_slope": 0.5, "frozen/frozen_drift": 0, "training/clipped_steps": 0} {
		if v, ok := got[2].scalars[tag]; !ok || v != want {
			t.Errorf("%s = %g, %t, want %g", tag, v, ok, want)
		}
	}
	// What is written later goes behind what was written before.
	if !bytes.HasPrefix(Marshal(events), Marshal(events[:1])) {
		t.Error("the file of two generations does not begin with that of the first")
	}
}

// TestUpdate: what is missing at the end is added to the file that a reader has
// open; anything else makes a new file.
func TestUpdate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", FileName(time.Unix(1_700_000_000, 0)))
	if want := "events.out.tfevents.1700000000.ludozero"; filepath.Base(path) != want {
		t.Errorf("name %s, want %s", filepath.Base(path), want)
	}
	update := func(text string) {
		t.Helper()
		if err := Update(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Fatalf("file holds %q, %v, want %q", got, err, text)
		}
	}
	update("one ")
	open, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	update("one two ")
	update("one two three ")
	if got, err := io.ReadAll(open); err != nil || string(got) != "one two three " {
		t.Errorf("who has the file open reads %q, %v", got, err)
	}
	update("other")
	update("oth")
	if list, err := os.ReadDir(filepath.Dir(path)); err != nil || len(list) != 1 {
		t.Errorf("%d files, %v", len(list), err)
	}
	if err := Update(filepath.Dir(path), nil); err == nil {
		t.Error("a folder was replaced")
	}
}
