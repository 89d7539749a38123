package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/clipspan/clipspan"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "version",
		Short:             "Print the version of the program and of the record format",
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.stdout, version())
			return err
		},
	}
}

// version names the program's version as the build knows it: a release if it
// was installed by version, else (devel) or a commit.
func version() string {
	release := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		release = info.Main.Version
	}
	return fmt.Sprintf("clipspan %s (records v%d, %s %s/%s)",
		release, clipspan.SchemaVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
