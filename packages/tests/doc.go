// Package tests holds the tests of the packages that need modules of others, so that those who import a package need
// not know them.
package tests
