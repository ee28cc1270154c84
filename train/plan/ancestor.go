package plan

import (
	"crypto/sha256"
	"encoding/hex"
)

// Ancestor is a run that another goes on from, with those of its shards that the
// window of the other begins with.
type Ancestor struct {
	// Dir is the folder with copies of the shards, Run and ConfigHash are what
	// they say of themselves.
	Dir, Run, ConfigHash string
	// Offset is what is added to a generation of the ancestor to have it in the
	// count of the run that goes on from it, whose generation 0 is the ancestor's
	// network: at most 0.
	Offset int32
	// Shards are in the order in which they were seen: that of their names.
	Shards []AncestorShard
}

// AncestorShard identifies a shard.
type AncestorShard struct {
	Name   string `json:"name"`
	Rows   int    `json:"rows"`
	SHA256 string `json:"sha256"` // of the whole file, hexadecimal
}

// SHA256 is the checksum of data as AncestorShard has it.
func SHA256(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
