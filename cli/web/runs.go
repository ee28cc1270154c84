package web

import (
	"fmt"
	"os"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/report"
	"github.com/ludozero/ludozero/report/trained"
	webwatch "github.com/ludozero/ludozero/web/watch"
)

// webRuns opens the runs that the pages show; dir is one, or a folder of them.
func webRuns(env *shell.Env, dir string) (*webwatch.Watcher, error) {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s: want a folder", dir)
	}
	if err != nil {
		return nil, shell.Usagef("--run: %w", err)
	}
	return webwatch.New(webwatch.Config{Dir: dir, Games: env.Families, Read: func(dir string) (*report.Input, error) { return trained.ReportInput(env.Families, dir) }})
}
