package watch

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ludozero/ludozero/internal/input"
)

// places lists the runs and reports in the folder.
type places struct {
	// Runs are folders, by name; "." is the folder itself.
	Runs    []string
	Reports []Report
	// More tells that the folder has more than is listed.
	More bool
}

// Report is the file of a finished report.
type Report struct {
	Path  string    `json:"path"`
	Bytes int64     `json:"bytes"`
	Time  time.Time `json:"time"`
}

// look finds runs and reports in the folder.
func (w *Watcher) look() (*places, error) {
	p := &places{}
	left := maxEntries
	if err := w.lookIn(p, ".", 0, &left); err != nil {
		return nil, err
	}
	p.More = p.More || left <= 0
	slices.Sort(p.Runs)
	slices.SortFunc(p.Reports, func(a, b Report) int { return strings.Compare(a.Path, b.Path) })
	return p, nil
}

// lookIn lists a folder at a depth. It does not follow links to folders: they may
// lead in circles, and os.Root refuses those that lead out.
func (w *Watcher) lookIn(p *places, dir string, depth int, left *int) error {
	f, err := w.root.Open(onDisk(dir))
	if err != nil {
		return err
	}
	entries, err := f.ReadDir(max(1, *left))
	f.Close()
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	*left -= len(entries)
	isRun := w.isRun(dir)
	if isRun {
		if len(p.Runs) == maxRuns {
			p.More = true
			return nil
		}
		p.Runs = append(p.Runs, dir)
	}
	for _, e := range entries {
		name := path.Join(dir, shown(e.Name()))
		switch {
		case strings.Contains(e.Name(), "\\") || !mayName(name):
		case e.Type().IsRegular() && isReport(e.Name()):
			info, err := e.Info()
			if err != nil {
				continue // it was replaced or removed
			}
			if len(p.Reports) == maxReports {
				p.More = true
				continue
			}
			p.Reports = append(p.Reports, Report{name, info.Size(), info.ModTime().UTC()})
		case e.IsDir() && !isRun && depth < maxDepth && *left > 0:
			_ = w.lookIn(p, name, depth+1, left) // it was removed, or may not be read
		}
	}
	return nil
}

func isReport(name string) bool { return strings.HasSuffix(name, ".html") }

// isRun reports whether a folder is a run, even a damaged one.
func (w *Watcher) isRun(dir string) bool {
	for _, name := range []string{"events.jsonl", "pack.json"} {
		if info, err := w.root.Lstat(onDisk(path.Join(dir, name))); err == nil && !info.IsDir() {
			return true
		}
	}
	info, err := w.root.Lstat(onDisk(path.Join(dir, "checkpoints")))
	return err == nil && info.IsDir()
}

// errNoRun refuses a name that is no run.
var errNoRun = errors.New("there is no such run here")

// runNamed checks a name from a request.
func (w *Watcher) runNamed(name string) error {
	if !mayName(name) || strings.Count(name, "/") >= maxDepth || !w.isRun(name) {
		return errNoRun
	}
	return nil
}

// shown is the name of a file for pages and requests: bytes that are no UTF-8 are written
// as \xff. Names with backslashes of their own are not listed.
func shown(name string) string {
	var b strings.Builder
	for i, r := range name {
		if size := utf8.RuneLen(r); r == utf8.RuneError && !strings.HasPrefix(name[i:], string(r)) {
			fmt.Fprintf(&b, `\x%02x`, name[i])
		} else {
			b.WriteString(name[i : i+size])
		}
	}
	return b.String()
}

var escapedByte = regexp.MustCompile(`\\x[89a-f][0-9a-f]`)

// onDisk is the path that shown has written.
func onDisk(name string) string {
	return escapedByte.ReplaceAllStringFunc(name, func(s string) string {
		b, _ := hex.DecodeString(s[2:]) // two digits
		return string(b)
	})
}

// mayName reports whether a path, as shown writes it, may be asked for: it must not lead up
// and have no hidden part.
func mayName(name string) bool {
	if disk := onDisk(name); !fs.ValidPath(name) || len(name) > 1000 || strings.ContainsAny(disk, "\\\x00") || shown(disk) != name {
		return false
	}
	if name == "." {
		return true
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") {
			return false
		}
	}
	return true
}

// regular describes a regular file of at most limit bytes.
func (w *Watcher) regular(name string, limit int64) (fs.FileInfo, error) {
	info, err := w.root.Stat(onDisk(name))
	if err != nil {
		return nil, err
	}
	return info, input.Check(name, info, limit)
}

// runFiles are the files of a run that are read, with their limits in bytes.
var runFiles = []struct {
	name  string
	limit int64
}{
	{"config.yaml", maxConfigBytes}, {"events.jsonl", maxFileBytes}, {"metrics.parquet", maxFileBytes}, {"ratings.jsonl", maxFileBytes},
	{"rating.json", maxFileBytes}, {"origin.json", maxFileBytes}, {"pack.json", maxFileBytes}, {"lock", maxConfigBytes},
}

// checkRun checks every file of a run before it is read: each must be a regular file
// in the folder and within its limit; whether one may be missing is up to the reader.
// It returns a text that changes with the files, except those that also change
// within a generation.
func (w *Watcher) checkRun(dir string) (sign string, err error) {
	var b strings.Builder
	for _, f := range runFiles {
		info, err := w.regular(path.Join(dir, f.name), f.limit)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return "", err
		case f.name != "events.jsonl" && f.name != "lock":
			fmt.Fprintf(&b, "%s %d %d\n", f.name, info.Size(), info.ModTime().UnixNano())
		}
	}
	if _, err := w.regular(path.Join(dir, "report.html"), maxReportBytes); err == nil {
		b.WriteString("report.html\n") // it may come last of all
	}
	names, err := w.names(path.Join(dir, "checkpoints"))
	if err != nil {
		return "", err
	}
	for _, checkpoint := range names {
		b.WriteString(checkpoint + "\n")
		files, err := w.names(path.Join(dir, "checkpoints", checkpoint))
		if err != nil {
			return "", err
		}
		for _, f := range files {
			_, err := w.regular(path.Join(dir, "checkpoints", checkpoint, f), maxFileBytes)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
		}
	}
	return b.String(), nil
}

// names lists a folder in order; a missing one has no entries.
func (w *Watcher) names(dir string) ([]string, error) {
	info, err := w.root.Stat(onDisk(dir))
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f, err := w.root.Open(onDisk(dir))
	if errors.Is(err, fs.ErrNotExist) { // removed meanwhile
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := f.Readdirnames(maxNames)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	slices.Sort(list)
	return list, nil
}
