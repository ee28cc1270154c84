package watch

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/report"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/ludozero/ludozero/web/client"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

// secret stands in files outside of the folder that is served.
const secret = "SECRET-OUTSIDE"

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// randomGames are played at random and recorded as if they had been searched.
func randomGames(t testing.TB, game, rules string, generation int32, first int64, n int) (info *engine.Info, rows []record.Row) {
	t.Helper()
	f, err := games.All().ByName(game)
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	for number := first; number < first+int64(n); number++ {
		rng := rand.New(rand.NewPCG(uint64(number), 7))
		s, h := g.NewState(), g.NewHistory()
		var game []record.Row
		for s.Start(h); !s.Outcome().Over; {
			legal := s.Legal(nil, h)
			r := record.Row{
				Run: "night", Game: g.Info().Name, Rules: g.Rules(), Generation: generation, GameNumber: number, Beginning: record.BeginningStart,
				Ply: int32(len(game)), Turn: int32(s.Turn()), Player: int8(s.Actor()), Side: int8(s.Side()), Position: string(s.AppendPosition(nil)), Packed: s.Pack(nil),
				Legal: legal, PolicyKind: record.PolicyNone, Action: legal[rng.IntN(len(legal))], RootValue: 0.5, NetworkValue: -0.25,
			}
			for i := range legal {
				r.Visits = append(r.Visits, int32(i))
			}
			game = append(game, r)
			s.Apply(r.Action, h)
		}
		for i := range game {
			game[i].Outcome = int8(s.Outcome().Value(engine.Player(game[i].Player)))
			game[i].Reason = s.Outcome().Reason
			game[i].TurnsLeft = int32(s.Turn()) - game[i].Turn
		}
		rows = append(rows, game...)
	}
	return g.Info(), rows
}

func writeShard(t testing.TB, dir, game, rules string, generation int32, shard, first int64, n int) string {
	t.Helper()
	info, rows := randomGames(t, game, rules, generation, first, n)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	path, _, err := record.Write(dir, info, record.Head{Run: "night", Generation: generation, Number: shard}, rows)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Base(path)
}

func eventLine(t testing.TB, e rundir.Event) string {
	t.Helper()
	b, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}

// folder is a served folder: a run at work, one in a folder of its own, files
// outside and ways to them.
func folder(t testing.TB) (dir string) {
	t.Helper()
	base := t.TempDir()
	dir = filepath.Join(base, "runs")
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	write(t, base, "outside/report.html", secret)
	write(t, base, "outside/events.jsonl", secret)
	write(t, base, "outside/checkpoints/000000/state.json", secret)
	write(t, dir, "night/config.yaml", "game: tictactoe\n")
	write(t, dir, "night/metrics.parquet", "1")
	write(t, dir, "night/lock", "")
	write(t, dir, "night/checkpoints/000001/state.json", "{}")
	write(t, dir, "night/report.html", "<h1>night</h1><script>alert(1)</script>")
	write(t, dir, "night/events.jsonl",
		eventLine(t, rundir.Event{Time: at, Start: &rundir.StartEvent{Game: "tictactoe", Kernel: "generic"}})+
			eventLine(t, rundir.Event{Time: at.Add(time.Second), SelfPlay: &rundir.SelfPlayEvent{Games: 8, GamesWant: 8, PositionsPerSecond: 50, EvaluationsPerSecond: 700, Done: true}})+
			eventLine(t, rundir.Event{Time: at.Add(2 * time.Second)})+
			eventLine(t, rundir.Event{Time: at.Add(3 * time.Second), Elapsed: 3 * time.Second, Training: &rundir.TrainingEvent{Generation: 0, Step: 20, PolicyLoss: 1.5, SamplesPerSecond: 900, Done: true}})+
			`{"time":"2026-01-02T03:05`) // the process is writing
	write(t, dir, "some/day/events.jsonl", eventLine(t, rundir.Event{Time: at, Stop: &rundir.StopEvent{Reason: "core_budget"}}))
	write(t, dir, "some/day/shards/note.html", "not looked for in a run")
	write(t, dir, "balance/report.html", "<h1>balance</h1>")
	write(t, dir, ".hidden/events.jsonl", "")
	write(t, dir, ".hidden/report.html", "")
	write(t, dir, "a/b/c/events.jsonl", "")
	write(t, dir, "a/b/c/d/events.jsonl", "") // too deep, and in a run
	for name, target := range map[string]string{
		"out": "../outside", "linked.html": "../outside/report.html", "inside": "night", "leads/events.jsonl": "../../outside/events.jsonl",
		"steps/checkpoints": "../../outside/checkpoints",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
	}
	write(t, dir, "steps/events.jsonl", "")
	return dir
}

