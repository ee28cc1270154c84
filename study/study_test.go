package study_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/study"
	"github.com/ludozero/ludozero/study/balance"
	"github.com/ludozero/ludozero/study/heuristics"
	"github.com/ludozero/ludozero/study/schools"
)

// TestReportsFollowFromResults: what the published results say in text, page and tables
// is what this program makes of their JSON.
func TestReportsFollowFromResults(t *testing.T) {
	type result interface {
		study.Result
		CSV() []sheet.CSV
	}
	for name, r := range map[string]result{"balance": &balance.Result{}, "schools": &schools.Result{}, "heuristics": &heuristics.Result{}} {
		dir := filepath.Join("../docs/reports", name)
		data, err := os.ReadFile(filepath.Join(dir, name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, r); err != nil {
			t.Fatal(err)
		}
		same := func(file string, got []byte) {
			want, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s/%s differs from its result: %v", name, file, err)
			}
		}
		var text, page, again bytes.Buffer
		if err := r.Report().WriteText(&text); err != nil {
			t.Fatal(err)
		}
		if err := r.Report().WriteHTML(&page); err != nil {
			t.Fatal(err)
		}
		e := json.NewEncoder(&again)
		e.SetIndent("", "  ")
		if err := e.Encode(r); err != nil {
			t.Fatal(err)
		}
		same("report.txt", text.Bytes())
		same("report.html", page.Bytes())
		same(name+".json", again.Bytes())
		for _, table := range r.CSV() {
			var b bytes.Buffer
			if err := table.Write(&b); err != nil {
				t.Fatal(err)
			}
			same(table.Name, b.Bytes())
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for want, o := range map[string]study.Options{
		"--workers -1: want 0 or more": {Workers: -1}, "--core-time -1ns: want more than 0": {CoreTime: -1}, "--core-time: want --out": {CoreTime: 1},
	} {
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
