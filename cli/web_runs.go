package cli

import (
	"fmt"
	"os"

	webwatch "github.com/ludozero/ludozero/web/watch"
)

// webRuns opens the runs that the pages show; dir is one, or a folder of them.
func webRuns(dir string) (*webwatch.Watcher, error) {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s: want a folder", dir)
	}
	if err != nil {
		return nil, usageError{fmt.Errorf("--run: %w", err)}
	}
	return webwatch.New(webwatch.Config{Dir: dir, Games: opener.Families(), Read: readReportInput})
}
