package clipspan

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// previewBytes is the size of a preview (RECORDS, Tool span).
const previewBytes = 128

// defaultDeadline bounds every call into code that is not the library's own.
const defaultDeadline = 2 * time.Second

// Option changes how an [Emitter] records.
type Option interface{ apply(*config) }

type config struct {
	runID        string
	failClosed   bool
	keyID        string
	key          []byte
	preview      int
	redact       func(string) string
	newID        func() string
	contextLimit Count
	now          func() time.Time
	onError      func(error)
	deadline     time.Duration
}

type optionFunc func(*config)

func (f optionFunc) apply(c *config) { f(c) }

// WithRunID sets the run's id. The default is a new UUIDv7.
func WithRunID(id string) Option { return optionFunc(func(c *config) { c.runID = id }) }

// WithFailClosed puts the evidence before the host: a tool result whose span
// could not be written is withheld, with [ErrNotRecorded], and
// [Emitter.Barrier] fails from then on. Without it the host comes first: results
// pass, and [Emitter.Err] tells what was lost.
func WithFailClosed() Option { return optionFunc(func(c *config) { c.failClosed = true }) }

// WithHashKey makes all hashes of the run HMAC-SHA-256 with the key, so that a
// short secret can't be guessed from its hash. The id names the key in the
// records. It panics if the key is empty, or the id is or holds anything but
// letters, digits, '.', '-' and '_': a run that was meant to be keyed must not
// begin with hashes that can be guessed.
func WithHashKey(id string, key []byte) Option {
	if len(key) == 0 {
		panic("clipspan.WithHashKey: empty key")
	}
	if id == "" || strings.Trim(id, keyIDBytes) != "" {
		panic(fmt.Sprintf("clipspan.WithHashKey: %q can't be the id of a key", id))
	}
	key = bytes.Clone(key)
	return optionFunc(func(c *config) { c.keyID, c.key = id, key })
}

const keyIDBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_"

// WithPreview sets how many leading bytes of the injected text are recorded: 128
// at most, which is the default, and none at 0 or below.
func WithPreview(bytes int) Option {
	return optionFunc(func(c *config) { c.preview = min(max(bytes, 0), previewBytes) })
}

// WithRedactor sets a function through which the whole injected text passes
// before its preview is cut. If it fails, there is no preview. Sizes and hashes
// are always those of the injected text itself.
func WithRedactor(redact func(text string) string) Option {
	return optionFunc(func(c *config) { c.redact = redact })
}

// WithIDs sets where span ids come from. The default makes UUIDv7s. The function
// is called by many goroutines at once.
func WithIDs(newID func() string) Option { return optionFunc(func(c *config) { c.newID = newID }) }

// WithContextLimit records the size of the model's context window in tokens.
func WithContextLimit(tokens int64) Option {
	return optionFunc(func(c *config) { c.contextLimit = Known(tokens) })
}

// WithClock sets the clock of started_at and ended_at. The default is
// [time.Now]. The function is called by many goroutines at once.
func WithClock(now func() time.Time) Option { return optionFunc(func(c *config) { c.now = now }) }

// WithErrorHandler sets a function that is told of every record that was lost
// and of every hook that failed. It is called by many goroutines at once.
func WithErrorHandler(handle func(error)) Option {
	return optionFunc(func(c *config) { c.onError = handle })
}

// WithDeadline sets how long one call of a sink, a token counter or another hook
// may take; the default is 2 s. What takes longer is left behind, and not called
// again until it has returned. A [JSONLSink] has a deadline of its own.
func WithDeadline(d time.Duration) Option {
	return optionFunc(func(c *config) { c.deadline = d })
}
