package clipspan

import (
	"io/fs"
	"os"
	"syscall"
)

// dataSync makes a file's data and size durable, but not its times.
func dataSync(f *os.File) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var syncErr error
	err = conn.Control(func(fd uintptr) {
		syncErr = syscall.Fdatasync(int(fd))
		for syncErr == syscall.EINTR {
			syncErr = syscall.Fdatasync(int(fd))
		}
	})
	if err == nil {
		err = syncErr
	}
	if err != nil {
		return &fs.PathError{Op: "fdatasync", Path: f.Name(), Err: err}
	}
	return nil
}
