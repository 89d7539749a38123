package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/builder"
)

// redactTable measures the default rules on what tools return, and on texts that
// give the rules the most to do. It is the one table with a target in time: nobody
// waits longer for a result than that.
func redactTable(b *bench) (*table, error) {
	const size = 1_000_000
	log := func(i int) string {
		return fmt.Sprintf("2026-03-01T12:00:%02d INFO worker-%d GET /v1/items?token_count=%d took %dms request_id=%08x\n", i%60, i%7, i, i%90, i*2654435761)
	}
	record := func(i int) string {
		return fmt.Sprintf(`{"id": %d, "key": "item-%d", "url": "https://example.com/items/%d", "next_page_token": "abc%d"}`+"\n", i, i, i, i)
	}
	env := func(i int) string {
		return fmt.Sprintf("SERVICE_%d_PASSWORD=hunter%d\nDATABASE_%d_URL=postgres://app:pw%d@db/app\n", i, i, i, i)
	}
	hostile := func(text string) func(int) string { return func(int) string { return text } }

	t := &table{title: "Redacting 1 MB by the default rules, CPU"}
	for _, c := range []struct {
		job  string
		line func(int) string
	}{
		{"YAML", func(i int) string { return result(4096) }},
		{"a log", log},
		{"JSON lines", record},
		{"nothing but credentials", env},
		{"hostile: `sk-` over and over", hostile("sk-")},
		{"hostile: PEM begins over and over", hostile("-----BEGIN " + "RSA PRIVATE KEY-----\n")},
	} {
		redact := builder.Chain("bench", builder.Redact())
		observation := clipspan.Observation{Text: textOf(size, c.line)}
		costs, err := b.compare(side{name: c.job, run: times(func() error {
			_, err := redact.Build(context.Background(), observation)
			return err
		})})
		if err != nil {
			return nil, err
		}
		t.rows = append(t.rows, row{job: c.job, ours: duration(costs[0].cpu), figure: costs[0].cpu / 1e6, unit: " ms", goal: atMost(50)})
	}
	return t, nil
}

// textOf is so many bytes of lines.
func textOf(size int, line func(i int) string) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(line(i))
	}
	return clipspan.Preview(b.String(), size)
}
