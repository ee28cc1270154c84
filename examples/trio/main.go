// Command trio is ludozero with a game of its own: every command knows trio beside
// the built-in games.
//
//	GOFLAGS=-mod=mod go run . play --game trio --against mcts:sims=200
package main

import (
	"os"

	"github.com/ludozero/ludozero/cli"
)

func main() { os.Exit(cli.Main(cli.Games(cli.Game{Family: &Family, Guide: &about}))) }
