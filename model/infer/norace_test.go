//go:build !race

package infer

// raceDetector: the tests run under the race detector.
const raceDetector = false
