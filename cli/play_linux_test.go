package cli

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/internal/pty"
)

// TestPlayAtATerminal is asked at the beginning of a line, sees colours, and
// leaves by the end of input that a terminal knows.
func TestPlayAtATerminal(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	master, tty := pty.Open(t, 100)
	ended := make(chan error, 1)
	go func() {
		ended <- execute(t.Context(), []string{"play", "--game", "connect4", "--first", "you", "--second", "you"}, tty, tty, io.Discard)
	}()
	said := ""
	listen := func(want string) {
		t.Helper()
		watch := time.AfterFunc(30*time.Second, func() { tty.Close() })
		defer watch.Stop()
		b := make([]byte, 4096)
		for !strings.Contains(said, want) {
			n, err := master.Read(b)
			if said += string(b[:n]); err != nil {
				t.Fatalf("%v after %q, want %q", err, said, want)
			}
		}
		_, said, _ = strings.Cut(said, want)
	}
	typed := func(keys string) {
		t.Helper()
		if _, err := io.WriteString(master, keys); err != nil {
			t.Fatal(err)
		}
	}
	listen("\r\nx> ")
	typed("4\n")
	listen("\x1b[31mx\x1b[0m")
	listen("\r\no> ")
	typed("resign\n")
	listen("`quit` leaves.")
	listen("\r\nover> ")
	typed("undo\n")
	listen("\r\no> ")
	typed("\x04") // Ctrl-D
	listen("The game is not over.")
	listen("--moves 4\r\n")
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
