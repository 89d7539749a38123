package builder

import (
	"context"
	"fmt"

	"github.com/clipspan/clipspan"
)

// MaxLines caps the text in lines, and for long ones in bytes: cuts fall between
// lines, unless one line alone has more bytes than that. The reason is
// [clipspan.ReasonToolResultCharLimit].
func MaxLines(n, bytes int64, options ...CutOption) Stage {
	return &maxLines{
		lines: newCap("max_lines", fixed(n), lineRuler{}, clipspan.ReasonToolResultCharLimit, options),
		bytes: newCap("max_bytes", fixed(bytes), byteRuler{}, clipspan.ReasonToolResultCharLimit, append([]CutOption{OnLines()}, options...)),
	}
}

type maxLines struct{ lines, bytes *Cap }

func (m *maxLines) String() string {
	return fmt.Sprintf("max_lines(%s, %s bytes, %s)", m.lines.limit, m.bytes.limit, m.lines.cut)
}

func (m *maxLines) phase() phase { return cutting }

func (m *maxLines) apply(ctx context.Context, d *draft) (fired bool, err error) {
	return settle(ctx, d, []Stage{m.lines, m.bytes})
}
