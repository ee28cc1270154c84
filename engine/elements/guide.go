package elements

import (
	_ "embed"
	"sync"

	"github.com/ludozero/ludozero/engine/guide"
)

var (
	//go:embed guide/rules.md
	rulesPage string
	//go:embed guide/guide.json
	guideData []byte
)

// Guide is the guide of Elements. Callers must not change it.
var Guide = sync.OnceValue(func() *guide.Guide { return guide.Must(rulesPage, guideData) })
