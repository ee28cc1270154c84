package konreh

import (
	"testing"

	"github.com/ludozero/ludozero/engine/enginetest"
)

func TestConformance(t *testing.T) {
	enginetest.Run(t, &Family,
		"standard", "letter", "table", "tutor", "basic-cf", "basic-mobilization", "micro", "blitz", "lightning")
}

func TestConformanceOfOptions(t *testing.T) {
	enginetest.Run(t, &Family,
		"standard,balance=single,buyback=true,max_turns=200",
		"standard,balance=pie-double,buyback=true,seed_limit=2",
		"table,balance=double-pie,cross_exclusion=1,green_cap=12,buyback=true",
		"letter,reforge_turns=15,no_progress=0,max_turns=600",
		"standard,cross_stay=0,no_capture_turns=10",
		"standard,target_zoc_exempt=false,cross_stay=1,mobilization=false",
		"micro,balance=pie,no_progress=40",
	)
}
