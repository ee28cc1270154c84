package run

import (
	"bytes"
	"errors"
	"io"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/internal/seal"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/parquet-go/parquet-go"
)

// olden makes the shard at path one of format 2, as programs wrote it before there
// was a column root_draw.
func olden(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	from, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	fields := slices.DeleteFunc(reflect.VisibleFields(reflect.TypeFor[record.Row]()), func(f reflect.StructField) bool { return f.Name == "RootDraw" })
	schema := parquet.NewSchema("Row", parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()))
	options := []parquet.WriterOption{schema, parquet.KeyValueMetadata("ludozero.format", "2")}
	for _, kv := range from.Metadata().KeyValueMetadata {
		if kv.Key != "ludozero.format" && kv.Key != seal.Key {
			options = append(options, parquet.KeyValueMetadata(kv.Key, kv.Value))
		}
	}
	options = append(options, parquet.KeyValueMetadata(seal.Key, seal.Blank))
	conversion, err := parquet.Convert(schema, from.Schema())
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w := parquet.NewWriter(&file, options...)
	for _, group := range from.RowGroups() {
		rows := parquet.ConvertRowGroup(group, conversion).Rows()
		if _, err := parquet.CopyRows(w, rows); err != nil && !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if data = file.Bytes(); seal.Seal(data) != nil || os.WriteFile(path, data, 0o666) != nil {
		t.Fatal("the file could not be sealed and written")
	}
}

// TestShardsOfAnEarlierFormat: a run goes on from shards that do not tell draws, and
// its games are found to be the same; those of an unfinished one are played again.
func TestShardsOfAnEarlierFormat(t *testing.T) {
	for _, c := range []struct {
		name  string
		games int // of the shard's four
		want  int // the format in the end
	}{{"unfinished", 2, record.FormatVersion}, {"finished", 4, 2}} {
		dir, cfg := copyRun(t), tiny()
		path := shardPath(dir, 5) // games 18 to 21, of generation 1
		remove(t, rundir.CheckpointDir(dir, 2))
		for n := int64(6); n < 8; n++ {
			remove(t, shardPath(dir, n))
		}
		rewriteShard(t, dir, cfg, path, func(rows []record.Row, _ *record.Head) []record.Row {
			n, left := 0, c.games
			for first, game := range record.Games(rows) {
				if left--; left < 0 {
					break
				}
				n = first + len(game)
			}
			return rows[:n]
		})
		olden(t, path)
		mustWork(t, dir, cfg)
		shard, err := record.Open(path, info(t, cfg.Game))
		if err != nil {
			t.Fatal(err)
		}
		if shard.Meta.Format != c.want {
			t.Errorf("%s: the shard is of format %d, want %d", c.name, shard.Meta.Format, c.want)
		}
		if c.want == record.FormatVersion {
			compare(t, dir)
		}
		for _, r := range again(t, dir, cfg, []int64{18, 19, 20, 21}) {
			if len(r.Differ) > 0 {
				t.Errorf("%s: game %d differs: %v", c.name, r.Game, r.Differ)
			}
		}
	}
}
