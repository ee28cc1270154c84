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
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
)

// parcelMagic opens every parcel, whose parts are
//
//	magic, [4] length of the head, big-endian, head as JSON, the games
//
// Games of self-play are transcripts of record, one after the other; those of a series are
// lines of JSON.
const parcelMagic = "ludozero parcel\n"

// parcelVersion changes when a parcel means something else than before.
const parcelVersion = 2

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
	// Bytes is the length of its transcript, 0 if it has no row or is of a series.
	Bytes int `json:"bytes,omitempty"`
}

// end is above the last game.
func (h *parcelHead) end() int64 { return h.Games[len(h.Games)-1].Number + 1 }

// packGames makes the parcel of at least one game of self-play, which it puts in order of
// number. It rounds the rows' values as shards do.
func packGames(head parcelHead, games []*selfplay.Finished) (*Parcel, error) {
	slices.SortFunc(games, func(a, b *selfplay.Finished) int { return int(a.Number - b.Number) })
	head.Games = nil
	var body []byte
	for _, f := range games {
		at := len(body)
		body = appendGame(body, f)
		head.Games = append(head.Games, parcelGame{f.Number, f.Rules, f.Turns, f.Outcome.Winner, f.Outcome.Reason, len(body) - at})
	}
	return seal(head, body)
}

// appendGame appends the transcript of a game, nothing if it has no row.
func appendGame(dst []byte, f *selfplay.Finished) []byte {
	if len(f.Rows) == 0 {
		return dst
	}
	for i := range f.Rows {
		f.Rows[i].Round()
	}
	return record.AppendTranscript(dst, f.Rows)
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

// open reads the head of a parcel with that digest and returns what follows it.
func (p *Parcel) open(digest string, data []byte) (body []byte, err error) {
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

// transcripts divides what follows the head of a parcel of self-play into that of each game.
func (p *Parcel) transcripts(body []byte) ([][]byte, error) {
	var list [][]byte
	for _, g := range p.Games {
		if g.Bytes < 0 || g.Bytes > len(body) {
			return nil, fmt.Errorf("game %d has %d bytes, where %d are left", g.Number, g.Bytes, len(body))
		}
		list = append(list, body[:g.Bytes])
		body = body[g.Bytes:]
	}
	if len(body) > 0 {
		return nil, fmt.Errorf("%d bytes follow its last game", len(body))
	}
	return list, nil
}
