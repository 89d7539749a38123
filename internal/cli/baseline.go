package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/clipspan/clipspan/trace"
)

// baselineVersion is that of the file. A later version may add fields.
const baselineVersion = 1

// known is what a baseline says of a finding. Line and file are not in it, so
// that a run of tomorrow is held to the same list.
type known struct {
	Subject string `json:"subject"` // span, turn or damage
	Kind    string `json:"kind"`    // the verdict, or the kind of damage
	Tool    string `json:"tool,omitempty"`
	Reason  string `json:"clip_reason,omitempty"`
	Builder string `json:"prompt_builder_version,omitempty"`
}

var subjects = map[trace.Subject]string{
	trace.SubjectSpan:   "span",
	trace.SubjectTurn:   "turn",
	trace.SubjectDamage: "damage",
}

func knownAs(f *trace.Finding) known {
	kind := f.Verdict.String()
	if f.Subject == trace.SubjectDamage {
		kind = string(f.Damage)
	}
	return known{subjects[f.Subject], kind, f.Name, string(f.ClipReason), f.PromptBuilderVersion}
}

func (k known) compare(other known) int {
	return cmp.Or(
		strings.Compare(k.Subject, other.Subject), strings.Compare(k.Kind, other.Kind), strings.Compare(k.Tool, other.Tool),
		strings.Compare(k.Reason, other.Reason), strings.Compare(k.Builder, other.Builder),
	)
}

// String names the finding for people.
func (k known) String() string {
	text := k.Subject + " " + k.Kind
	for _, part := range [...][2]string{{"tool", k.Tool}, {"reason", k.Reason}, {"builder", k.Builder}} {
		if part[1] != "" {
			text += " " + part[0] + "=" + part[1]
		}
	}
	return text
}

// baseline is a list of findings that are known and don't fail. An entry stands
// for all findings that are known as it.
type baseline struct {
	flag     string         // that names it, with its file
	occurred map[known]bool // an entry of the list, and whether it was met
}

// knows reports whether f is in the list.
func (b *baseline) knows(f *trace.Finding) bool {
	_, listed := b.occurred[knownAs(f)]
	return listed
}

// forgives is knows, and remembers that the entry was met.
func (b *baseline) forgives(f *trace.Finding) bool {
	key := knownAs(f)
	_, listed := b.occurred[key]
	if listed {
		b.occurred[key] = true
	}
	return listed
}

// gone lists the entries that were not met, in the order of the file.
func (b *baseline) gone() (list []known) {
	for key, occurred := range b.occurred {
		if !occurred {
			list = append(list, key)
		}
	}
	slices.SortFunc(list, known.compare)
	return list
}

// baselineFile is the file of a baseline.
type baselineFile struct {
	Version  int     `json:"version"`
	Findings []known `json:"findings"`
}

// readBaseline reads a baseline. Fields that it does not know are errors: what it
// forgives must be what its author meant.
func readBaseline(name string) (*baseline, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, withHint(fmt.Errorf("reading the baseline: %w", err), "--write-baseline %s makes one", name)
	} else if err != nil {
		return nil, fmt.Errorf("reading the baseline: %w", err)
	}
	var file baselineFile
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&file)
	if err == nil {
		if _, end := decoder.Token(); end != io.EOF {
			err = errors.New("something follows the list")
		}
	}
	if err == nil && file.Version != baselineVersion {
		err = fmt.Errorf("version is %d, this program reads %d", file.Version, baselineVersion)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the baseline %s: %w", name, err)
	}
	b := &baseline{flag: "--baseline " + name, occurred: map[known]bool{}}
	for _, key := range file.Findings {
		b.occurred[key] = false
	}
	return b, nil
}

// writeBaseline lists the findings of a report that the gate watches for.
func (a *app) writeBaseline(name string, report *trace.Report, g *gate) (*baseline, error) {
	b := &baseline{flag: "--write-baseline " + name, occurred: map[known]bool{}}
	findings := 0
	for f := range report.Findings() {
		if g.watches(word(&f)) {
			b.occurred[knownAs(&f)] = true
			findings++
		}
	}
	if err := b.write(name); err != nil {
		return nil, fmt.Errorf("writing the baseline %s: %w", name, withoutPath(err))
	}
	told := plural(findings, "finding", "findings") + " to " + name
	if n := len(b.occurred); n < findings {
		told += ", in " + plural(n, "entry", "entries")
	}
	a.say("note", "wrote %s", told)
	return b, nil
}

// withoutPath is what went wrong with a file, without the name of a temporary
// one that says nothing to anybody.
func withoutPath(err error) error {
	var (
		path *fs.PathError
		link *os.LinkError
	)
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	default:
		return err
	}
}

// write replaces the file as a whole, so that an interrupted run leaves the old
// baseline.
func (b *baseline) write(name string) error {
	list := make([]known, 0, len(b.occurred))
	for key := range b.occurred {
		list = append(list, key)
	}
	slices.SortFunc(list, known.compare)

	// Beside the file, so that the renaming stays within one file system.
	temp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // once it is renamed there is nothing to remove
	err = errors.Join(encodeBaseline(temp, list), temp.Chmod(0o644), temp.Close())
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), name)
}

// encodeBaseline writes one finding a line, which is how changes show in review.
func encodeBaseline(w io.Writer, list []known) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n  \"version\": %d,\n  \"findings\": [", baselineVersion)
	for i, key := range list {
		line, err := json.Marshal(key)
		if err != nil {
			return err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    %s", line)
	}
	b.WriteString("\n  ]\n}\n")
	_, err := w.Write(b.Bytes())
	return err
}
