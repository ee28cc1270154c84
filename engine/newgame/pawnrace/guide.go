package pawnrace

import (
	"embed"

	"github.com/ludozero/ludozero/engine/guide"
)

//go:embed guide
var guideFiles embed.FS

// Guide teaches the game: its page of rules, lessons and opponents. Callers must not
// change it.
var Guide = guide.In(guideFiles)
