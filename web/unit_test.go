package web_test

import (
	"os"
	"os/exec"
	"testing"
)

// The parts of the page that need no browser have their tests in TypeScript.
func TestUnits(t *testing.T) {
	if _, err := os.Stat("node_modules"); err != nil {
		t.Skip("the page's packages are not installed: npm ci in web/")
	}
	out, err := exec.Command("node", "unit.mjs").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
