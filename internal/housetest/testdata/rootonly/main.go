// Command rootonly is a program that uses nothing of clipspan but its root package.
package main

import (
	"fmt"

	"github.com/clipspan/clipspan"
)

func main() {
	fmt.Println(clipspan.Classify(new(clipspan.Span)).Verdict)
}
