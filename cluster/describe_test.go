package cluster

import (
	"strings"
	"testing"
	"time"
)

// TestDescriptionNamesWhatIsWaitedFor, and tells workers of the same name apart.
func TestDescriptionNamesWhatIsWaitedFor(t *testing.T) {
	c := newCoordinator(0)
	c.audit, c.draw = 1, func() float64 { return 0 }
	c.begin(Task{Run: "r"}, 0, 0, 1)
	if got := c.describe(0).Waits; got != "a worker" {
		t.Errorf("nobody is there: waits for %q", got)
	}
	long := strings.Repeat("é", 100)
	report := func(id, name string, wants int) *Reply {
		return c.report(time.Second, &Report{Worker: id, Name: name, Run: "r", Wants: wants})
	}
	l := report("aaaaaa", long, 1).Leases[0]
	short := strings.Repeat("é", longestName)
	if got := c.describe(time.Second).Waits; got != "game 0 of "+short {
		t.Errorf("it is played: waits for %q", got)
	}
	c.arrive(&Parcel{Digest: "p", parcelHead: parcelHead{Task: l.Task, Worker: "aaaaaa", Games: []parcelGame{{Number: 0}}}}, []*result{{number: 0}}, nil, func() {})
	c.report(time.Second, &Report{Worker: "aaaaaa", Name: long, Run: "r", Holds: []Hold{{l, 1}}})
	if got := c.describe(time.Second).Waits; !strings.Contains(got, "a second worker to check game 0") {
		t.Errorf("it is to be checked: waits for %q", got)
	}
	report("bbbbbb", long, 0)
	if w := c.describe(time.Second).Workers; w[0].Name != short+"#aaaa" || w[1].Name != short+"#bbbb" {
		t.Errorf("two of one name are called %q and %q", w[0].Name, w[1].Name)
	}
}
