// Package doctest holds what is written down outside Go code to what the code
// does: the JSON Schemas, and the page for emitters in other languages.
package doctest
