package elements

import (
	"embed"

	"github.com/ludozero/ludozero/engine/guide"
)

//go:embed guide
var guideFiles embed.FS

// Guide is the guide of Elements. Callers must not change it.
var Guide = guide.In(guideFiles)
