package clipspan

import (
	"testing"

	"go.uber.org/goleak"
)

// No test leaves a goroutine behind: an idle emitter or sink has none.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