// reader makes up what is read of runs, and counts it.
type reader struct {
	mu    sync.Mutex
	calls []string
	fail  map[string]error
	panic string
}

func (r *reader) read(dir string) (*report.Input, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := filepath.Base(dir)
	r.calls = append(r.calls, name)
	if err := r.fail[name]; err != nil {
		return nil, err
	}
	if r.panic == name {
		panic("a file made no sense")
	}
	c := plan.DefaultConfig()
	c.Game, c.Rules, c.GamesPerGeneration, c.GamesPerShard, c.Generations = "tictactoe", "standard", 8, 2, 5
	core := 5 * time.Second
	return &report.Input{
		Name: name, Rules: "standard", State: "stopped", Config: &c, CoreTime: &core,
		Metrics: []rundir.Metrics{{Generation: 1, Step: 20, Games: 8, Positions: 60, NewGames: 40, NewPositions: 60, LearnedSeconds: 3, DrawRate: 0.25, FirstScore: 0.5,
			MeanTurns: 7, PolicyLoss: 1.5, ValueLoss: 0.9, TurnsLoss: 0.1, Steps: 20, WindowPositions: 60, FrozenPositions: 8, RepeatedGames: 39, FrozenDrift: 0.1, FrozenValueDrift: 0.1}},
	}, nil
}

// host is a server without a guard.
type host struct{ *http.ServeMux }

func (host) Link(client.Link) {}
func (host) Render(w http.ResponseWriter, p client.Page) {
	if err := client.Render(w, p); err != nil {
		panic(err)
	}
}

func watcher(t testing.TB, dir string) (*Watcher, *reader, host) {
	t.Helper()
	r := &reader{fail: map[string]error{}}
	w, err := New(Config{Dir: dir, Games: games.All(), Read: r.read})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	h := host{http.NewServeMux()}
	w.Serve(h)
	return w, r, h
}

func get(h http.Handler, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec
}

func fetch[T any](t testing.TB, h http.Handler, path string) (v T) {
	t.Helper()
	rec := get(h, path)
	if rec.Code != http.StatusOK {
		t.Fatalf("GET %s: %d %s", path, rec.Code, rec.Body)
	}
	if err := json.Unmarshal(rec.Body.Bytes(), &v); err != nil {
		t.Fatalf("GET %s: %v", path, err)
	}
	return v
}

func TestOverview(t *testing.T) {
	_, r, h := watcher(t, folder(t))
	r.fail["day"] = errors.New("config.yaml is missing")
	r.fail["c"] = fmt.Errorf("config.yaml: %w", &engine.UnknownGame{Name: "hop"})
	o := fetch[Overview](t, h, "/api/runs")
	var got []string
	for _, row := range o.Runs {
		got = append(got, row.Name+" "+row.State)
	}
	// A run whose files lead out of the folder is listed and not read.
	want := []string{"a/b/c unknown", "leads damaged", "night stopped", "some/day damaged", "steps damaged"}
	if !slices.Equal(got, want) || o.Folder != "runs" || o.More {
		t.Errorf("%s: %q, want %q", o.Folder, got, want)
	}
	if slices.Contains(r.calls, "leads") || slices.Contains(r.calls, "steps") {
		t.Errorf("read were %q", r.calls)
	}
	var reports []string
	for _, x := range o.Reports {
		reports = append(reports, x.Path)
	}
	if want := []string{"balance/report.html", "night/report.html"}; !slices.Equal(reports, want) {
		t.Errorf("reports %q, want %q", reports, want)
	}
	night := o.Runs[2]
	if night.Generation != 1 || night.Generations != 5 || night.PolicyLoss != 1.5 || night.Games != 8 || night.Report != "night/report.html" || night.Game != "tictactoe" {
		t.Errorf("night: %+v", night)
	}
	if p := o.Runs[3].Problem; p != "config.yaml is missing" {
		t.Errorf("problem %q", p)
	}
}

