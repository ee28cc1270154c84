package duckdb

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// asQuery in the environment makes the test program answer the SQL on its standard input.
const asQuery = "LUDOZERO_TEST_AS_QUERY"

func TestMain(m *testing.M) {
	if os.Getenv(asQuery) == "" {
		os.Exit(m.Run())
	}
	if err := answer(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// answer writes the rows of a query as JSON.
func answer(in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.Query(string(text))
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	table := [][]any{}
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		table = append(table, values)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(table)
}

// module stands for the package duckdb of Python, which is not everywhere: it has the same
// DuckDB answer, by this program.
const module = `import json, os, subprocess
class sql:
    def __init__(self, text):
        self.rows = json.loads(subprocess.run([os.environ["DUCKDB_BY"]], input=text, capture_output=True, text=True, check=True).stdout)
    def fetchall(self):
        return [tuple(row) for row in self.rows]
`

// TestLearn: what learn.py learns from a run by the documents alone tells games that it has
// not seen, better than at the start.
func TestLearn(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("a program in Python: this machine: ", err)
	}
	run := filepath.Join(t.TempDir(), "run")
	ludozero(t, "train", "--config", "configs/connect4/tiny.yaml", "--run", run, "--no-rating",
		"--set", "generations=2", "--set", "games_per_generation=800", "--set", "games_per_shard=400", "--set", "self_play.search.simulations=32")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "duckdb.py"), []byte(module), 0o666); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "learn.py", run+"/shards/*.parquet")
	cmd.Env = append(os.Environ(), "PYTHONPATH="+dir, "PYTHONDONTWRITEBYTECODE=1", asQuery+"=1", "DUCKDB_BY="+self)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := regexp.MustCompile(`(?m)^after \d+ passes: policy (\S+) nats, value (\S+); learned from (\S+), (\S+)$`).FindAllStringSubmatch(string(out), -1)
	if len(lines) != 4 || !strings.HasPrefix(string(out), "1600 games, ") {
		t.Fatalf("it prints\n%s", out)
	}
	for i, what := range []string{"policy", "value", "policy learned from", "value learned from"} {
		first, _ := strconv.ParseFloat(lines[0][1+i], 64)
		last, err := strconv.ParseFloat(lines[3][1+i], 64)
		if err != nil || !(last < first) {
			t.Errorf("%s: %g, then %g", what, first, last)
		}
	}
	t.Logf("%s", out)
}
