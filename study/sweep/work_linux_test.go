package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/ludozero/ludozero/train/rundir"
)

// asTrain makes the test binary a process that uses a core as `ludozero train` does:
// it writes a checkpoint, computes until it has done what it was to, or is stopped,
// and writes another one.
const asTrain = "TEST_BE_TRAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asTrain) != "" {
		os.Exit(beTrain(os.Args[1:]))
	}
	os.Exit(m.Run())
}

func beTrain(args []string) int {
	stop, done := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer done()
	dir := args[slices.Index(args, "--run")+1]
	set := func(key string) string {
		for _, word := range args {
			if value, ok := strings.CutPrefix(word, key+"="); ok {
				return value
			}
		}
		return ""
	}
	before := time.Duration(0) // as far as earlier processes have noted it
	if list, _ := rundir.Generations(dir); len(list) > 0 {
		s, err := rundir.ReadState(dir, list[len(list)-1])
		if err != nil {
			panic(err)
		}
		before = *s.CoreTime
	}
	learned := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			panic(err)
		}
		return before + time.Duration(u.Utime.Nano()+u.Stime.Nano())
	}
	checkpoint := func(generation int) {
		used := learned()
		s := rundir.State{Version: 2, Generation: generation, CoreTime: &used}
		if generation > 0 {
			s.Metrics = &rundir.Metrics{Generation: int32(generation)}
		}
		b, err := json.Marshal(s)
		if err == nil {
			err = errors.Join(os.MkdirAll(rundir.CheckpointDir(dir, generation), 0o777), os.WriteFile(filepath.Join(rundir.CheckpointDir(dir, generation), "state.json"), b, 0o666))
		}
		if err != nil {
			panic(err)
		}
	}
	status, _ := os.ReadFile("/proc/self/status")
	bound := ""
	for line := range strings.Lines(string(status)) {
		if s, ok := strings.CutPrefix(line, "Cpus_allowed_list:"); ok {
			bound = strings.TrimSpace(s)
		}
	}
	fmt.Println("cores", bound, "GOMAXPROCS", os.Getenv("GOMAXPROCS"), strings.Join(args, " "))
	if slices.Contains(args, "broken=true") {
		fmt.Println("this cannot work")
		return 1
	}
	if before == 0 {
		checkpoint(0)
	}
	if set("generations") == "3" {
		checkpoint(3)
		return 0
	}
	limit, err := time.ParseDuration(set("core_budget"))
	if err != nil {
		panic(err)
	}
	for learned() < limit {
		if stop.Err() != nil {
			checkpoint(1)
			return 1
		}
	}
	checkpoint(1)
	return 0
}