// TestFolderThatIsARun: it may be served itself.
func TestFolderThatIsARun(t *testing.T) {
	_, _, h := watcher(t, filepath.Join(folder(t), "night"))
	o := fetch[Overview](t, h, "/api/runs")
	if len(o.Runs) != 1 || o.Runs[0].Name != "." || o.Runs[0].Label != "night" || o.Runs[0].Report != "report.html" {
		t.Errorf("%+v", o.Runs)
	}
	if v := fetch[View](t, h, "/api/run?name=."); v.Label != "night" || len(v.Figures) == 0 {
		t.Errorf("%+v", v.Row)
	}
}

func TestRun(t *testing.T) {
	dir := folder(t)
	for i := range 3 {
		writeShard(t, filepath.Join(dir, "night", "shards"), "tictactoe", "standard", 1, int64(4+i), int64(8+2*i), 2)
	}
	_, _, h := watcher(t, dir)
	v := fetch[View](t, h, "/api/run?name=night")
	ids := map[string]report.Figure{}
	for _, f := range v.Figures {
		ids[f.ID] = f
		if strings.Contains(f.SVG, "style=") || !strings.HasPrefix(f.SVG, "<svg class=\"plot\"") || !strings.Contains(f.SVG, `="var(--c1)"`) {
			t.Errorf("figure %s: a picture that a page without styles would not show: %.300s", f.ID, f.SVG)
		}
	}
	for _, id := range []string{"policy-loss", "value-loss", "draws", "frozen"} {
		if f := ids[id]; f.Title == "" || len(f.Rows) != 1 || len(f.Rows[0]) != len(f.Head) {
			t.Errorf("figure %s: %+v", id, f)
		}
	}
	if len(v.Notices) == 0 || v.Warnings == 0 || len(v.Headline) == 0 || len(v.Facts) == 0 {
		t.Errorf("notices %+v, headline %q, facts %q", v.Notices, v.Headline, v.Facts)
	}

	n := fetch[Now](t, h, "/api/run/now?name=night")
	if n.Running || n.Learned != "0:00:03" || len(n.Log) != 3 || !strings.HasPrefix(n.Log[0].Text, "Training of generation 1: step 20") || n.Doing != "" {
		t.Errorf("now: %+v", n)
	}
	// A second process works on it.
	lock := flock.New(filepath.Join(dir, "night", "lock"))
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	_, _, h = watcher(t, dir)
	fetch[View](t, h, "/api/run?name=night")
	n = fetch[Now](t, h, "/api/run/now?name=night")
	if want := "About 6 of 8 games of generation 1 are recorded."; !n.Running || n.Doing != want {
		t.Errorf("running %t, doing %q, want %q", n.Running, n.Doing, want)
	}
	if o := fetch[Overview](t, h, "/api/runs"); o.Runs[2].State != stateRunning {
		t.Errorf("state %q", o.Runs[2].State)
	}
	file := filepath.Join(dir, "night", "events.jsonl")
	events, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "night/events.jsonl", string(events)+"\n"+eventLine(t, rundir.Event{Time: time.Unix(3, 0), Stop: &rundir.StopEvent{Reason: "budget"}}))
	_, _, h = watcher(t, dir)
	if n = fetch[Now](t, h, "/api/run/now?name=night"); !n.Running || n.Doing != measuresLast {
		t.Errorf("after its end: running %t, doing %q", n.Running, n.Doing)
	}
}

// TestTailOfLongEvents: of a long file the end is read, and cut lines are left out.
func TestTailOfLongEvents(t *testing.T) {
	dir := folder(t)
	var b strings.Builder
	for i := range 2000 {
		b.WriteString(eventLine(t, rundir.Event{Time: time.Unix(int64(i), 0), SelfPlay: &rundir.SelfPlayEvent{Generation: i, Done: true}}))
	}
	write(t, dir, "night/events.jsonl", b.String())
	_, _, h := watcher(t, dir)
	n := fetch[Now](t, h, "/api/run/now?name=night")
	if len(n.Log) != logLines || !strings.HasPrefix(n.Log[0].Text, "Games of generation 1999: ") || !strings.HasPrefix(n.Log[logLines-1].Text, "Games of generation 1970: ") {
		t.Errorf("%d lines, %+v", len(n.Log), n.Log)
	}
	// A stage of a night has nothing but the time for longer than that.
	for i := range 5000 {
		b.WriteString(eventLine(t, rundir.Event{Time: time.Unix(int64(2000+30*i), 0), Elapsed: time.Hour}))
	}
	write(t, dir, "night/events.jsonl", b.String())
	if n := fetch[Now](t, h, "/api/run/now?name=night"); len(n.Log) != logLines || !strings.HasPrefix(n.Log[0].Text, "Games of generation 1999: ") {
		t.Errorf("after a long stage %d lines, %+v", len(n.Log), n.Log)
	}
}

