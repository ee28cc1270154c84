// Package invariants says whether checks of preconditions in hot code are
// compiled in: build with -tags invariants. Enabled is a constant, so that
// without the tag the checks cost nothing.
package invariants
