package builder

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// node is a value of a policy file with its place.
type node struct {
	path    string
	line    int
	value   any // string, json.Number, bool, nil; object or list
	present bool
}

type member struct {
	key string
	node
}

type (
	object []member
	list   []node
)

func (n node) isObject() bool { _, ok := n.value.(object); return ok }

// parseNode reads a file that holds one JSON value. If it can't, the node says in
// which line.
func parseNode(data []byte) (node, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	r := &nodeReader{data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	r.dec.UseNumber()
	n, err := r.read("")
	if err == nil {
		if _, more := r.dec.Token(); more != io.EOF {
			err = errors.New("something stands behind the end of the policy")
		}
	}
	if err != nil {
		return node{line: r.line()}, err
	}
	return n, nil
}

type nodeReader struct {
	data  []byte
	dec   *json.Decoder
	depth int
}

// deepest is more than any policy needs.
const deepest = 32

func (r *nodeReader) line() int {
	return 1 + bytes.Count(r.data[:min(int(r.dec.InputOffset()), len(r.data))], []byte("\n"))
}

func (r *nodeReader) token() (json.Token, error) {
	t, err := r.dec.Token()
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New("the file ends within the policy: one JSON object is expected")
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("no JSON: %w", err)
	}
	return t, err
}

func (r *nodeReader) read(path string) (node, error) {
	t, err := r.token()
	if err != nil {
		return node{}, err
	}
	n := node{path: path, line: r.line(), value: t, present: true}
	if r.depth++; r.depth > deepest {
		return node{}, fmt.Errorf("%s is nested too deep", path)
	}
	defer func() { r.depth-- }()
	switch t {
	case json.Delim('{'):
		n.value, err = r.object(path)
	case json.Delim('['):
		n.value, err = r.list(path)
	}
	return n, err
}

func (r *nodeReader) object(path string) (o object, err error) {
	for r.dec.More() {
		t, err := r.token()
		if err != nil {
			return nil, err
		}
		key, _ := t.(string)
		at := strings.TrimPrefix(path+"."+key, ".")
		if slices.ContainsFunc(o, func(m member) bool { return m.key == key }) {
			return nil, fmt.Errorf("%s stands here twice", at)
		}
		n, err := r.read(at)
		if err != nil {
			return nil, err
		}
		o = append(o, member{key, n})
	}
	_, err = r.token()
	return o, err
}

func (r *nodeReader) list(path string) (l list, err error) {
	for r.dec.More() {
		n, err := r.read(path + "[" + strconv.Itoa(len(l)) + "]")
		if err != nil {
			return nil, err
		}
		l = append(l, n)
	}
	_, err = r.token()
	return l, err
}

// fields reads the members of an object, and knows which of them nobody asked for.
type fields struct {
	p     *policy
	n     node
	known []string
}

func (p *policy) object(n node) *fields {
	if n.present && !n.isObject() {
		p.fail(n, "must be an object, not %s", kindOf(n.value))
	}
	return &fields{p: p, n: n}
}

func (f *fields) all() object {
	o, _ := f.n.value.(object)
	return o
}

func (f *fields) optional(key string) node {
	f.known = append(f.known, key)
	for _, m := range f.all() {
		if m.key == key {
			return m.node
		}
	}
	return node{}
}

func (f *fields) required(key, what string) node {
	n := f.optional(key)
	if !n.present && f.n.isObject() {
		f.p.fail(f.n, "%s is missing: %s", key, what)
	}
	return n
}

// done tells of the members that nobody asked for.
func (f *fields) done() {
	for _, m := range f.all() {
		if !slices.Contains(f.known, m.key) {
			f.p.fail(m.node, "unknown key; known here: %s", strings.Join(f.known, ", "))
		}
	}
}

func (f *fields) text(key string) string {
	n := f.optional(key)
	s, ok := n.value.(string)
	if n.present && !ok {
		f.p.fail(n, "must be a string, not %s", kindOf(n.value))
	}
	return s
}

func (f *fields) flag(key string, otherwise bool) bool {
	n := f.optional(key)
	if !n.present {
		return otherwise
	}
	b, ok := n.value.(bool)
	if !ok {
		f.p.fail(n, "must be true or false, not %s", kindOf(n.value))
	}
	return b
}

// whole is a required whole number.
func (f *fields) whole(key, what string) int64 {
	n := f.required(key, what)
	if !n.present {
		return 0
	}
	number, _ := n.value.(json.Number)
	i, err := strconv.ParseInt(string(number), 10, 64)
	if err != nil {
		f.p.fail(n, "must be %s, not %s", what, spelled(n.value))
	}
	return i
}

// share is a number from 0 to 1.
func (f *fields) share(n node) float64 {
	number, _ := n.value.(json.Number)
	x, err := strconv.ParseFloat(string(number), 64)
	if err != nil || math.IsNaN(x) || x < 0 || x > 1 {
		f.p.fail(n, "must be a number from 0 to 1, not %s", spelled(n.value))
	}
	return x
}

func spelled(v any) string {
	switch v := v.(type) {
	case json.Number:
		return v.String()
	case string:
		return strconv.Quote(v)
	default:
		return kindOf(v)
	}
}

func kindOf(v any) string {
	switch v := v.(type) {
	case object:
		return "an object"
	case list:
		return "a list"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case bool:
		return strconv.FormatBool(v)
	default:
		return "null"
	}
}
