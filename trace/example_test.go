package trace_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/trace"
)

// A trace whose second span was cut in silence, and whose last line is torn.
const incident = `{"span_id":"tool-13","name":"list_dir","status":"ok","observed_bytes":212,"injected_bytes":212,"injected_tokens":60,"clip_reason":"none","sha256_observed":"ab12","sha256_injected":"ab12"}
{"span_id":"tool-14","name":"read_file","status":"ok","observed_bytes":96412,"injected_bytes":12040,"injected_tokens":8192,"clip_reason":"none","sha256_observed":"ab13","sha256_injected":"cd34"}
{"span_id":"tool-15","na`

func ExampleRead() {
	for rec, err := range trace.Read("run.jsonl", strings.NewReader(incident)) {
		var bad *trace.LineError
		switch {
		case errors.As(err, &bad):
			fmt.Println(bad) // reading goes on
		case err != nil:
			fmt.Println(err) // it does not
		default:
			if span, ok := rec.(*clipspan.Span); ok {
				fmt.Println(span.SpanID, clipspan.Classify(span).Verdict)
			}
		}
	}
	// Output:
	// tool-13 ok
	// tool-14 silent_clip
	// run.jsonl:3: torn: unexpected end of input
}

func ExampleChecker() {
	c := trace.NewChecker()
	if err := c.Add(context.Background(), "run.jsonl", strings.NewReader(incident)); err != nil {
		fmt.Println(err)
		return
	}
	report := c.Report()
	for f := range report.WorstFirst() {
		fmt.Printf("%s:%d %s%s %s %v\n", f.File, f.Line, f.SpanID, f.Damage, f.Verdict, f.Detail)
	}
	fmt.Printf("trusted: %v, because of %v; silent clips per 100 tool spans: %.0f\n",
		report.Summary.Trusted, report.Summary.Why, report.Summary.SilentPer100())
	// Output:
	// run.jsonl:3 torn  [unexpected end of input]
	// run.jsonl:2 tool-14 silent_clip [ratio=0.88]
	// trusted: false, because of [damage silent_clip]; silent clips per 100 tool spans: 50
}

func ExampleParse() {
	rec, err := trace.Parse([]byte(`{"span_id":"a","name":"grep","observed_bytes":10,"eino.node":"n1"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	rec.(*clipspan.Span).Name = "search"
	fmt.Println(string(rec.AppendJSON(nil))) // what this version does not know is kept
	// Output:
	// {"span_id":"a","name":"search","observed_bytes":10,"injected_bytes":null,"injected_tokens":null,"eino.node":"n1"}
}
