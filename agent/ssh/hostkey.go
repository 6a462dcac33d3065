package sshd

import (
	"crypto/ed25519"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/crypto/ssh"
)

// hostKey reads the host's key, or generates it on the first start. It always returns one: an instance that cannot store its key,
// for example on a full disk, still accepts logins, and err says why clients will see another one next time.
func hostKey(path string) (signer ssh.Signer, err error) {
	signer, err = readHostKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			return signer, nil
		}
		signer, _, makeErr := makeHostKey()
		return signer, errors.Join(err, makeErr)
	}
	signer, text, err := makeHostKey()
	if err != nil {
		return nil, err
	}
	switch err := writeHostKey(path, text); {
	case errors.Is(err, fs.ErrExist):
		// Somebody else was first; theirs is the one that stays.
		return readHostKey(path)
	case err != nil:
		return signer, fmt.Errorf("keep the host key: %w", err)
	}
	return signer, nil
}

func readHostKey(path string) (ssh.Signer, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	signer, err := ssh.ParsePrivateKey(text)
	if err != nil {
		return nil, fmt.Errorf("%s is no private key: %w", path, err)
	}
	// An image or a copy may have opened it up.
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
		_ = os.Chmod(path, 0o600)
	}
	return signer, nil
}

func makeHostKey() (ssh.Signer, []byte, error) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, nil, err
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		return nil, nil, err
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		return nil, nil, err
	}
	return signer, pem.EncodeToMemory(block), nil
}

// writeHostKey leaves the whole file or none, and never replaces one.
func writeHostKey(path string, text []byte) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	draft, err := os.CreateTemp(folder, ".host-key-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(draft.Name())
	defer draft.Close()
	if _, err := draft.Write(text); err != nil {
		return err
	}
	// On the disk before it has its name: a node may lose power.
	if err := draft.Sync(); err != nil {
		return err
	}
	if err := os.Link(draft.Name(), path); err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// Some network file systems have no hard links.
	return os.Rename(draft.Name(), path)
}
