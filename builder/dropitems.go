package builder

import (
	"context"
	"strings"

	"github.com/clipspan/clipspan"
)

// dropItems fits a JSON text into the limit. The size in bytes that measures it is
// searched for.
func (c cut) dropItems(ctx context.Context, d *draft, r ruler, limit int64) (list []replacement, told, ok bool, err error) {
	whole, ok := wholeJSON(d.text)
	if !ok {
		return nil, false, false, nil
	}
	notice := func(lost, total int, unit string, from, to int) string {
		g := gap{draft: d, unit: unit, lost: int64(lost), total: int64(total)}
		g.from, g.to = d.baseRange(from, to)
		return c.marker.fill(g)
	}
	if r.unit() == clipspan.CapBytes {
		list, told = fitJSON(d.text, whole, clamp(limit, len(d.text)), notice)
		return list, told, true, nil
	}
	fitting := -1 // the size in bytes that list was made for
	guess := clamp(limit, len(d.text)/bytesPerToken) * bytesPerToken
	_, err = search(len(d.text), guess, limit, func(size int) (int, int64, error) {
		tried, says := fitJSON(d.text, whole, size, notice)
		n, err := r.measure(ctx, replaced(d.text, tried))
		if err == nil && n <= limit && size > fitting {
			list, told, fitting = tried, says, size
		}
		return size, n, err
	})
	if fitting < 0 {
		list, told = []replacement{{0, len(d.text), ""}}, false
	}
	return list, told, true, err
}

// replaced is a text after its replacements.
func replaced(text string, list []replacement) string {
	var b strings.Builder
	at := 0
	for _, r := range list {
		b.WriteString(text[at:r.from])
		b.WriteString(r.text)
		at = r.to
	}
	b.WriteString(text[at:])
	return b.String()
}
