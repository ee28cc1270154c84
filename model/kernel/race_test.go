//go:build race

package kernel

// raceDetector: the tests run under the race detector.
const raceDetector = true
