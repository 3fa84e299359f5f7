package main

import (
	"bytes"
	"os"
	"testing"
)

// TestPictureIsOfTheResults checks that the picture in the repository shows the results in the repository.
func TestPictureIsOfTheResults(t *testing.T) {
	results, err := os.ReadFile("../RESULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := draw(string(results))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("../../results/regex.svg"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("../../results/regex.svg is out of date (%v): go run ./chart, in bench/regex", err)
	}
}

func TestTableThatIsMissing(t *testing.T) {
	if _, err := draw("| long | operation | matches | rustgo, ns | regexp |\n"); err == nil {
		t.Error("no error without tables")
	}
}
