// Package housetest holds the rules of the house (CONTRIBUTING) as tests: which
// package may import which, what a library never does, what a user of the root
// package gets into his program, and what is exported.
package housetest
