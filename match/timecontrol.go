package match

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// TimeControl is the time that each player has for a game, after Fischer: a
// stock, and an increment for every finished turn. The zero value is no clock.
type TimeControl struct {
	Base, Increment time.Duration
}

// The bounds of a TimeControl. Less than a millisecond is below what operating
// systems schedule by; the greatest keep any game within days.
const (
	leastBase     = time.Millisecond
	mostBase      = 24 * time.Hour
	mostIncrement = time.Hour
)

// ParseTimeControl reads minutes+seconds as they are written for chess and in the
// book of Kon'reh: "10+5" is ten minutes and five seconds a turn. Both may have
// decimals: "0.05+0.1" is three seconds and a tenth of a second a turn. An empty
// text is no clock.
func ParseTimeControl(text string) (TimeControl, error) {
	if text == "" {
		return TimeControl{}, nil
	}
	minutes, seconds, plus := strings.Cut(text, "+")
	base, baseOK := decimal(minutes, time.Minute)
	increment, incrementOK := decimal(seconds, time.Second)
	c := TimeControl{Base: base, Increment: increment}
	switch {
	case !plus || !baseOK || !incrementOK:
		return TimeControl{}, fmt.Errorf("clock=%q: want MINUTES+SECONDS, such as 5+3 or 0.5+0.1", text)
	case base < leastBase || base > mostBase:
		return TimeControl{}, fmt.Errorf("clock=%q: want %v to %v a game", text, leastBase, mostBase)
	case increment > mostIncrement:
		return TimeControl{}, fmt.Errorf("clock=%q: want at most %v a turn", text, mostIncrement)
	}
	return c, nil
}

// decimal is text, digits with at most one point among them, in units.
func decimal(text string, unit time.Duration) (time.Duration, bool) {
	if text == "" || strings.Trim(text, "0123456789.") != "" {
		return 0, false
	}
	// Longer numbers are out of every bound, and might not fit a Duration.
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x > 1e6 {
		return mostBase + 1, err == nil
	}
	return time.Duration(x*float64(unit) + 0.5), true
}

// On reports whether there is a clock.
func (c TimeControl) On() bool { return c.Base > 0 }

// String is what ParseTimeControl reads.
func (c TimeControl) String() string {
	if !c.On() {
		return ""
	}
	number := func(d, unit time.Duration) string {
		return strconv.FormatFloat(float64(d)/float64(unit), 'f', -1, 64)
	}
	return number(c.Base, time.Minute) + "+" + number(c.Increment, time.Second)
}
