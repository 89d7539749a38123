package main

import (
	"context"

	"github.com/clipspan/clipspan"
)

// sinkTable measures what a JSONLSink costs above one write of ready bytes.
func sinkTable(b *bench) (*table, error) {
	span := exchanges[1].span()
	write, err := b.write(span.AppendJSON(nil))
	if err != nil {
		return nil, err
	}
	bare, err := b.emit(span, clipspan.WithWriteDeadline(0))
	if err != nil {
		return nil, err
	}
	guarded, err := b.emit(span)
	if err != nil {
		return nil, err
	}
	costs, err := b.compare(bare, guarded, write)
	if err != nil {
		return nil, err
	}
	t := &table{title: "JSONLSink: encode and write, CPU a record"}
	t.share("without a deadline", costs[0].cpu, costs[2].cpu, write.name, atMost(1.20))
	t.allocs("without a deadline", costs[0], atMost(0))
	t.share("with the default deadline", costs[1].cpu, costs[2].cpu, write.name, goal{})
	t.allocs("with the default deadline", costs[1], goal{})
	return t, nil
}

// emit is a sink onto a file.
func (b *bench) emit(span *clipspan.Span, opts ...clipspan.JSONLOption) (side, error) {
	f, err := b.newFile("sink-*.jsonl")
	if err != nil {
		return side{}, err
	}
	sink, err := clipspan.OpenJSONL(f.Name(), opts...)
	if err != nil {
		return side{}, err
	}
	return side{"JSONLSink", times(func() error { return sink.Emit(context.Background(), span) }), f}, nil
}

// write is one write of a line that is ready.
func (b *bench) write(line []byte) (side, error) {
	f, err := b.newFile("write-*.jsonl")
	if err != nil {
		return side{}, err
	}
	line = append(line, '\n')
	return side{"one write", times(func() error {
		_, err := f.Write(line)
		return err
	}), f}, nil
}
