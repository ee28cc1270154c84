// Command ratings makes the table from which a shipped network chooses its settings for
// a rating:
//
//	go run ./scripts/ratings FOLDER NAME
//
// FOLDER is the folder of a finished tournament between settings of the shipped network
// NAME (net:NAME,sims=N, perhaps with temperature and precision) and other players, one
// of them the anchor. The command writes model/zoo/NAME.ratings.json; rebuild the binary
// to include it.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player"
)

func main() {
	dir := flag.String("into", filepath.Join("model", "zoo"), "folder of the shipped networks")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: ratings [-into DIR] FOLDER NAME")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	if err := write(*dir, flag.Arg(0), flag.Arg(1)); err != nil {
		fmt.Fprintln(os.Stderr, "ratings:", err)
		os.Exit(1)
	}
}

func write(dir, folder, name string) error {
	weights, err := os.ReadFile(filepath.Join(dir, name+".safetensors"))
	if err != nil {
		return err
	}
	var standing match.Standing
	if err := read(filepath.Join(folder, "result.json"), &standing); err != nil {
		return err
	}
	var series struct {
		Players []asked `json:"players"`
	}
	if err := read(filepath.Join(folder, "series.json"), &series); err != nil {
		return err
	}
	r, err := table(&standing, series.Players, name, zoo.Digest(weights))
	if err != nil {
		return fmt.Errorf("%s: %w", folder, err)
	}
	return atomicfile.Write(filepath.Join(dir, name+zoo.RatingsExtension), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(r)
	})
}

func read(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// asked is a player of series.json.
type asked struct {
	Name     string `json:"name"`
	Identity string `json:"identity"`
}

// table extracts the levels of the network called name, whose weights have the given
// digest, and the other players from a tournament.
func table(s *match.Standing, players []asked, name, digest string) (*player.Ratings, error) {
	switch {
	case s.Ratings == nil || s.Gauntlet || s.Pairs < s.PlannedInAll:
		return nil, errors.New("want a round robin that was played to its end")
	case s.Ratings.Anchor == "":
		return nil, errors.New("its ratings have no anchor: show it again with --anchor random")
	case s.Clock != "" || len(s.Efforts) > 0:
		return nil, errors.New("players were limited by time: want simulations")
	}
	r := &player.Ratings{
		Weights: digest, Game: s.Game, Rules: s.Rules, Anchor: s.Ratings.Anchor, AnchorElo: s.Ratings.AnchorElo,
		Games: 2 * s.Pairs, Command: command(s),
	}
	for i := range s.Ratings.Players {
		p := &s.Ratings.Players[i]
		rated := player.RatedPlayer{Player: p.Name, Elo: tenth(p.Elo.Value), Low: tenth(p.Elo.Low), High: tenth(p.Elo.High), Games: p.Games}
		word, options, _ := strings.Cut(p.Name, ",")
		if word, _, _ = strings.Cut(word, "@"); word != "net:"+name {
			r.Others = append(r.Others, rated)
			continue
		}
		k := slices.IndexFunc(players, func(a asked) bool { return a.Name == p.Name })
		if k < 0 || players[k].Identity != "weights "+digest {
			return nil, fmt.Errorf("%s played with other weights than the shipped ones, %s", p.Name, digest)
		}
		strength, err := settings(options)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		r.Levels = append(r.Levels, player.Level{Strength: strength, RatedPlayer: rated})
	}
	slices.SortStableFunc(r.Levels, func(a, b player.Level) int {
		if a.Simulations != b.Simulations {
			return a.Simulations - b.Simulations
		}
		return int(b.Temperature*1000) - int(a.Temperature*1000)
	})
	return r, r.Validate()
}

func settings(options string) (player.Strength, error) {
	var s player.Strength
	for _, word := range strings.Split(options, ",") {
		key, value, _ := strings.Cut(word, "=")
		var err error
		switch key {
		case "sims":
			s.Simulations, err = strconv.Atoi(value)
		case "temperature":
			s.Temperature, err = strconv.ParseFloat(value, 64)
		case "precision":
		default:
			err = errors.New("want sims, temperature and precision alone")
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

// command is the command line that repeats the tournament.
func command(s *match.Standing) string {
	words := []string{"ludozero tournament --game", s.Game, "--rules", s.Rules}
	for i := range s.Ratings.Players {
		words = append(words, s.Ratings.Players[i].Name)
	}
	words = append(words, "--pairs", strconv.Itoa(s.PlannedPairs), "--seed", strconv.FormatUint(s.Seed, 10),
		"--openings", s.Openings, "--max-turns", strconv.Itoa(s.MaxTurns), "--anchor", s.Ratings.Anchor)
	return strings.Join(words, " ")
}

func tenth(x float64) float64 { return math.Round(10*x) / 10 }
