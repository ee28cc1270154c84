package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ludozero/ludozero/cluster"
)

// TestForgottenGamesAreMadeAgain takes a run back to before the games of a worker, and
// demands that the same train command leaves the files that there were.
func TestForgottenGamesAreMadeAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tiny")
	train := func() {
		if out, err := clusterTiny(dir).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	train()
	want := clusterDigest(t, dir)
	mustFail(t, 1, []string{"runs", "forget", dir}, "nobody has sent games")
	book := `{"worker":"aa","name":"mars","generation":0}
{"worker":"bb","name":"venus","generation":1}
{"worker":"bb","name":"venus","generation":2}
{"worker":"bb","name":"venus","generation":2,"cut_off":"its game 41 differs"}
`
	if err := os.MkdirAll(filepath.Join(dir, cluster.BookDir), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, cluster.BookDir, cluster.BookFile), []byte(book), 0o600); err != nil {
		t.Fatal(err)
	}
	contains(t, mustCall(t, "runs", "forget", dir), "aa  mars: games of generations 0 to 0", "bb  venus: games of generations 1 to 2", "its game 41 differs")
	mustFail(t, 2, []string{"runs", "forget", dir, "--worker", "pluto"}, "nobody of that name")
	contains(t, mustCall(t, "runs", "forget", dir, "--worker", "cut-off"), "back at generation 1")
	if left := clusterDigest(t, dir); len(left) >= len(want) {
		t.Errorf("%d files are left of %d", len(left), len(want))
	}
	mustFail(t, 2, []string{"runs", "forget", dir, "--worker", "venus"}, "nobody of that name") // not twice
	contains(t, mustCall(t, "runs", "forget", dir), "bb  venus: no games", "its game 41 differs")
	train()
	got := clusterDigest(t, dir)
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s is other than before", name)
		}
	}
}
