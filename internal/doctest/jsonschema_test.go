package doctest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// schema is a JSON Schema (2020-12) limited to the keywords that the files in
// schema/ use. A keyword that validate does not know is an error, so that no
// rule is written down there and held nowhere.
type schema struct{ root map[string]any }

func readSchema(t *testing.T, name string) *schema {
	t.Helper()
	file := filepath.Join("..", "..", "schema", name+".v1.json")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	root, ok := decode(t, text).(map[string]any)
	require.True(t, ok, "%s is no object", file)
	require.Equal(t, "https://json-schema.org/draft/2020-12/schema", root["$schema"])
	return &schema{root}
}

func decode(t *testing.T, text []byte) (value any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&value), "%s", text)
	return value
}

// resolve follows the reference of a node, if it has one.
func (s *schema) resolve(node map[string]any) map[string]any {
	ref, ok := node["$ref"].(string)
	if !ok {
		return node
	}
	definitions, _ := s.root["$defs"].(map[string]any)
	target, _ := definitions[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	return target
}

// validate returns what of value the schema does not allow.
func (s *schema) validate(value any) []string { return s.check("$", s.root, value) }

func (s *schema) check(path string, node map[string]any, value any) (errs []string) {
	for keyword, rule := range node {
		errs = append(errs, s.checkKeyword(path, keyword, rule, value)...)
	}
	return errs
}

func (s *schema) checkKeyword(path, keyword string, rule, value any) []string {
	switch keyword {
	case "$schema", "$id", "$defs", "title", "description", "format":
		return nil
	case "$ref":
		if target := s.resolve(map[string]any{"$ref": rule}); target != nil {
			return s.check(path, target, value)
		}
	case "properties":
		return s.checkProperties(path, rule.(map[string]any), value)
	case "items":
		return s.checkItems(path, rule.(map[string]any), value)
	default:
		if allows, known := keywords[keyword]; known && allows(rule, value) {
			return nil
		}
	}
	return []string{fmt.Sprintf("%s: %s %v does not allow %v", path, keyword, rule, value)}
}

func (s *schema) checkProperties(path string, properties map[string]any, value any) (errs []string) {
	object, _ := value.(map[string]any)
	for name, member := range object {
		if node, ok := properties[name].(map[string]any); ok {
			errs = append(errs, s.check(path+"."+name, node, member)...)
		}
	}
	return errs
}

func (s *schema) checkItems(path string, node map[string]any, value any) (errs []string) {
	list, _ := value.([]any)
	for i, element := range list {
		errs = append(errs, s.check(fmt.Sprintf("%s[%d]", path, i), node, element)...)
	}
	return errs
}

// keywords are the rules that look at one value only. As JSON Schema has it, a
// rule for another type than the value's allows everything.
var keywords = map[string]func(rule, value any) bool{
	"additionalProperties": func(rule, _ any) bool { return rule == true },
	"const":                func(rule, value any) bool { return reflect.DeepEqual(rule, value) },
	"enum": func(rule, value any) bool {
		for _, allowed := range rule.([]any) {
			if reflect.DeepEqual(allowed, value) {
				return true
			}
		}
		return false
	},
	"type": func(rule, value any) bool {
		if list, ok := rule.([]any); ok {
			for _, name := range list {
				if hasType(name.(string), value) {
					return true
				}
			}
			return false
		}
		return hasType(rule.(string), value)
	},
	"pattern": func(rule, value any) bool {
		text, ok := value.(string)
		return !ok || regexp.MustCompile(rule.(string)).MatchString(text)
	},
	"minLength": func(rule, value any) bool { return lengthOf(value, rule) >= number(rule) },
	"maxLength": func(rule, value any) bool { return lengthOf(value, rule) <= number(rule) },
	"minItems":  func(rule, value any) bool { return itemsOf(value, rule) >= number(rule) },
	"maxItems":  func(rule, value any) bool { return itemsOf(value, rule) <= number(rule) },
	"minimum": func(rule, value any) bool {
		n, ok := value.(json.Number)
		return !ok || rational(n).Cmp(rational(rule.(json.Number))) >= 0
	},
	"maximum": func(rule, value any) bool {
		n, ok := value.(json.Number)
		return !ok || rational(n).Cmp(rational(rule.(json.Number))) <= 0
	},
	"required": func(rule, value any) bool {
		object, ok := value.(map[string]any)
		for _, name := range rule.([]any) {
			if _, present := object[name.(string)]; ok && !present {
				return false
			}
		}
		return true
	},
}

func hasType(name string, value any) bool {
	switch v := value.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	case json.Number:
		return name == "number" || name == "integer" && rational(v).IsInt()
	default:
		return false
	}
}

func number(rule any) int64 {
	n, err := rule.(json.Number).Int64()
	if err != nil {
		panic(err)
	}
	return n
}

// lengthOf is the length of a string in characters; for another value it is what
// the rule asks for.
func lengthOf(value, rule any) int64 {
	if text, ok := value.(string); ok {
		return int64(utf8.RuneCountInString(text))
	}
	return number(rule)
}

func itemsOf(value, rule any) int64 {
	if list, ok := value.([]any); ok {
		return int64(len(list))
	}
	return number(rule)
}

func rational(n json.Number) *big.Rat {
	r, ok := new(big.Rat).SetString(n.String())
	if !ok {
		panic("no number: " + n.String())
	}
	return r
}
