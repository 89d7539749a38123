package clipspan_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

func TestMultiSinkCallsEverySinkAndJoinsTheirErrors(t *testing.T) {
	errOther := errors.New("no network")
	first := &memorySink{fail: func(clipspan.Record) error { return errDiskFull }}
	second := &memorySink{}
	third := &memorySink{fail: func(clipspan.Record) error { return errOther }}
	sink := clipspan.MultiSink(first, second, third)

	err := sink.Emit(t.Context(), &clipspan.Span{Name: "read_file"})

	require.ErrorIs(t, err, errDiskFull)
	require.ErrorIs(t, err, errOther)
	assert.EqualError(t, err, "sink 0: disk full\nsink 2: no network")
	assert.Equal(t, "read_file", second.only(t).Name)
}

func TestMultiSinkWithoutFailuresReturnsNil(t *testing.T) {
	first, second := &memorySink{}, &memorySink{}

	require.NoError(t, clipspan.MultiSink(first, second).Emit(t.Context(), &clipspan.RunEnd{}))
	require.NoError(t, clipspan.MultiSink().Emit(t.Context(), &clipspan.RunEnd{}))

	assert.Len(t, first.all(), 1)
	assert.Len(t, second.all(), 1)
}

func TestASinkThatPanicsDoesNotStarveTheOthers(t *testing.T) {
	for name, value := range map[string]any{"with a text": "boom", "with an error": errDiskFull} {
		t.Run(name, func(t *testing.T) {
			last := &memorySink{}
			sink := clipspan.MultiSink(
				clipspan.SinkFunc(func(context.Context, clipspan.Record) error { panic(value) }),
				nil,
				last,
			)

			err := sink.Emit(t.Context(), &clipspan.Span{Name: "read_file"})

			var panicked *clipspan.PanicError
			require.ErrorAs(t, err, &panicked)
			assert.Equal(t, value, panicked.Value)
			assert.ErrorContains(t, err, "sink 1: ", "a nil sink is a failed one")
			assert.Equal(t, "read_file", last.only(t).Name)
			if value == error(errDiskFull) {
				require.ErrorIs(t, err, errDiskFull)
			}
		})
	}
}
