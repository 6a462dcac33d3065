package sshd

import (
	"io"
	"os"

	"github.com/pkg/sftp"
)

// ServeFiles serves sftp on the process's input and output, as the user that the process runs as.
func ServeFiles() error {
	server, err := sftp.NewServer(stdio{os.Stdin, os.Stdout})
	if err != nil {
		return err
	}
	return server.Serve()
}

type stdio struct {
	io.Reader
	io.WriteCloser
}