// TestReadingIsBounded: what did not change is not read again, and what did waits
// for a multiple of the time that reading took; a first reading does not.
func TestReadingIsBounded(t *testing.T) {
	dir := folder(t)
	w, r, _ := watcher(t, dir)
	clock := time.Unix(1000, 0)
	w.now = func() time.Time { return clock }
	slow := w.cfg.Read
	w.cfg.Read = func(dir string) (*report.Input, error) {
		clock = clock.Add(2 * time.Second) // what reading takes
		return slow(dir)
	}
	reads := func(want int, what string) {
		t.Helper()
		w.view("night")
		if got := len(r.calls); got != want {
			t.Errorf("%s: read %d times, want %d", what, got, want)
		}
	}
	reads(1, "first")
	clock = clock.Add(time.Hour)
	reads(1, "unchanged")
	write(t, dir, "night/metrics.parquet", "12")
	clock = clock.Add(2 * time.Second)
	reads(2, "changed")
	write(t, dir, "night/metrics.parquet", "123")
	clock = clock.Add(30 * time.Second)
	reads(2, "changed again too soon")
	w.view("some/day")
	if len(r.calls) != 3 {
		t.Errorf("another run waits for its first reading")
	}
	clock = clock.Add(39 * time.Second)
	reads(4, "changed again")
	write(t, dir, "night/events.jsonl", "")
	clock = clock.Add(time.Hour)
	reads(5, "the process left")
}

// TestListGoesOnReading: with many runs a request reads some for the first time, and
// says of the others that they were not read.
func TestListGoesOnReading(t *testing.T) {
	w, _, _ := watcher(t, folder(t))
	clock := time.Unix(1000, 0)
	w.now = func() time.Time { return clock }
	quick := w.cfg.Read
	w.cfg.Read = func(dir string) (*report.Input, error) {
		clock = clock.Add(firstReadings)
		return quick(dir)
	}
	for want := range 4 {
		o, err := w.overview()
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, row := range o.Runs {
			if row.State == stateUnread {
				n++
			}
		}
		if n != []int{4, 2, 1, 0}[want] { // one more each time; damaged ones take none
			t.Errorf("request %d leaves %d runs unread: %+v", want, n, o.Runs)
		}
		clock = clock.Add(time.Minute)
	}
}

// TestReadingThatMissedAFile is done again while a process works on the run, since
// it replaces and removes files.
func TestReadingThatMissedAFile(t *testing.T) {
	dir := folder(t)
	lock := flock.New(filepath.Join(dir, "night", "lock"))
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	w, r, _ := watcher(t, dir)
	clock := time.Unix(1000, 0)
	w.now = func() time.Time { return clock }
	r.fail["night"] = os.ErrNotExist
	if v := w.view("night"); v.Problem == "" || v.State != stateRunning {
		t.Errorf("%+v", v.Row)
	}
	delete(r.fail, "night")
	clock = clock.Add(2 * time.Second)
	if v := w.view("night"); v.Problem != "" || v.Generation != 1 {
		t.Errorf("%+v", v.Row)
	}
}

func TestReaderThatPanics(t *testing.T) {
	_, r, h := watcher(t, folder(t))
	r.panic = "night"
	if v := fetch[View](t, h, "/api/run?name=night"); v.State != stateDamaged || !strings.Contains(v.Problem, "a file made no sense") {
		t.Errorf("%+v", v.Row)
	}
}

