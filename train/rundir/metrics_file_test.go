package rundir

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/internal/seal"
	"github.com/parquet-go/parquet-go"
)

// TestMetricsOfOtherPrograms: fewer columns are read, other versions and columns
// refused.
func TestMetricsOfOtherPrograms(t *testing.T) {
	type older struct {
		Generation int32 `parquet:"generation"`
		Step       int64 `parquet:"step"`
	}
	type newer struct {
		older
		Mood string `parquet:"mood"`
	}
	rows := []Metrics{{Generation: 1, Step: 5}, {Generation: 3, Step: 7}}
	got, _, err := parseMetrics(parquetOf(t, []older{{1, 5}, {3, 7}}, "1"))
	if err != nil || len(got) != 2 || !SameMetrics(got, rows) {
		t.Errorf("of a program with fewer columns: %+v, %v", got, err)
	}
	if _, _, err := parseMetrics(parquetOf(t, []newer{{older{1, 5}, "good"}}, "1")); err == nil || !strings.Contains(err.Error(), "mood") {
		t.Errorf("of a program with a column more: %v", err)
	}
	if _, _, err := parseMetrics(parquetOf(t, rows, "2")); err == nil || !strings.Contains(err.Error(), `format "2": this program reads 1`) {
		t.Errorf("of another version: %v", err)
	}
	twice := []Metrics{{Generation: 1}, {Generation: 1}}
	if _, _, err := parseMetrics(parquetOf(t, twice, "1")); err == nil || !strings.Contains(err.Error(), "generation 1") {
		t.Errorf("a generation twice: %v", err)
	}
}

func parquetOf[T any](t *testing.T, rows []T, version string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, parquet.KeyValueMetadata(kindKey, metricsKind),
		parquet.KeyValueMetadata(formatKey, version), parquet.KeyValueMetadata(seal.Key, seal.Blank))
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := seal.Seal(b.Bytes()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
