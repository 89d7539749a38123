package builder_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/builder"
	"github.com/clipspan/clipspan/clipspantest"
)

var png = clipspan.Part{MediaType: "image/png", Data: bytes.Repeat([]byte("\x89PNG\r\n\x1a\n\x00\xff\xfe\xfd"), 14396/12+1)[:14396]}

func TestPartsThatAreNoTextAreReplacedByALine(t *testing.T) {
	text := clipspan.Part{MediaType: "text/plain", Text: "two results"}
	for _, c := range []struct {
		name    string
		part    clipspan.Part
		options []builder.BinaryOption
		want    clipspan.Part
		omitted bool
	}{
		{
			"an image (field case F40)", png, nil,
			clipspan.Part{MediaType: "text/plain", Text: "[image/png, 14396 bytes, sha256 " + sha256Start(png.Data) + ", left out]"},
			true,
		},
		{"an image for a model that sees", png, []builder.BinaryOption{builder.KeepImages()}, png, false},
		{
			"a sound for one that sees",
			clipspan.Part{MediaType: "audio/wav", Data: []byte("RIFF\xff")},
			[]builder.BinaryOption{builder.KeepImages()},
			clipspan.Part{MediaType: "text/plain", Text: "[audio/wav, 5 bytes, sha256 " + sha256Start([]byte("RIFF\xff")) + ", left out]"},
			true,
		},
		{
			"bytes that are text by their type (field case F39)",
			clipspan.Part{MediaType: "text/plain", Data: []byte("hello")},
			nil,
			clipspan.Part{MediaType: "text/plain", Text: "hello"},
			false,
		},
		{
			"a type with a parameter",
			clipspan.Part{MediaType: "Application/LD+JSON; charset=utf-8", Data: []byte("{}")},
			nil,
			clipspan.Part{MediaType: "Application/LD+JSON; charset=utf-8", Text: "{}"},
			false,
		},
		{
			"bytes that are said to be text and are not",
			clipspan.Part{MediaType: "text/plain", Data: []byte("\xff\xfe")},
			nil,
			clipspan.Part{MediaType: "text/plain", Text: "[text/plain, 2 bytes, sha256 " + sha256Start([]byte("\xff\xfe")) + ", left out]"},
			true,
		},
		{
			"bytes without a type",
			clipspan.Part{Data: []byte("hello")},
			nil,
			clipspan.Part{MediaType: "text/plain", Text: "[unknown type, 5 bytes, sha256 " + sha256Start([]byte("hello")) + ", left out]"},
			true,
		},
		{"a text of any type", clipspan.Part{MediaType: "image/svg+xml", Text: "<svg/>"}, nil, clipspan.Part{MediaType: "image/svg+xml", Text: "<svg/>"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := clipspan.Observation{Parts: []clipspan.Part{text, c.part, text}}
			in := buildOf(t, o, builder.OmitBinary(c.options...))
			require.Equal(t, []clipspan.Part{text, c.want, text}, in.Parts)

			s := span(t, o, builder.OmitBinary(c.options...))
			want := clipspan.VerdictOK
			if c.omitted {
				want = clipspan.VerdictClipped
				assert.Equal(t, clipspan.ReasonBinaryOmitted, s.ClipReason)
				assert.Equal(t, clipspan.Known(int64(2*len(text.Text))), s.KeptBytes)
				assert.Equal(t, clipspan.NoticeGiven, s.Notice)
			}
			got := clipspan.Classify(s)
			assert.Equal(t, want, got.Verdict, got.Detail)
			assert.Equal(t, clipspan.Known(3), s.PartsObserved)
			assert.Equal(t, clipspan.Known(3), s.PartsInjected)
		})
	}
}

func TestAMegabyteOfBytesIsOneLine(t *testing.T) { // field case F42
	in := buildOf(t, clipspan.Observation{Parts: []clipspan.Part{{MediaType: "application/zip", Data: make([]byte, 1<<20)}}}, builder.OmitBinary())
	assert.Less(t, len(in.Parts[0].Text), 100)
}

func TestAHostileMediaTypeStaysOnItsLine(t *testing.T) {
	part := clipspan.Part{MediaType: "x/y\n\x1b[31m" + strings.Repeat("z", 1<<16), Data: []byte{0}}
	in := buildOf(t, clipspan.Observation{Parts: []clipspan.Part{part}}, builder.OmitBinary())
	line := in.Parts[0].Text
	assert.NotContains(t, line, "\n")
	assert.NotContains(t, line, "\x1b")
	assert.Less(t, len(line), 400)
	assert.Contains(t, line, "1 bytes")
}

func TestTextBesideStructuredContentReachesTheModel(t *testing.T) { // field case F38
	s := span(t, clipspan.Observation{Parts: []clipspan.Part{
		{MediaType: "text/plain", Text: strings.Repeat("t", 400)},
		{MediaType: "application/json", Data: []byte(`{"rows": [1, 2, 3]}`)},
	}}, builder.OmitBinary(), builder.MaxBytes(1000))
	assert.Equal(t, clipspan.Known(2), s.PartsObserved)
	assert.Equal(t, clipspan.Known(2), s.PartsInjected)
	assert.Equal(t, s.ObservedBytes, s.InjectedBytes)
	assert.Equal(t, clipspan.VerdictOK, clipspan.Classify(s).Verdict)
}

func TestOmitBinaryTellsTheTruth(t *testing.T) {
	own := clipspan.Observation{Parts: []clipspan.Part{png, {MediaType: "application/json", Data: []byte("[1]")}, {Text: "x"}}}
	clipspantest.RunBuilder(t, builder.Chain("v1", builder.OmitBinary(), builder.MaxBytes(100)), nil, own)
	clipspantest.RunBuilder(t, builder.Chain("v1", builder.OmitBinary(builder.KeepImages())), nil, own)
}

// sha256Start is the beginning of a hash as a placeholder has it.
func sha256Start(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