func opened(t *testing.T, dir string, p Plan) *Sweep {
	t.Helper()
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(dir, p, func() error { return nil }, func(dir string) error {
		return os.WriteFile(filepath.Join(dir, PlanFile), nil, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func options(report func(Event)) Options {
	return Options{Program: os.Args[0], Env: append(os.Environ(), asTrain+"=1"), Report: report}
}

// checkEnded wants all runs to have had their core time and not much more, by what
// they noted.
func checkEnded(t *testing.T, s *Sweep) {
	t.Helper()
	for i := range s.Runs {
		r := &s.Runs[i]
		p := s.Of(r)
		if limit := s.Plan.CoreTime; !p.Ended || p.CoreTime < limit || p.CoreTime > limit+time.Second {
			t.Errorf("run %s: %+v, want it ended after %v", r.Name, p, limit)
		}
		if p.Generation != 1 {
			t.Errorf("run %s has come to generation %d, want 1", r.Name, p.Generation)
		}
	}
}

func TestRunsEndWithTheirCoreTime(t *testing.T) {
	p := halving()
	p.Seeds, p.CoreTime, p.SideBySide = 2, 150*time.Millisecond, 1
	s := opened(t, t.TempDir(), p)
	defer s.Close()
	var began []string
	if err := s.Work(t.Context(), options(func(e Event) {
		if e.Kind == Began {
			began = append(began, e.Run.Name)
		}
	})); err != nil {
		t.Fatal(err)
	}
	checkEnded(t, s)
	var want []string
	for _, i := range p.order() {
		want = append(want, s.Runs[i].Name)
	}
	if !slices.Equal(began, want) {
		t.Errorf("runs began in the order %v, want %v", began, want)
	}
	r := &s.Runs[3]
	log, err := os.ReadFile(s.log(r))
	if err != nil {
		t.Fatal(err)
	}
	said := fmt.Sprintf("GOMAXPROCS 1 train --config %s --run %s --no-rating --set seed=8 --set workers=1 --set budget=0s --set core_budget=150ms --set generations=0 --set self_play.search.search=gumbel\n",
		filepath.Join(s.dir, BaseFile), s.Folder(r))
	if !strings.HasSuffix(string(log), said) { // before it are the cores, all of them
		t.Errorf("the process was called as\n%swant\n%s", log, said)
	}
	// A finished sweep starts nothing.
	if err := s.Work(t.Context(), Options{Program: "/nonexistent"}); err != nil {
		t.Error(err)
	}
}

// TestStoppedSweepGoesOn: the time that was used counts, in another process, too.
func TestStoppedSweepGoesOn(t *testing.T) {
	p := halving()
	p.Seeds, p.CoreTime, p.SideBySide = 2, time.Second, 2
	dir := t.TempDir()
	s := opened(t, dir, p)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	interrupted := map[string]time.Duration{}
	var begun atomic.Int32
	err := s.Work(ctx, options(func(e Event) {
		switch e.Kind {
		case Began:
			folder := s.Folder(e.Run)
			go func() {
				for list, _ := rundir.Generations(folder); len(list) == 0 && ctx.Err() == nil; list, _ = rundir.Generations(folder) {
					time.Sleep(time.Millisecond)
				}
				if begun.Add(1) == 2 { // both that go on side by side
					time.AfterFunc(100*time.Millisecond, cancel)
				}
			}()
		case Interrupted:
			interrupted[e.Run.Name] = e.CoreTime
		}
	}))
	if !errors.Is(err, context.Canceled) || len(interrupted) == 0 {
		t.Fatalf("%v, %d runs were interrupted", err, len(interrupted))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s = opened(t, dir, p)
	defer s.Close()
	for name, used := range interrupted {
		if got := s.progress[name].CoreTime; got != used || got == 0 {
			t.Errorf("run %s has used %v, the file says %v", name, used, got)
		}
	}
	if err := s.Work(t.Context(), options(nil)); err != nil {
		t.Fatal(err)
	}
	checkEnded(t, s)
	for i := range s.Runs {
		want := 1
		if _, ok := interrupted[s.Runs[i].Name]; ok {
			want = 2
		}
		if got := s.Of(&s.Runs[i]).Processes; got != want {
			t.Errorf("run %s had %d processes, want %d", s.Runs[i].Name, got, want)
		}
	}
}

// TestFailedRunLeavesTheOthersAlone, whose sweep ends by generations.
func TestFailedRunLeavesTheOthersAlone(t *testing.T) {
	p := halving()
	p.CoreTime, p.Generations, p.Seeds = 0, 3, 2
	p.Arms[1] = Arm{Name: "bad", Set: []string{"broken=true"}}
	s := opened(t, t.TempDir(), p)
	defer s.Close()
	err := s.Work(t.Context(), options(nil))
	for _, want := range []string{"run bad-7: exit status 1; ", "bad-7.log ends with: \"this cannot work\"", "run bad-8: "} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want it to say %q", err, want)
		}
	}
	for i := range s.Runs {
		r := &s.Runs[i]
		if p := s.Of(r); p.Ended != (r.Arm == "base") {
			t.Errorf("run %s: %+v", r.Name, p)
		}
	}
	if _, err := s.Result("tictactoe", "standard", nil); err == nil || !strings.Contains(err.Error(), "has not ended") && !strings.Contains(err.Error(), "base-7") {
		t.Errorf("result of an unfinished sweep: %v", err)
	}
}

// TestRunsSideBySideHaveCoresOfTheirOwn where there are enough.
func TestRunsSideBySideHaveCoresOfTheirOwn(t *testing.T) {
	cores := allowedCores()
	p := halving()
	p.Generations, p.CoreTime, p.Seeds = 3, 0, 2
	p.SideBySide = len(cores)
	s := opened(t, t.TempDir(), p)
	defer s.Close()
	if n, pinned := s.SideBySide(); n != len(cores) || pinned != (n > 1) {
		t.Errorf("%d side by side, bound %t, want %d", n, pinned, len(cores))
	}
	if err := s.Work(t.Context(), options(nil)); err != nil {
		t.Fatal(err)
	}
	for i := range s.Runs {
		log, err := os.ReadFile(s.log(&s.Runs[i]))
		if err != nil {
			t.Fatal(err)
		}
		var core int
		if n, _ := fmt.Sscanf(string(log), "cores %d GOMAXPROCS 1 train", &core); n != 1 || !slices.Contains(cores, core) {
			t.Errorf("run %s: %s, want it bound to one of %v", s.Runs[i].Name, log, cores)
		}
	}
	s.Plan.SideBySide++
	if _, pinned := s.SideBySide(); pinned {
		t.Error("more runs than cores are bound to cores")
	}
	s.Plan.SideBySide, s.Plan.CoresEach = 0, len(cores)
	if n, pinned := s.SideBySide(); n != 1 || pinned {
		t.Errorf("%d runs of all cores are side by side, bound %t, want one bound to none", n, pinned)
	}
	// A container may have a small part of the time on many cores, which is what
	// GOMAXPROCS is by default.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if s.Plan.CoresEach = 1; len(cores) > 1 {
		if n, _ := s.SideBySide(); n != 1 {
			t.Errorf("%d runs are side by side in the time of one core", n)
		}
	}
}

func TestFoldersThatAreRefused(t *testing.T) {
	dir := t.TempDir()
	p := halving()
	s := opened(t, dir, p)
	fails := func(dir, want string, check error) {
		t.Helper()
		_, err := Open(dir, p, func() error { return check }, func(string) error { return errors.New("written") })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	fails(dir, "another process is working on it", nil)
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	fails(dir, "sweep "+dir+": other plan", errors.New("other plan"))
	path := filepath.Join(dir, ProgressFile)
	if err := os.WriteFile(path, []byte(`{"version": 9}`), 0o666); err != nil {
		t.Fatal(err)
	}
	fails(dir, "progress.json: version 9: this program reads version 1", nil)
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "diary.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	fails(other, "it holds diary.txt and no plan.yaml", nil)
	fails(t.TempDir(), "written", nil)
}
