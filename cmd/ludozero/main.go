// Command ludozero trains bots for abstract board games by self-play and
// answers questions about the games and their rules.
package main

import (
	"os"

	"github.com/ludozero/ludozero/cli"
)

func main() { os.Exit(cli.Main()) }
