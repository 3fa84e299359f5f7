// Package tests has those tests of the packages that need other modules. The tests are in a module of their own, so that importers of a package do
// not depend on those modules.
package tests
