//go:build !race

package modules

const raced = false
