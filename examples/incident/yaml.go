package main

import (
	"fmt"
	"strings"
)

// observedBytes is the size of the incident's file.
const observedBytes = 96412

// productionYAML is a configuration of exactly 96,412 bytes in which the port
// stands near the end.
func productionYAML() string {
	const tail = "server:\n  host: billing.internal\n  port: 8443\n  tls: true\n"
	var b strings.Builder
	b.WriteString("app:\n  name: billing\n  owner: payments\nfeatures:\n")
	for i := 0; ; i++ {
		entry := fmt.Sprintf("  - id: feature_%04d\n    enabled: %t\n    rollout: %d\n    region: eu-west-%d\n", i, i%3 == 0, i*7%101, i%4)
		if b.Len()+len(entry)+len(tail)+len("#\n") > observedBytes {
			break
		}
		b.WriteString(entry)
	}
	b.WriteString("#" + strings.Repeat("-", observedBytes-b.Len()-len(tail)-len("#\n")) + "\n")
	b.WriteString(tail)
	return b.String()
}
