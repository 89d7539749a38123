package clipspan_test

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/clipspan/clipspan"
)

// printSink shows the fields that the examples are about.
var printSink = clipspan.SinkFunc(func(_ context.Context, r clipspan.Record) error {
	if s, ok := r.(*clipspan.Span); ok {
		f := clipspan.Classify(s)
		fmt.Println(s.Name, s.Status, "observed", s.ObservedBytes, "injected", s.InjectedBytes, f.Verdict, f.Detail)
	}
	return nil
})

func ExampleEmitter_Wrap() {
	ctx := context.Background()
	run := clipspan.NewEmitter(printSink, countBytes{})
	readFile := clipspan.ToolFunc("read_file", func(context.Context, string) (string, error) {
		return strings.Repeat("key: value\n", 100) + "port: 8443\n", nil
	})
	capBytes := clipspan.BuilderFunc("cap-v3", func(_ context.Context, o clipspan.Observation) (clipspan.Injection, error) {
		return clipspan.Injection{Text: o.Text[:220], Reason: clipspan.ReasonToolResultCharLimit}, nil
	})

	text, err := run.Wrap(readFile, capBytes).Call(ctx, `{"path":"production.yaml"}`)
	fmt.Println(len(text), err)
	// Output:
	// read_file ok observed 1111 injected 220 clipped [tool_result_char_limit ratio=0.80]
	// 220 <nil>
}

func ExampleEmitter_Record() {
	run := clipspan.NewEmitter(printSink, countBytes{})
	result := strings.Repeat("x", 40000)
	prompt := result[:30000] // a cut that nobody declared

	found, _ := run.Record(context.Background(), clipspan.Call{ID: "call-1", Name: "bash"},
		clipspan.Output{Text: result}, clipspan.Injection{Text: prompt}, "truncate-30000")
	fmt.Println(found.Verdict.Trusted())
	// Output:
	// bash ok observed 40000 injected 30000 silent_clip [ratio=0.25]
	// false
}

func ExampleEmitter_Start() {
	run := clipspan.NewEmitter(printSink, countBytes{})
	// One hook of the framework sees the result …
	open := run.Start(context.Background(), clipspan.Call{ID: "call-1", Name: "search"})
	open.Observe(clipspan.Output{Text: "ten results"})
	// … and another one the prompt.
	_ = open.Inject(clipspan.Injection{Text: "ten results"}, "v1")
	// Output:
	// search ok observed 11 injected 11 ok []
}

func ExampleOpen_ObserveReader() {
	run := clipspan.NewEmitter(printSink, countBytes{})
	open := run.Start(context.Background(), clipspan.Call{Name: "download"})
	body := open.ObserveReader(strings.NewReader(strings.Repeat("z", 96412)))

	head := make([]byte, 8192) // the host reads 8 KB and stops
	_, _ = io.ReadFull(body, head)
	_ = open.Inject(clipspan.Injection{Text: string(head)}, "v1")
	// Output:
	// download incomplete observed unknown injected 8192 incomplete [observed_bytes]
}

func ExampleClassify() {
	found := clipspan.Classify(&clipspan.Span{
		Name:           "read_file",
		ObservedBytes:  clipspan.Known(96412),
		InjectedBytes:  clipspan.Known(12040),
		InjectedTokens: clipspan.Known(8192),
		ClipReason:     clipspan.ReasonPromptTokenCap,
	})
	fmt.Println(found.Verdict, found.Detail)
	// Output: clipped [prompt_token_cap ratio=0.88]
}

func ExampleKept() {
	ranges, exact := clipspan.Kept("the whole long text of a file", "the whole [...] a file")
	fmt.Println(ranges, exact)
	// Output: [{0 10} {22 29}] true
}