// TestReplay steps through a game of each kind of picture, and through what happens
// to files meanwhile.
func TestReplay(t *testing.T) {
	dir := folder(t)
	shards := filepath.Join(dir, "night", "shards")
	writeShard(t, shards, "tictactoe", "standard", 0, 0, 0, 2)
	name := writeShard(t, shards, "konreh", "micro,max_turns=40", 1, 1, 2, 2)
	other := writeShard(t, shards, "tictactoe", "standard", 1, 2, 4, 1)
	_, _, h := watcher(t, dir)
	g := fetch[Games](t, h, "/api/run/games?name=night")
	if len(g.Games) != 3 || g.Generation != 1 || g.Games[0].Number != 4 || g.Games[2].Number != 2 || len(g.Unreadable) > 0 {
		t.Fatalf("%+v", g)
	}
	line := g.Games[2]
	query := "name=night&" + url.Values{"shard": {line.Shard}, "game": {fmt.Sprint(line.Number)}}.Encode()
	p := fetch[Played](t, h, "/api/run/game?"+query)
	if p.Turns != line.Turns || p.Winner != line.Winner || p.Reason != line.Reason || len(p.Moves) != line.Searched || p.Game.Game != "konreh" {
		t.Errorf("the line says %+v, the game %d turns, %s, %s, %d moves", line, p.Turns, p.Winner, p.Reason, len(p.Moves))
	}
	if !strings.HasPrefix(p.Curve, "<svg") || strings.Contains(p.Curve, "style=") || strings.Contains(p.Curve, "<style") {
		t.Errorf("curve %.100q", p.Curve)
	}
	for i, m := range p.Moves {
		if len(m.Search.ShareOf) > 0 && (len(p.Options[i]) == 0 || p.Options[i][0].Word != m.Search.Best && p.Options[i][0].Visits != m.Search.Share) {
			t.Errorf("move %d: options %+v, the search %+v", i, p.Options[i], m.Search)
		}
	}
	seen := map[string]bool{}
	for i := range len(p.Moves) + 1 {
		pos := fetch[Position](t, h, fmt.Sprintf("/api/run/position?%s&moves=%d", query, i))
		if !strings.HasPrefix(pos.SVG, "<svg") || strings.Contains(pos.SVG, "style=") || strings.Contains(pos.SVG, "<style") {
			t.Fatalf("position %d: %.200s", i, pos.SVG)
		}
		if seen[pos.SVG] {
			t.Errorf("position %d looks like one before", i)
		}
		seen[pos.SVG] = true
	}
	for _, moves := range []string{"-1", fmt.Sprint(len(p.Moves) + 1), "x", ""} {
		if rec := get(h, "/api/run/position?"+query+"&moves="+moves); rec.Code != http.StatusNotFound {
			t.Errorf("position after %q moves: %d", moves, rec.Code)
		}
	}

	// The shard is gone, another is damaged, a third leads outside.
	if err := os.Remove(filepath.Join(shards, name)); err != nil {
		t.Fatal(err)
	}
	if rec := get(h, "/api/run/game?"+query); rec.Code != http.StatusNotFound || !strings.Contains(rec.Body.String(), "was replaced") {
		t.Errorf("a game that is gone: %d %s", rec.Code, rec.Body)
	}
	write(t, shards, other, "PAR1 and no more")
	if err := os.Symlink("../../../outside/events.jsonl", filepath.Join(shards, record.FileName(1, 9))); err != nil {
		t.Fatal(err)
	}
	_, _, h = watcher(t, dir)
	g = fetch[Games](t, h, "/api/run/games?name=night")
	if len(g.Games) != 2 || g.Generation != 0 || g.Games[0].Generation != 0 || len(g.Unreadable) != 2 || strings.Contains(strings.Join(g.Unreadable, " "), secret) {
		t.Errorf("with damaged files: %+v", g)
	}
}

