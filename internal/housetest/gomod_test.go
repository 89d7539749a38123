package housetest

import (
	"encoding/json"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// requirements are the modules that the root go.mod may ask for by itself. A
// user's go.mod inherits every one of them, so a new one needs a strong reason.
var requirements = []string{
	uuid,
	testify,
	zap,
	cobra,
	pflag,
	progressbar,
	uniseg,
	text,
	"github.com/rogpeppe/go-internal",
	"go.uber.org/goleak",
}

// goMod is what go mod edit -json prints.
type goMod struct {
	Go      string
	Require []struct {
		Path     string
		Indirect bool
	}
	Replace   []any
	Exclude   []any
	Toolchain string
}

func readGoMod(t *testing.T) (mod goMod) {
	t.Helper()
	out, err := goCommand(runtime.GOOS, "mod", "edit", "-json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(out, &mod))
	return mod
}

func TestTheRootModuleRequiresOnlyWhatTheHouseAllows(t *testing.T) {
	var direct []string
	for _, r := range readGoMod(t).Require {
		if !r.Indirect {
			direct = append(direct, r.Path)
		}
	}
	assert.Subset(t, requirements, direct)
}

func TestTheRootModuleCanBeInstalledByVersion(t *testing.T) {
	mod := readGoMod(t)
	assert.Empty(t, mod.Replace, "go install refuses a module with a replace directive")
	assert.Empty(t, mod.Exclude, "go install refuses a module with an exclude directive")
}

func TestTheRootModuleAsksForNoNewerGoThanItsUsersHave(t *testing.T) {
	mod := readGoMod(t)
	assert.Equal(t, "1.25.0", mod.Go)
	assert.Empty(t, mod.Toolchain)
}
