//go:build !linux

package clipspan

import "os"

// dataSync makes a file durable.
func dataSync(f *os.File) error { return f.Sync() }