// TestManyLookAtGames: stepping through a game reads no shard again, however many
// others are looked at.
func TestManyLookAtGames(t *testing.T) {
	dir := folder(t)
	shards := filepath.Join(dir, "night", "shards")
	var queries, files []string
	for i := range keptShards + 2 {
		name := writeShard(t, shards, "tictactoe", "standard", 1, int64(i), int64(i), 1)
		files = append(files, filepath.Join(shards, name))
		queries = append(queries, "name=night&"+url.Values{"shard": {name}, "game": {fmt.Sprint(i)}}.Encode())
	}
	_, _, h := watcher(t, dir)
	for _, q := range queries {
		fetch[Played](t, h, "/api/run/game?"+q)
	}
	for _, file := range files { // who reads them again finds nothing
		info, err := os.Stat(file)
		if err == nil {
			err = os.WriteFile(file, make([]byte, info.Size()), 0o666)
		}
		if err == nil {
			err = os.Chtimes(file, time.Time{}, info.ModTime())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		for _, q := range queries {
			fetch[Position](t, h, "/api/run/position?moves=1&"+q)
		}
	}
}

// TestNothingOutsideIsReached by names, links and hidden parts.
func TestNothingOutsideIsReached(t *testing.T) {
	dir := folder(t)
	_, _, h := watcher(t, dir)
	absolute := filepath.Join(filepath.Dir(dir), "outside")
	for _, name := range []string{
		"", "..", "../outside", "out", "inside/../../outside", "night/../../outside", absolute, "/", ".hidden", "a/b/c/d", "night/", "night/.", "./night", "night\\", "night\x00",
		strings.Repeat("a/", 600) + "a", "nothing",
	} {
		for _, api := range []string{"run", "run/now", "run/games", "run/game", "run/position"} {
			if rec := get(h, "/api/"+api+"?"+url.Values{"name": {name}}.Encode()); rec.Code != http.StatusNotFound || strings.Contains(rec.Body.String(), secret) {
				t.Errorf("%s of %q: %d %s", api, name, rec.Code, rec.Body)
			}
		}
	}
	for _, path := range []string{
		"linked.html", "out/report.html", "../outside/report.html", filepath.Join(absolute, "report.html"), ".hidden/report.html", "night/events.jsonl", "night", "", ".",
		"night/../../outside/report.html", "night/lock", "nothing.html",
	} {
		if rec := get(h, "/report?"+url.Values{"path": {path}}.Encode()); rec.Code != http.StatusNotFound || strings.Contains(rec.Body.String(), secret) {
			t.Errorf("report %q: %d %s", path, rec.Code, rec.Body)
		}
	}
	for _, name := range []string{"leads", "steps"} {
		for _, api := range []string{"run", "run/now", "run/games"} {
			if rec := get(h, "/api/"+api+"?name="+name); strings.Contains(rec.Body.String(), secret) {
				t.Errorf("%s of %s: %s", api, name, rec.Body)
			}
		}
	}
}

// TestReportsAreInACage: no script and no address, whatever is in them.
func TestReportsAreInACage(t *testing.T) {
	_, _, h := watcher(t, folder(t))
	rec := get(h, "/report?path=night%2Freport.html")
	policy := rec.Header().Get("Content-Security-Policy")
	if rec.Code != http.StatusOK || !strings.Contains(rec.Body.String(), "<h1>night</h1>") || rec.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("%d %s %s", rec.Code, rec.Header(), rec.Body)
	}
	for _, want := range []string{"default-src 'none'", "sandbox"} {
		if !strings.Contains(policy, want) || strings.Contains(policy, "allow-scripts") || strings.Contains(policy, "script-src") {
			t.Errorf("policy %q", policy)
		}
	}
}

func TestPagesAndTags(t *testing.T) {
	_, _, h := watcher(t, folder(t))
	for path, want := range map[string]string{"/runs": "runs.js", "/run?name=night": "run.js", "/games.css": ".lz-board"} {
		if rec := get(h, path); rec.Code != http.StatusOK || !strings.Contains(rec.Body.String(), want) {
			t.Errorf("%s: %d without %s", path, rec.Code, want)
		}
	}
	rec := get(h, "/api/run?name=night")
	tag := rec.Header().Get("Etag")
	if again := get(h, "/api/run?name=night", "If-None-Match", tag); tag == "" || again.Code != http.StatusNotModified || again.Body.Len() > 0 {
		t.Errorf("tag %q: %d, %d bytes", tag, again.Code, again.Body.Len())
	}
	if rec := httptest.NewRecorder(); true {
		h.ServeHTTP(rec, httptest.NewRequest("POST", "/api/runs", nil))
		if rec.Code != http.StatusMethodNotAllowed {
			t.Errorf("POST: %d", rec.Code)
		}
	}
}

