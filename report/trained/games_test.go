package trained

import "testing"

// TestSampleShards takes the first and the last, evenly between, and about the
// bytes that it may.
func TestSampleShards(t *testing.T) {
	var all []numberedShard
	for i := range 1000 {
		all = append(all, numberedShard{number: int64(i), bytes: 10})
	}
	for _, c := range []struct {
		bytes int64
		want  int
	}{{10_000, 1000}, {9_999, 999}, {1_000, 100}, {95, 9}, {1, 2}} {
		got := sampleShards(all, c.bytes)
		if len(got) != c.want || got[0].number != 0 || got[len(got)-1].number != 999 {
			t.Errorf("of %d bytes: %d shards, want %d", c.bytes, len(got), c.want)
		}
		for i := 1; i < len(got); i++ {
			if gap := got[i].number - got[i-1].number; gap < int64(999/len(got)) || gap > int64(999/(len(got)-1)+1) {
				t.Errorf("of %d bytes: shard %d follows %d", c.bytes, got[i].number, got[i-1].number)
			}
		}
	}
	if got := sampleShards(all[:1], 1); len(got) != 1 {
		t.Errorf("of one shard: %d", len(got))
	}
}
