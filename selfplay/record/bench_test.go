package record

import (
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// konrehRows makes about 10,000 rows, a shard as self-play writes it, of random
// games with made-up searches of 100 visits, all of them full: the most bytes.
func konrehRows(t testing.TB) ([]Row, *engine.Info) {
	games := []engine.Game{game(t, &konreh.Family, ""), game(t, &konreh.Family, "tutor")}
	return randomRows(t, games, 0, 50, 1, 1), games[0].Info()
}

// TestKonrehRowsAreSmall holds the promise of 110 bytes a row.
func TestKonrehRowsAreSmall(t *testing.T) {
	rows, info := konrehRows(t)
	data := marshal(t, info, rows)
	if perRow := float64(len(data)) / float64(len(rows)); perRow > 110 {
		t.Errorf("%d rows of Kon'reh take %.1f bytes each, want at most 110", len(rows), perRow)
	}
	s, err := Parse("konreh", data, info)
	if err != nil {
		t.Fatal(err)
	}
	checkColumns(t, s, rows)
}

func BenchmarkMarshal(b *testing.B) {
	rows, info := konrehRows(b)
	var data []byte
	for b.Loop() {
		data = marshal(b, info, rows)
	}
	report(b, len(rows), data)
}

func BenchmarkColumns(b *testing.B) {
	rows, info := konrehRows(b)
	data := marshal(b, info, rows)
	for b.Loop() {
		s, err := Parse("b", data, info)
		if err == nil {
			_, err = s.Columns()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	report(b, len(rows), data)
}

func BenchmarkRows(b *testing.B) {
	rows, info := konrehRows(b)
	data := marshal(b, info, rows)
	for b.Loop() {
		s, err := Parse("b", data, info)
		if err == nil {
			_, err = s.Rows()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	report(b, len(rows), data)
}

func BenchmarkReplay(b *testing.B) {
	rows, _ := konrehRows(b)
	replayers := map[string]*Replayer{}
	for _, rules := range []string{"", "tutor"} {
		g := game(b, &konreh.Family, rules)
		replayers[g.Rules()] = NewReplayer(g)
	}
	for b.Loop() {
		for _, game := range Games(rows) {
			if problems := replayers[game[0].Rules].Play(game, nil); len(problems) != 0 {
				b.Fatal(problems)
			}
		}
	}
	b.ReportMetric(float64(b.N)*float64(len(rows))/b.Elapsed().Seconds(), "rows/s")
}

func report(b *testing.B, rows int, data []byte) {
	b.ReportMetric(float64(b.N)*float64(rows)/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64(len(data))/float64(rows), "bytes/row")
}
