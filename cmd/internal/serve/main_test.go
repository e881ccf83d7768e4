package serve

import (
	"os"
	"testing"

	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
)

// TestMain ends the browser of all tests.
func TestMain(m *testing.M) {
	os.Exit(browser.Main(m))
}
