// The program that sshd starts at the SSH door, small because it starts once for every key that anybody offers: it asks the agent
// what a key may open, and it is the login shell of users without a shell.
package main

import (
	"io"
	"net"
	"os"
	"time"
)

const patience = 5 * time.Second

const greeting = "This door leads to instances only. Name it as the jump host:\r\n" +
	"  ssh -J gantry@<this door> root@<instance>.instances.<namespace>.svc\r\n"

func main() {
	// As a shell it is called without arguments, or with -c and what the client asked for.
	if len(os.Args) == 5 && os.Args[1] == "keys" {
		if err := ask(os.Args[2], os.Args[3]+" "+os.Args[4]); err != nil {
			os.Stderr.WriteString("porter: " + err.Error() + "\n")
			os.Exit(1)
		}
		return
	}
	os.Stderr.WriteString(greeting)
	os.Exit(1)
}

// ask passes the agent's answer to sshd. The agent learns from the socket which process asked.
func ask(socket, key string) error {
	connection, err := net.DialTimeout("unix", socket, patience)
	if err != nil {
		return err
	}
	defer connection.Close()
	if err := connection.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	if _, err := io.WriteString(connection, key+"\n"); err != nil {
		return err
	}
	_, err = io.Copy(os.Stdout, connection)
	return err
}