// TestMetrics has Prometheus' own rules for names, and looks at figures.
func TestMetrics(t *testing.T) {
	dir := folder(t)
	w, r, h := watcher(t, dir)
	r.fail["day"] = errors.New("damaged")
	problems, err := testutil.CollectAndLint(w.Collector())
	if err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
	text := get(h, "/metrics").Body.String()
	for _, want := range []string{
		"# TYPE ludozero_run_games_total counter", `ludozero_run_games_total{run="night"} 8`, `ludozero_run_generation{run="night"} 1`,
		`ludozero_run_loss{head="policy",run="night"} 1.5`, `ludozero_run_positions_per_second{run="night"} 50`, `ludozero_run_samples_per_second{run="night"} 900`,
		`ludozero_run_learned_seconds_total{run="night"} 3`, `ludozero_run_core_seconds_total{run="night"} 5`, `ludozero_run_readable{run="some/day"} 0`,
		`ludozero_run_health_warning{code="games-identical",run="night",severity="alarm"} 1`, `ludozero_run_health_warnings{run="night",severity="alarm"} 1`,
		`ludozero_run_running{run="night"} 0`, "go_goroutines ", "process_cpu_seconds_total ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, regexp.MustCompile(`(?m)^[^l].*\n`).ReplaceAllString(text, ""))
		}
	}
	for _, none := range []string{`ludozero_run_loss{head="reply"`, "ludozero_run_elo", `ludozero_run_generation{run="some/day"}`} {
		if strings.Contains(text, none) {
			t.Errorf("there is %s", none)
		}
	}
}

// TestMachinesThatPlay: the page and Prometheus show who plays, until the trainer says
// nothing any more.
func TestMachinesThatPlay(t *testing.T) {
	dir := folder(t)
	run := filepath.Join(dir, "night")
	lock := flock.New(filepath.Join(run, "lock"))
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	live := rundir.Live{Time: at, Generation: 1, Games: 3, GamesWant: 8, Playing: true, Cluster: rundir.ClusterEvent{
		Workers: []rundir.WorkerEvent{
			{Name: "mars", Cores: 4, PositionsPerSecond: 30, Leases: 2}, {Name: "mars", Cores: 2, PositionsPerSecond: 12, Leases: 1, SilentSeconds: 40}, {Name: "\xffpluto", SilentSeconds: 90},
		},
		Leases: 3, HeldBack: 5, WaitsFor: rundir.WaitsForGame, Faults: rundir.ClusterFaults{Refused: 3},
	}}
	if err := rundir.WriteLive(run, &live); err != nil {
		t.Fatal(err)
	}
	figures := []string{
		`workers{run="night",state="here"} 2`, `workers{run="night",state="gone"} 1`, `leases{run="night"} 3`, `games_held_back{run="night"} 5`,
		`waits{for="game",run="night"} 1`, `worker_positions_per_second{run="night",worker="mars"} 42`, `worker_leases{run="night",worker="mars"} 3`,
		`worker_silent_seconds{run="night",worker="mars"} 40`, `cluster_faults{kind="refused",run="night"} 3`,
	}
	look := func(later time.Duration) (*Cluster, string) {
		w, _, h := watcher(t, dir)
		w.now = func() time.Time { return at.Add(later) }
		if problems, err := testutil.CollectAndLint(w.Collector()); err != nil || len(problems) > 0 {
			t.Errorf("%v %v", problems, err)
		}
		return fetch[Now](t, h, "/api/run/now?name=night").Cluster, get(h, "/metrics").Body.String()
	}
	c, text := look(time.Second)
	if c == nil || !c.Holds || len(c.Workers) != 3 || !strings.HasPrefix(c.Text, "3 of 8 games of generation 1; 2 workers on 6 cores (") {
		t.Errorf("the page shows %+v", c)
	}
	for _, want := range append(figures, `cluster_age_seconds{run="night"} 1`) {
		if !strings.Contains(text, "ludozero_run_"+want) {
			t.Errorf("no %s in\n%s", want, regexp.MustCompile(`(?m)^[^l].*\n`).ReplaceAllString(text, ""))
		}
	}
	old := func(want string) {
		t.Helper()
		c, text := look(time.Minute)
		if c == nil || c.Holds || !strings.Contains(c.Text, want) {
			t.Errorf("the page shows %+v, want %q", c, want)
		}
		if !strings.Contains(text, `ludozero_run_cluster_age_seconds{run="night"} 60`) || strings.Contains(text, "ludozero_run_worker") {
			t.Error("old figures are given for those of now")
		}
	}
	old("The trainer has said nothing for 0:01:00, though its process is there")
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	old("The trainer was killed: its last word is 0:01:00 old")
	if err := rundir.ForgetLive(run); err != nil {
		t.Fatal(err)
	}
	if c, text := look(time.Minute); c != nil || strings.Contains(text, "ludozero_run_cluster") {
		t.Errorf("nobody plays: the page shows %+v", c)
	}
	write(t, run, rundir.LiveFile, "{")
	_, _, h := watcher(t, dir)
	if n := fetch[Now](t, h, "/api/run/now?name=night"); n.Cluster != nil || !strings.Contains(n.Problem, rundir.LiveFile) || len(n.Log) == 0 {
		t.Errorf("of a damaged file: %+v", n)
	}
}

