// Launch runs a command and prints what it cost as JSON. It is a program of its
// own because a child's peak memory is never less than that of the process that
// started it, and this one is small.
//
//	launch STDIN STDOUT COMMAND [ARG]...
package main

import (
	"encoding/json"
	"errors"
	"log"
	"os"
	"os/exec"
	"time"
)

// Cost is what a command cost. Times are in nanoseconds.
type Cost struct {
	CPU  time.Duration // user and system time
	Wall time.Duration // from its start to its end
	Peak int64         // most bytes of memory in use at once; 0 = not known
	Exit int
}

func main() {
	log.SetFlags(0)
	cost, err := launch(os.Args[1], os.Args[2], os.Args[3:])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(cost)
	}
	if err != nil {
		log.Fatalln("launch: error:", err)
	}
}

func launch(stdin, stdout string, command []string) (Cost, error) {
	in, err := os.Open(stdin)
	if err != nil {
		return Cost{}, err
	}
	out, err := os.Create(stdout)
	if err != nil {
		return Cost{}, err
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, os.Stderr
	start := time.Now()
	err = cmd.Run()
	wall := time.Since(start)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return Cost{}, err
	}
	state := cmd.ProcessState
	return Cost{state.UserTime() + state.SystemTime(), wall, peakMemory(state), state.ExitCode()}, nil
}
