package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/train/rundir"
)

// Names of the files in the folder of a sweep.
const (
	PlanFile     = "plan.yaml"
	BaseFile     = "base.yaml"
	ProgressFile = "progress.json"
	RowsFile     = "runs.csv"
)

// progressVersion changes when ProgressFile means something else than before.
const progressVersion = 1

// Progress is how far a run is.
type Progress struct {
	// CoreTime is the processor time that it has learned for, 0 if that is unknown.
	CoreTime time.Duration `json:"core_time_ns"`
	// Processes is how many worked on it: one more than it was interrupted.
	Processes int `json:"processes"`
	// Ended is set once it has had its time or its generations, Generation is its
	// newest checkpoint then: what is measured, whatever becomes of the run.
	Ended      bool `json:"ended"`
	Generation int  `json:"generation"`
	// Scores are shares of decisions that keep what positions are worth, by the
	// number of simulations, as far as they were measured.
	Scores map[int]Score `json:"scores,omitempty"`
}

// Score counts the positions of a set whose value was kept.
type Score struct {
	Kept      int    `json:"kept"`
	Positions int    `json:"positions"`
	Set       string `json:"set"`
}

// Sweep is an open folder, locked against other processes. Not safe for concurrent
// use.
type Sweep struct {
	Plan Plan
	Runs []Run // as Plan.All lists them

	dir      string
	progress map[string]*Progress // by name
	unlock   func() error
}

// Open begins or resumes the sweep in folder dir. check is asked, under the
// folder's lock, whether what the folder was begun with is what is to be done, and
// keeps in PlanFile what is to be done besides; write writes PlanFile and BaseFile of a
// new folder. plan must be valid. The caller closes what it is given.
func Open(dir string, plan Plan, check func() error, write func(dir string) error) (*Sweep, error) {
	s := &Sweep{Plan: plan, Runs: plan.All(), dir: dir, progress: map[string]*Progress{}}
	if err := s.open(check, write); err != nil {
		return nil, errors.Join(fmt.Errorf("sweep %s: %w", dir, err), s.Close())
	}
	return s, nil
}

func (s *Sweep) open(check func() error, write func(dir string) error) error {
	known, err := begun(s.dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return err
	}
	if s.unlock, err = rundir.Lock(s.dir); err != nil {
		return err
	}
	if !known { // another process may have begun it since
		if known, err = begun(s.dir); err != nil {
			return err
		}
	}
	if known {
		err = check()
	} else {
		err = write(s.dir)
	}
	if err != nil {
		return err
	}
	if _, err := atomicfile.Clean(s.dir); err != nil {
		return err
	}
	return s.readProgress()
}

// begun tells whether dir is the folder of a sweep. It refuses one that holds files
// of others; a process that was killed before it had written PlanFile leaves no more
// than a lock and BaseFile.
func begun(dir string) (bool, error) {
	if _, err := os.Stat(filepath.Join(dir, PlanFile)); err == nil {
		return true, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return false, atomicfile.Vacant(dir, PlanFile, "a sweep", rundir.LockFile, BaseFile)
}

// Close lets go of the folder.
func (s *Sweep) Close() error {
	if s.unlock == nil {
		return nil
	}
	return s.unlock()
}

// Folder is where a run is kept.
func (s *Sweep) Folder(r *Run) string { return filepath.Join(s.dir, r.Name) }

// Weights is the file of the network that a run which has ended came to.
func (s *Sweep) Weights(r *Run) string { return rundir.WeightsPath(s.Folder(r), s.Of(r).Generation) }

// log is where the processes of a run say what they do.
func (s *Sweep) log(r *Run) string { return s.Folder(r) + ".log" }

// Of is how far a run is.
func (s *Sweep) Of(r *Run) *Progress {
	p := s.progress[r.Name]
	if p == nil {
		p = &Progress{Scores: map[int]Score{}}
		s.progress[r.Name] = p
	}
	return p
}

// progressJSON is the whole of ProgressFile.
type progressJSON struct {
	Version int                  `json:"version"`
	Runs    map[string]*Progress `json:"runs"`
}

func (s *Sweep) readProgress() error {
	path := filepath.Join(s.dir, ProgressFile)
	b, err := input.Read(path, input.Small)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var j progressJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return fmt.Errorf("%s: %w", ProgressFile, err)
	}
	if j.Version != progressVersion {
		return fmt.Errorf("%s: version %d: this program reads version %d", ProgressFile, j.Version, progressVersion)
	}
	for name, p := range j.Runs {
		if p.Scores == nil {
			p.Scores = map[int]Score{}
		}
		s.progress[name] = p
	}
	return nil
}

// Save writes how far the runs are.
func (s *Sweep) Save() error {
	b, err := json.MarshalIndent(progressJSON{progressVersion, s.progress}, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(filepath.Join(s.dir, ProgressFile), append(b, '\n'))
}
