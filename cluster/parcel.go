package cluster

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/strictjson"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
)

// parcelMagic opens every parcel, whose parts are
//
//	magic, [4] length of the head, big-endian, head as JSON, the games
//
// Games of self-play are a shard of record, which is missing if none has a row; those of a
// series are lines of JSON.
const parcelMagic = "ludozero parcel\n"

// parcelVersion changes when a parcel means something else than before.
const parcelVersion = 1

// ErrDamaged says that the bytes of a parcel are not those that its sender named.
var ErrDamaged = errors.New("damaged parcel")

// Parcel is some finished games of one lease, as they travel and as they wait on a
// worker's disk.
type Parcel struct {
	// Digest is the SHA-256 of Data, in hexadecimal, and the parcel's name.
	Digest string
	Data   []byte
	parcelHead
}

// parcelHead is what a parcel says of its games besides their rows.
type parcelHead struct {
	Version int `json:"version"`
	Task
	Fence  uint64 `json:"fence"`
	Worker string `json:"worker"`
	// Evaluations and Hits are the worker's since its parcel before, for rates alone.
	Evaluations int64        `json:"evaluations"`
	Hits        int64        `json:"hits"`
	Games       []parcelGame `json:"games"`
}

// parcelGame is what selfplay.Finished says besides the rows.
type parcelGame struct {
	Number int64         `json:"number"`
	Rules  string        `json:"rules"`
	Turns  int           `json:"turns"`
	Winner engine.Player `json:"winner"`
	Reason string        `json:"reason"`
}

// end is above the last game.
func (h *parcelHead) end() int64 { return h.Games[len(h.Games)-1].Number + 1 }

// coder makes parcels and reads them. Tests whose clock is not the machine's have a
// library with channels of its own work outside of it.
type coder interface {
	pack(*engine.Info, parcelHead, []*selfplay.Finished) (*Parcel, error)
	unpack(info *engine.Info, digest string, data []byte) (*Parcel, []*selfplay.Finished, error)
}

// shards is the coder of all but tests.
type shards struct{}

// pack makes the parcel of at least one game, which it puts in order of number. It rounds
// the rows' values as shards do.
func (shards) pack(info *engine.Info, head parcelHead, games []*selfplay.Finished) (*Parcel, error) {
	slices.SortFunc(games, func(a, b *selfplay.Finished) int { return int(a.Number - b.Number) })
	head.Games = nil
	var rows []record.Row
	for _, f := range games {
		head.Games = append(head.Games, parcelGame{f.Number, f.Rules, f.Turns, f.Outcome.Winner, f.Outcome.Reason})
		rows = append(rows, f.Rows...)
	}
	var shard []byte
	if len(rows) > 0 {
		var err error
		if shard, _, err = record.Marshal(info, record.Head{
			Run: head.Run, Generation: int32(head.Generation), ConfigHash: head.Config, Kernel: kernel.Arithmetic(),
		}, rows); err != nil {
			return nil, err
		}
	}
	return seal(head, shard)
}

// seal makes a parcel of its head and what follows that.
func seal(head parcelHead, body []byte) (*Parcel, error) {
	head.Version = parcelVersion
	text, err := json.Marshal(&head)
	if err != nil {
		return nil, err
	}
	data := append([]byte(parcelMagic), binary.BigEndian.AppendUint32(nil, uint32(len(text)))...)
	data = append(append(data, text...), body...)
	return &Parcel{Digest: plan.SHA256(data), Data: data, parcelHead: head}, nil
}

// open reads the head of a parcel with that digest and returns the bytes of its shard.
func (p *Parcel) open(digest string, data []byte) (shard []byte, err error) {
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != digest {
		return nil, fmt.Errorf("%w: its checksum is %.16x, want %.16s", ErrDamaged, sum, digest)
	}
	p.Digest, p.Data = digest, data
	rest, ok := bytes.CutPrefix(data, []byte(parcelMagic))
	if !ok || len(rest) < 4 {
		return nil, errors.New("it does not begin as a parcel does")
	}
	n := int64(binary.BigEndian.Uint32(rest))
	if rest = rest[4:]; n > int64(len(rest)) {
		return nil, fmt.Errorf("its head of %d bytes is longer than what follows, %d", n, len(rest))
	}
	if err := strictjson.DecodeVersion(rest[:n], parcelVersion, &p.parcelHead); err != nil {
		return nil, fmt.Errorf("head: %w", err)
	}
	if len(p.Games) == 0 {
		return nil, errors.New("it has no game")
	}
	for i := 1; i < len(p.Games); i++ {
		if p.Games[i].Number <= p.Games[i-1].Number {
			return nil, fmt.Errorf("game %d follows game %d", p.Games[i].Number, p.Games[i-1].Number)
		}
	}
	return rest[n:], nil
}

// unpack reads a parcel with its games. Whether they are possible is for the judge.
func (shards) unpack(info *engine.Info, digest string, data []byte) (*Parcel, []*selfplay.Finished, error) {
	p := &Parcel{}
	bytes, err := p.open(digest, data)
	if err != nil {
		return p, nil, err
	}
	byNumber := map[int64]*selfplay.Finished{}
	var games []*selfplay.Finished
	for _, g := range p.Games {
		f := &selfplay.Finished{
			Number: g.Number, Generation: p.Network, Rules: g.Rules, Turns: g.Turns,
			Outcome: engine.Outcome{Over: true, Winner: g.Winner, Reason: g.Reason},
		}
		games = append(games, f)
		byNumber[g.Number] = f
	}
	if len(bytes) == 0 {
		return p, games, nil
	}
	shard, err := record.Parse("parcel "+digest, bytes, info)
	if err != nil {
		return p, nil, err
	}
	if m := &shard.Meta; m.Run != p.Run || int(m.Generation) != p.Generation || m.ConfigHash != p.Config {
		return p, nil, fmt.Errorf("its shard is of run %q, generation %d, configuration %s: the head says %q, %d, %s",
			m.Run, m.Generation, m.ConfigHash, p.Run, p.Generation, p.Config)
	}
	rows, err := shard.Rows()
	if err != nil {
		return p, nil, err
	}
	for _, game := range record.Games(rows) {
		f := byNumber[game[0].GameNumber]
		if f == nil {
			return p, nil, fmt.Errorf("its rows are of game %d, which the head does not have", game[0].GameNumber)
		}
		f.Rows = game
	}
	return p, games, nil
}
