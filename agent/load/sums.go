package load

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	sums     = "SHA256SUMS"
	values   = "values.yaml"
	envelope = "provenance.dsse.json"
)

// verify says which file of a bundle is not what it was, is missing, or was not packed.
func verify(folder string) error {
	packed, err := readSums(filepath.Join(folder, sums))
	if err != nil {
		return fmt.Errorf("this is no bundle: %w", err)
	}
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		short, err := filepath.Rel(folder, path)
		if err != nil || short == sums || short == values || short == envelope {
			return err
		}
		want, known := packed[short]
		if !known {
			return fmt.Errorf("%s is not of this bundle", short)
		}
		delete(packed, short)
		got, err := sumOf(path)
		if err == nil && got != want {
			err = fmt.Errorf("%s is not as it was packed: fetch the bundle again", short)
		}
		return err
	})
	if err != nil {
		return err
	}
	for short := range packed {
		return fmt.Errorf("%s is missing from the bundle", short)
	}
	return nil
}

// readSums reads the lines of sha256sum, by file.
func readSums(file string) (map[string]string, error) {
	opened, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	packed := map[string]string{}
	lines := bufio.NewScanner(opened)
	for lines.Scan() {
		sum, path, isLine := strings.Cut(lines.Text(), "  ")
		if !isLine || len(sum) != 2*sha256.Size || !filepath.IsLocal(path) {
			return nil, fmt.Errorf("%s has a line that is none of sha256sum", sums)
		}
		packed[path] = sum
	}
	if len(packed) == 0 {
		return nil, errors.Join(lines.Err(), fmt.Errorf("%s is empty", sums))
	}
	return packed, lines.Err()
}

func sumOf(path string) (string, error) {
	opened, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer opened.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, opened); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
