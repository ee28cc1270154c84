package trained

import (
	"testing"
	"time"
)

// TestCoreBudgetIsListed beside what was spent of it.
func TestCoreBudgetIsListed(t *testing.T) {
	cores := 90 * time.Minute
	r := Run{CoreTime: &cores}
	r.Config.CoreBudget = 2 * time.Hour
	if got := r.coreHours(); got != "1.50/2.00" {
		t.Errorf("core-hours %q, want 1.50/2.00", got)
	}
}