// TestNamesThatAreNoText: a folder may be called anything, and its runs. Prometheus has
// no words for that and would end the program.
func TestNamesThatAreNoText(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "n\xffight")
	if err := os.MkdirAll(filepath.Join(dir, "r\xffun", "checkpoints"), 0o777); err != nil {
		t.Skipf("this system: %v", err)
	}
	write(t, dir, "b\\ack.html", "")
	write(t, dir, "good/events.jsonl", "")
	_, _, h := watcher(t, dir)
	write(t, dir, "r\xffun/events.jsonl", "")
	write(t, dir, "r\xffun/report.html", "the report")
	o := fetch[Overview](t, h, "/api/runs")
	if len(o.Runs) != 2 || o.Runs[0].Name != "good" || o.Runs[1].Name != `r\xffun` || len(o.Reports) != 1 || o.Reports[0].Path != `r\xffun/report.html` {
		t.Fatalf("%+v", o)
	}
	if v := fetch[View](t, h, "/api/run?"+url.Values{"name": {o.Runs[1].Name}}.Encode()); v.Name != `r\xffun` {
		t.Errorf("%+v", v)
	}
	if text := get(h, "/report?"+url.Values{"path": {o.Reports[0].Path}}.Encode()).Body.String(); text != "the report" {
		t.Errorf("the report is %q", text)
	}
	for _, name := range []string{`r\x2fun`, `r\xFFun`, `\xc3\xa9`, `..\x2f`, "r\\un"} {
		if code := get(h, "/api/run?"+url.Values{"name": {name}}.Encode()).Code; code != 404 {
			t.Errorf("%s: %d", name, code)
		}
	}
	if text := get(h, "/metrics").Body.String(); !strings.Contains(text, `ludozero_run_readable{run="good"} 1`) {
		t.Error(text)
	}
	_, _, h = watcher(t, filepath.Join(dir, "r\xffun"))
	if text := get(h, "/metrics").Body.String(); !strings.Contains(text, `ludozero_run_readable{run="r?un"} 1`) {
		t.Error(text)
	}
}

// FuzzRequests asks for anything: nothing from outside comes back, no request ends
// in a failure of the server, and none in a panic.
func FuzzRequests(f *testing.F) {
	dir := folder(f)
	name := writeShard(f, filepath.Join(dir, "night", "shards"), "tictactoe", "standard", 0, 0, 0, 2)
	_, _, h := watcher(f, dir)
	for _, seed := range [][5]string{
		{"night", name, "1", "2", "night/report.html"}, {"..", "../../x", "-1", "99999999999999999999", "../outside/report.html"},
		{"leads", "", "", "", "out/report.html"}, {"steps", "gen000000-000000000.parquet", "0", "1e3", "linked.html"}, {"a/b/c", "%00", "0x1", "+1", "\x00.html"},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3], seed[4])
	}
	f.Fuzz(func(t *testing.T, run, shard, game, moves, path string) {
		q := url.Values{"name": {run}, "shard": {shard}, "game": {game}, "moves": {moves}, "path": {path}}.Encode()
		for _, api := range []string{"/api/run", "/api/run/now", "/api/run/games", "/api/run/game", "/api/run/position", "/report", "/runs", "/run"} {
			rec := get(h, api+"?"+q)
			if rec.Code >= 500 || strings.Contains(rec.Body.String(), secret) {
				t.Errorf("%s?%s: %d %s", api, q, rec.Code, rec.Body)
			}
		}
	})
}

// FuzzNames: a name from a disk comes back from the pages, and one that may be asked for
// is how its file is shown.
func FuzzNames(f *testing.F) {
	for _, name := range []string{"night", "r\xffun", "é\xc3", "\uFFFD", `r\xffun`, `r\x2fun`, "\\"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if !strings.Contains(name, "\\") && onDisk(shown(name)) != name {
			t.Errorf("%q is shown as %q, which is %q", name, shown(name), onDisk(shown(name)))
		}
		if disk := onDisk(name); mayName(name) && (shown(disk) != name || strings.Contains(disk, "\\") || strings.Contains("/"+disk, "/.") && name != ".") {
			t.Errorf("%q may be asked for: %q", name, disk)
		}
	})
}
