package clipspantest_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/clipspantest"
)

// t stands for the *testing.T of a test, so that the examples below can show what
// a failing test prints.
var t testing.TB = printingT{}

type printingT struct{ testing.TB }

func (printingT) Helper()                           {}
func (printingT) Cleanup(func())                    {}
func (printingT) Context() context.Context          { return context.Background() }
func (printingT) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }
func (printingT) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// readFile is the tool under test.
var readFile = clipspan.ToolFunc("read_file", func(context.Context, string) (string, error) {
	return strings.Repeat("image: registry/billing\n", 40) + "port: 8443\n", nil
})

// capped is the prompt builder under test: at most 120 bytes of a text, cut
// between two runes, and parts as they are.
var capped = clipspan.BuilderFunc("cap-v3", func(_ context.Context, o clipspan.Observation) (clipspan.Injection, error) {
	if len(o.Parts) > 0 || len(o.Text) <= 120 {
		return clipspan.Injection{Text: o.Text, Parts: o.Parts, Reason: clipspan.ReasonNone}, nil
	}
	return clipspan.Injection{
		Text:   clipspan.Preview(o.Text, 120),
		Reason: clipspan.ReasonToolResultCharLimit,
		Cap:    clipspan.Cap{Unit: clipspan.CapBytes, Value: 120},
	}, nil
})

// forgetful is the same without saying so.
var forgetful = clipspan.BuilderFunc("cap-v4", func(ctx context.Context, o clipspan.Observation) (clipspan.Injection, error) {
	in, err := capped.Build(ctx, o)
	in.Reason = clipspan.ReasonNone
	return in, err
})

func TestTheBuilderOfTheExamplesTellsTheTruth(t *testing.T) {
	clipspantest.RunBuilder(t, capped, nil)
}

func ExampleNew() {
	em, rec := clipspantest.New(t)
	if _, err := em.Wrap(readFile, capped).Call(t.Context(), `{"path":"production.yaml"}`); err != nil {
		t.Fatalf("reading the file: %v", err)
	}

	clipspantest.AssertClip(t, rec.Span(t, "read_file"), clipspan.VerdictClipped, clipspan.Span{
		ClipReason:    clipspan.ReasonToolResultCharLimit,
		ObservedBytes: clipspan.Known(971),
		InjectedBytes: clipspan.Known(120),
	})
	clipspantest.AssertTrusted(t, rec.Records())
	// Output:
}

// A Recorder is a sink like any other: its zero value goes wherever the program
// under test takes one.
func ExampleRecorder() {
	var rec clipspantest.Recorder
	em := clipspan.NewEmitter(&rec, nil)
	ctx := clipspan.ContextWithCall(t.Context(), clipspan.Call{ID: "call-1"})
	_, _ = em.Wrap(readFile, capped).Call(ctx, "{}")

	for _, span := range rec.Spans() {
		fmt.Println(span.Name, span.ObservedBytes, span.InjectedBytes, span.ClipReason)
	}
	fmt.Println(rec.Span(t, "call-1").PromptBuilderVersion)
	// Output:
	// read_file 971 120 tool_result_char_limit
	// cap-v3
}

func ExampleAssertClip() {
	em, rec := clipspantest.New(t)
	_, _ = em.Wrap(readFile, forgetful).Call(t.Context(), "{}")

	clipspantest.AssertClip(t, rec.Span(t, "read_file"), clipspan.VerdictClipped, clipspan.Span{
		ClipReason:    clipspan.ReasonToolResultCharLimit,
		InjectedBytes: clipspan.Known(120),
	})
	// Output:
	// span id-1 of read_file: verdict is silent_clip ratio=0.88, want clipped; clip_reason is "none", want "tool_result_char_limit"
	// 	injected: 120 bytes, 30 tokens, beginning with "image: registry/billing\nimage: registry/billing\nimage: registry/billing\nimage: registry/billing\nimage: registry/billing\n"
	// 	observed: 971 bytes, of which 120 are kept
	// 	reason: none, by prompt builder "cap-v4"
}

func ExampleAssertTrusted() {
	em, rec := clipspantest.New(t, clipspan.WithPreview(24))
	_, _ = em.Wrap(readFile, capped).Call(t.Context(), "{}")
	_, _ = em.Wrap(readFile, forgetful).Call(t.Context(), "{}")

	clipspantest.AssertTrusted(t, rec.Records())
	// Output:
	// the run is not trustworthy: silent_clip
	// span id-2 of read_file: silent_clip ratio=0.88
	// 	injected: 120 bytes, 30 tokens, beginning with "image: registry/billing\n"
	// 	observed: 971 bytes, of which 120 are kept
	// 	reason: none, by prompt builder "cap-v4"
}

// Two runs compare equal once they are normalized, and so does a run with a
// golden file.
func ExampleNormalize() {
	run := func() string {
		var rec clipspantest.Recorder
		em := clipspan.NewEmitter(&rec, nil)
		_, _ = em.Wrap(readFile, capped).Call(clipspan.ContextWithCall(t.Context(), clipspan.Call{ID: "call_8Fz1"}), "{}")
		return string(clipspantest.JSONL(clipspantest.Normalize(rec.Records()...)...))
	}
	first, second := run(), run()
	fmt.Println(first == second)
	// Output: true
}

func ExampleRunSink() {
	_ = func(t *testing.T) { // func TestMySink(t *testing.T)
		clipspantest.RunSink(t, func(t testing.TB) clipspantest.SinkTest {
			var buf bytes.Buffer
			return clipspantest.SinkTest{
				Sink:    clipspan.NewJSONLSink(&buf),
				Records: func() []clipspan.Record { return clipspantest.Read(t, bytes.NewReader(buf.Bytes())) },
			}
		})
	}
}

func ExampleRunBuilder() {
	_ = func(t *testing.T) { // func TestMyBuilder(t *testing.T)
		clipspantest.RunBuilder(t, capped, nil)
	}
}
