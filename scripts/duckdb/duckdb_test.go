// Package duckdb reads shards with DuckDB, which shares no code with the program
// that wrote them. It is a module of its own so that neither DuckDB nor the C++
// toolchain that linking it takes is needed for anything else.
package duckdb

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"
)

// top is the folder of the main module.
const top = "../.."

// schema is what DuckDB must make of the columns.
const schema = `run VARCHAR, game VARCHAR, rules VARCHAR, generation INTEGER, game_number BIGINT, seed UBIGINT, beginning VARCHAR, ply INTEGER,
turn INTEGER, player TINYINT, side TINYINT, position VARCHAR, packed BLOB, before INTEGER[], legal INTEGER[], policy_kind VARCHAR,
policy USMALLINT[], visits INTEGER[], root_value FLOAT, root_draw FLOAT, network_value FLOAT, surprise FLOAT, full BOOLEAN, action INTEGER, resigns BOOLEAN, outcome TINYINT,
reason VARCHAR, turns_left INTEGER, after INTEGER[]`

// ludozero runs the program and returns what it prints.
func ludozero(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(cmp.Or(os.Getenv("GO"), "go"), append([]string{"run", "./cmd/ludozero"}, args...)...)
	cmd.Dir = top
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ludozero %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

// recorded plays two generations of a few games and returns the run's folder.
func recorded(t *testing.T, game string) string {
	t.Helper()
	run := filepath.Join(t.TempDir(), "run")
	ludozero(t, "train", "--config", "configs/"+game+"/tiny.yaml", "--run", run, "--no-rating",
		"--set", "generations=2", "--set", "games_per_generation=6", "--set", "games_per_shard=3")
	return run
}

func open(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// query returns the rows of an answer, each as its values in text.
func query(t *testing.T, db *sql.DB, text string) [][]string {
	t.Helper()
	rows, err := db.Query(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var table [][]string
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		line := make([]string, len(columns))
		for i, v := range values {
			line[i] = fmt.Sprint(v)
		}
		table = append(table, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return table
}

// TestDuckDBReadsShards has DuckDB hold the rows it reads from shards against
// those it reads from what `ludozero data export` wrote.
func TestDuckDBReadsShards(t *testing.T) {
	for _, game := range []string{"connect4", "konreh"} {
		run := recorded(t, game)
		db := open(t)
		shards := "'" + run + "/shards/*.parquet'"

		var columns []string
		for _, c := range query(t, db, "DESCRIBE FROM "+shards) {
			columns = append(columns, c[0]+" "+c[1])
		}
		if got, want := strings.Join(columns, ", "), strings.ReplaceAll(schema, "\n", " "); got != want {
			t.Errorf("%s: columns\n%s, want\n%s", game, got, want)
		}

		// Hexadecimal is not a notation that DuckDB takes for a BLOB.
		types := regexp.MustCompile(`(\w+) (\w+(?:\[\])?)`).ReplaceAllString(strings.Replace(schema, "BLOB", "VARCHAR", 1), "'$1': '$2'")
		readers := map[string]string{
			"jsonl": "read_json('%s', format='newline_delimited', columns={" + types + "})",
			"csv":   "read_csv('%s', header=true, columns={" + types + "})",
		}
		for format, reader := range readers {
			file := filepath.Join(t.TempDir(), "rows."+format)
			ludozero(t, "data", "export", run, "--out", file)
			query(t, db, "CREATE OR REPLACE TABLE read AS SELECT * REPLACE (lower(hex(packed)) AS packed) FROM "+shards)
			query(t, db, "CREATE OR REPLACE TABLE exported AS FROM "+fmt.Sprintf(reader, file))
			counts := query(t, db, `SELECT (SELECT count(*) FROM read), (SELECT count(*) FROM exported),
				(SELECT count(*) FROM (FROM read EXCEPT ALL FROM exported)), (SELECT count(*) FROM (FROM exported EXCEPT ALL FROM read))`)[0]
			if counts[0] == "0" || counts[0] != counts[1] || counts[2] != "0" || counts[3] != "0" {
				t.Errorf("%s: shards have %s rows, %s has %s; %s are in the shards alone, %s in it alone",
					game, counts[0], format, counts[1], counts[2], counts[3])
			}
		}

		kept := query(t, db, "SELECT value::VARCHAR FROM parquet_kv_metadata("+shards+") WHERE key::VARCHAR = 'ludozero.game'")
		if len(kept) != 4 || kept[0][0] != game {
			t.Errorf("%s: game by the metadata %v, want it 4 times", game, kept)
		}
	}
}

// TestDuckDBAgreesOnStatistics works out in SQL what data stat says.
func TestDuckDBAgreesOnStatistics(t *testing.T) {
	run := recorded(t, "connect4")
	type mean struct{ Mean float64 }
	var stat struct {
		Groups []struct {
			Games, Rows, Moves, Draws int
			FirstScore                struct{ Value float64 } `json:"first_score"`
			Turns                     mean
			LegalActions              mean `json:"legal_actions"`
			PolicyEntropy             mean `json:"policy_entropy"`
			Surprise                  mean
			VisitsPerRow              float64 `json:"visits_per_row"`
		}
	}
	if err := json.Unmarshal([]byte(ludozero(t, "data", "stat", run, "--by", "generation", "--json")), &stat); err != nil {
		t.Fatal(err)
	}
	shards := "'" + run + "/shards/*.parquet'"
	answer := query(t, open(t), `
		WITH games AS (
			SELECT game_number, any_value(generation) AS generation, count(*) AS rows, max(turn + turns_left) AS turns,
				count(*) + sum(len(before) + len(after)) AS moves, any_value(if(player = 0, outcome, -outcome)) AS first
			FROM `+shards+` GROUP BY game_number),
		of_games AS (
			SELECT generation, count(*) AS games, sum(rows) AS rows, sum(moves) AS moves, count(*) FILTER (first = 0) AS draws,
				avg((first + 1) / 2) AS score, avg(turns) AS turns
			FROM games GROUP BY generation),
		of_rows AS (
			SELECT generation, avg(len(legal)) AS legal, avg(list_sum(visits)) AS visits,
				avg(list_sum(list_transform(policy, lambda p: if(p = 0, 0, p / 65535 * -ln(p / 65535))))) AS entropy,
				avg(surprise) FILTER (policy_kind <> 'none') AS surprise
			FROM `+shards+` GROUP BY generation)
		SELECT games, rows, moves, draws, score, turns, legal, entropy, surprise, visits FROM of_games JOIN of_rows USING (generation) ORDER BY generation`)
	if len(answer) != 2 || len(stat.Groups) != 2 {
		t.Fatalf("DuckDB has %d generations, data stat %d, want 2", len(answer), len(stat.Groups))
	}
	for i, g := range stat.Groups {
		for k, x := range []float64{float64(g.Games), float64(g.Rows), float64(g.Moves), float64(g.Draws),
			g.FirstScore.Value, g.Turns.Mean, g.LegalActions.Mean, g.PolicyEntropy.Mean, g.Surprise.Mean, g.VisitsPerRow} {
			want, err := strconv.ParseFloat(answer[i][k], 64)
			// data stat keeps entropies in thousandths.
			if err != nil || math.Abs(x-want) > 1e-3 {
				t.Errorf("generation %d: figure %d is %g by data stat, %s by DuckDB", i, k, x, answer[i][k])
			}
		}
	}
}

// metricsSchema is what DuckDB must make of the columns of the metrics.
const metricsSchema = `generation INTEGER, step BIGINT, games BIGINT, positions BIGINT, learned_seconds DOUBLE, core_seconds DOUBLE,
new_games BIGINT, new_positions BIGINT, mean_turns DOUBLE, draw_rate DOUBLE, first_score DOUBLE, ends STRUCT(reason VARCHAR, games BIGINT)[],
mean_root_value DOUBLE, policy_entropy DOUBLE, full_share DOUBLE, positions_per_second DOUBLE, evaluations_per_second DOUBLE,
cache_hits DOUBLE, surprise DOUBLE, played_on BIGINT, wrongly_resigned BIGINT, repeated_games BIGINT,
value_bins STRUCT(positions BIGINT, games BIGINT, predicted DOUBLE, outcome DOUBLE, "error" DOUBLE)[], value_calibration DOUBLE, value_explained DOUBLE,
value_slope DOUBLE, value_slope_error DOUBLE,
root_bins STRUCT(positions BIGINT, games BIGINT, predicted DOUBLE, outcome DOUBLE, "error" DOUBLE)[], root_calibration DOUBLE, root_explained DOUBLE,
root_slope DOUBLE, root_slope_error DOUBLE, games_again BIGINT, simulations BIGINT, taught_games BIGINT, taught_draws BIGINT,
steps BIGINT, window_positions BIGINT, policy_loss DOUBLE, policy_floor DOUBLE, value_loss DOUBLE, value_floor DOUBLE, turns_loss DOUBLE,
gradient_norm DOUBLE, learning_rate DOUBLE, mean_age DOUBLE, samples_per_second DOUBLE, reply_loss DOUBLE, reply_floor DOUBLE, parameters BIGINT,
gradient_norm_max DOUBLE, clipped_steps BIGINT, frozen_positions BIGINT, frozen_divergence DOUBLE, frozen_entropy DOUBLE, frozen_search_entropy DOUBLE,
frozen_value_gap DOUBLE, frozen_drift DOUBLE, frozen_value_drift DOUBLE, frozen_seconds DOUBLE,
heap_bytes BIGINT, resident_bytes BIGINT, goroutines BIGINT`

// TestDuckDBReadsMetrics works out from the shards what the metrics say of the
// games.
func TestDuckDBReadsMetrics(t *testing.T) {
	run := recorded(t, "connect4")
	db := open(t)
	metrics, shards := "'"+run+"/metrics.parquet'", "'"+run+"/shards/*.parquet'"
	var columns []string
	for _, c := range query(t, db, "DESCRIBE FROM "+metrics) {
		columns = append(columns, c[0]+" "+c[1])
	}
	if got, want := strings.Join(columns, ", "), strings.ReplaceAll(metricsSchema, "\n", " "); got != want {
		t.Errorf("columns\n%s, want\n%s", got, want)
	}
	differ := query(t, db, `
		WITH games AS (
			SELECT game_number, any_value(generation) + 1 AS generation, count(*) AS rows, max(turn + turns_left) AS turns,
				any_value(if(player = 0, outcome, -outcome)) AS first, any_value(reason) AS reason
			FROM `+shards+` GROUP BY game_number),
		of_games AS (
			SELECT generation, count(*) AS games, sum(rows) AS rows, avg(turns) AS turns, avg(if(first = 0, 1, 0)) AS drawn, avg((first + 1) / 2) AS score
			FROM games GROUP BY generation),
		of_rows AS (
			SELECT generation + 1 AS generation, avg(if(player = 0, root_value, -root_value)::DOUBLE) AS value, avg(if("full", 1, 0)) AS full_share,
				avg(list_sum(list_transform(policy, lambda p: if(p = 0, 0, p / 65535 * -ln(p / 65535))))) AS nats,
				1 - var_pop(outcome - network_value::DOUBLE) / var_pop(outcome) AS explained,
				regr_slope(outcome, network_value::DOUBLE) AS slope, regr_slope(outcome, root_value::DOUBLE) AS root_slope,
				avg(surprise::DOUBLE) FILTER (policy_kind <> 'none') AS surprise
			FROM `+shards+` GROUP BY generation),
		ends AS (SELECT generation, reason, count(*) AS games FROM games GROUP BY generation, reason),
		told AS (SELECT generation, e.reason AS reason, e.games AS games FROM (SELECT generation, unnest(ends) AS e FROM `+metrics+`))
		SELECT 'figures of generation ' || m.generation FROM `+metrics+` AS m JOIN of_games g USING (generation) JOIN of_rows r USING (generation)
		WHERE m.new_games <> g.games OR m.new_positions <> g.rows OR abs(m.mean_turns - g.turns) + abs(m.draw_rate - g.drawn) + abs(m.first_score - g.score)
			+ abs(m.mean_root_value - r.value) + abs(m.full_share - r.full_share) + abs(m.policy_entropy - r.nats) + abs(m.surprise - r.surprise)
			+ abs(m.value_explained - r.explained) + abs(m.value_slope - r.slope) + abs(m.root_slope - r.root_slope) > 1e-9
		UNION ALL SELECT 'ends of generation ' || generation FROM (
			(SELECT * FROM ends EXCEPT ALL SELECT * FROM told) UNION ALL (SELECT * FROM told EXCEPT ALL SELECT * FROM ends))
		UNION ALL SELECT 'number of rows' WHERE (SELECT count(*) FROM `+metrics+`) <> 2
		UNION ALL SELECT 'what is learned from' WHERE (SELECT max(positions) FROM `+metrics+`) <> (SELECT count(*) FROM `+shards+`)`)
	for _, row := range differ {
		t.Errorf("DuckDB has other %s", row[0])
	}
}

// matchSchema is what DuckDB must make of the columns of a match's games.
const matchSchema = `number INTEGER, pair INTEGER, opening INTEGER, "first" VARCHAR, "second" VARCHAR, winner VARCHAR, first_points DOUBLE,
reason VARCHAR, turns INTEGER, opening_moves INTEGER, "start" VARCHAR, moves VARCHAR, final VARCHAR, repeats INTEGER,
first_used_us BIGINT, first_left_us BIGINT, second_used_us BIGINT, second_left_us BIGINT`

// playedMatch plays a short match and returns its folder.
func playedMatch(t *testing.T, game string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "match")
	ludozero(t, "match", "--game", game, "mcts:sims=8", "random", "--pairs", "6", "--max-turns", "60", "--out", dir)
	return dir
}

// TestDuckDBReadsMatches works out from the games what the result says.
func TestDuckDBReadsMatches(t *testing.T) {
	dir := playedMatch(t, "connect4")
	db := open(t)
	games := "'" + dir + "/games.parquet'"
	var columns []string
	for _, c := range query(t, db, "DESCRIBE FROM "+games) {
		columns = append(columns, c[0]+" "+c[1])
	}
	want := strings.ReplaceAll(strings.ReplaceAll(matchSchema, "\n", " "), `"`, "")
	if got := strings.Join(columns, ", "); got != want {
		t.Errorf("columns\n%s, want\n%s", got, want)
	}
	text, err := os.ReadFile(filepath.Join(dir, "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	var result struct {
		A, B                string
		Wins, Draws, Losses int
		Score               struct{ Value float64 }
		MeanTurns           float64 `json:"mean_turns"`
	}
	if err := json.Unmarshal(text, &result); err != nil {
		t.Fatal(err)
	}
	answer := query(t, db, fmt.Sprintf(`
		WITH of_a AS (SELECT *, if("first" = '%s', first_points, 1 - first_points) AS points FROM %s)
		SELECT count(*) FILTER (points = 1), count(*) FILTER (points = 0.5), count(*) FILTER (points = 0), avg(points), avg(turns) FROM of_a`, result.A, games))[0]
	for i, want := range []float64{float64(result.Wins), float64(result.Draws), float64(result.Losses), result.Score.Value, result.MeanTurns} {
		if got, err := strconv.ParseFloat(answer[i], 64); err != nil || math.Abs(got-want) > 1e-9 {
			t.Errorf("figure %d is %g by the result, %s by DuckDB", i, want, answer[i])
		}
	}
	journal := query(t, db, fmt.Sprintf(`SELECT count(*) FROM %s AS g JOIN read_json('%s/games.jsonl') AS j USING (number) WHERE g.moves = j.moves`, games, dir))
	if journal[0][0] != "12" {
		t.Errorf("%s games of 12 are in the journal with the same moves", journal[0][0])
	}
}

// TestDocumentedQueries runs every query of docs/data-format.md on a run.
func TestDocumentedQueries(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(top, "docs", "data-format.md"))
	if err != nil {
		t.Fatal(err)
	}
	folders := strings.NewReplacer("runs/first", recorded(t, "konreh"), "matches/first", playedMatch(t, "konreh"))
	db := open(t)
	n := 0
	for _, block := range regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		for text := range strings.SplitSeq(block[1], ";\n") {
			if text = strings.TrimSpace(text); text == "" {
				continue
			}
			table := query(t, db, folders.Replace(text))
			if !strings.Contains(text, "CREATE VIEW") && len(table) == 0 {
				t.Errorf("no answer to\n%s", text)
			}
			for _, row := range table {
				t.Log(strings.Join(row, "  "))
			}
			n++
		}
	}
	if n < 5 {
		t.Errorf("%d queries, expected more", n)
	}
}
