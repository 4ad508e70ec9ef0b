//go:build race

package serve

// raced says that the race detector is on, under which everything takes ten
// times as long and limits of time mean nothing.
const raced = true
