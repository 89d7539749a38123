// Bench measures clipspan against its peers and prints the ratios, each with the
// target that it is held to (see docs/performance.md). Run it in its own folder:
//
//	go -C bench run .
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"runtime"
	"time"
)

// bench is how carefully everything is measured.
type bench struct {
	dir   string        // for files, removed at the end
	reps  int           // interleaved repetitions of every side
	batch time.Duration // how long a side works in one repetition
	spans int           // in the trace that is checked
	quick bool
}

// tables are what is printed, in this order.
var tables = []func(*bench) (*table, error){
	wrapTable,
	sinkTable,
	encodingTable,
	peersTable,
	streamTable,
	durableTable,
	tokensTable,
	builderTable,
	redactTable,
	checkTable,
}

func main() {
	log.SetFlags(0)
	quick := flag.Bool("quick", false, "take less than a minute: short batches, a small trace, no DuckDB; for a first look only")
	flag.Parse()
	if err := run(*quick); err != nil {
		log.Fatalln("bench: error:", err)
	}
}

func run(quick bool) error {
	b := &bench{reps: 10, batch: 100 * time.Millisecond, spans: 200_000}
	if quick {
		b = &bench{reps: 6, batch: 20 * time.Millisecond, spans: 20_000, quick: true}
	}
	var err error
	if b.dir, err = os.MkdirTemp("", "clipspan-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)

	fmt.Printf("%s, %s/%s, %d cores; minimum of %d interleaved repetitions\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), b.reps)
	var all score
	for _, measure := range tables {
		t, err := measure(b)
		if err != nil {
			return err
		}
		t.print(os.Stdout)
		all.add(t)
	}
	all.print(os.Stdout)
	return nil
}
