package doctest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// link is the target of a Markdown link, without the part of the page it names.
var link = regexp.MustCompile(`\]\(([^)#\s]+)[^)]*\)`)

func TestLinksFromOnePageToAnotherLeadSomewhere(t *testing.T) {
	followed := 0
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*/*.md"} {
		pages, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		require.NoError(t, err)
		for _, page := range pages {
			text, err := os.ReadFile(page)
			require.NoError(t, err)
			for _, match := range link.FindAllStringSubmatch(string(text), -1) {
				if strings.Contains(match[1], "://") {
					continue
				}
				followed++
				_, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(match[1])))
				assert.NoError(t, err, page)
			}
		}
	}
	assert.NotZero(t, followed)
}
