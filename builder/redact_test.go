package builder_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/builder"
)

// mixed is n made-up characters of a key. No key stands in this file as a whole, so
// that nothing takes the file for a leak.
func mixed(n int) string { return strings.Repeat("Ab3dE5gHi7", n/10+1)[:n] }

func hexes(n int) string { return strings.Repeat("0a1b2c3d", n/8+1)[:n] }

func TestKeysOfVendorsAreFound(t *testing.T) {
	for _, c := range []struct {
		rule   string
		secret []string
		none   []string
	}{
		{"age-key", []string{"AGE-SECRET-KEY-1" + strings.Repeat("Q", 58)}, []string{"AGE-SECRET-KEY-1QQ", "age1" + strings.Repeat("q", 58)}},
		{"anthropic-key", []string{"sk-ant-" + "api03-" + mixed(80) + "AA", "sk-ant-" + "admin01-" + mixed(40)}, []string{"sk-ant-api", "task-ant-" + mixed(40)}},
		{"aws-access-key-id", []string{"AKIA" + strings.Repeat("Q3", 8), "ASIA" + strings.Repeat("Z7", 8)}, []string{"AKIA" + strings.Repeat("Q3", 9), "akia" + strings.Repeat("q3", 8)}},
		{"azure-signature", []string{"?sv=2024&sig=" + "«" + mixed(40) + "%3D»", "&sig=" + "«" + mixed(43) + "=»"}, []string{"&sig=short", "design=" + mixed(40)}},
		{"databricks-token", []string{"dapi" + hexes(32), "dapi" + strings.Repeat("9f", 16)}, []string{"dapi" + hexes(30), "dapis"}},
		{"digitalocean-token", []string{"dop_v1_" + hexes(64), "doo_v1_" + hexes(64)}, []string{"dop_v1_" + hexes(60), "drop_v1_" + hexes(64)}},
		{
			"discord-webhook",
			[]string{"https://discord.com/api/webhooks/123456789/«" + mixed(68) + "»", "https://discordapp.com/api/webhooks/1/«" + mixed(68) + "»"},
			[]string{"https://discord.com/api/webhooks/123456789/", "https://example.com/api/webhooks/1/" + mixed(68)},
		},
		{"docker-token", []string{"dckr_pat_" + mixed(27), "dckr_oat_" + mixed(32)}, []string{"dckr_pat_", "dckr_" + mixed(27)}},
		{"github-token", []string{"ghp_" + mixed(36), "github_pat_" + mixed(22) + "_" + mixed(59), "ghs_" + mixed(36)}, []string{"ghp_" + mixed(35), "laughs_" + mixed(36)}},
		{"gitlab-token", []string{"glpat-" + mixed(20), "gldt-" + mixed(20)}, []string{"glpat-" + mixed(8), "glxyz-" + mixed(20)}},
		{"google-key", []string{"AIza" + mixed(35), "AIza" + mixed(30) + "-_abc"}, []string{"AIza" + mixed(34), "aiza" + mixed(35)}},
		{"google-oauth", []string{"ya29." + mixed(60), "GOCSPX-" + mixed(28)}, []string{"ya29.a0", "GOCSPX"}},
		{"grafana-token", []string{"glsa_" + mixed(32) + "_" + hexes(8), "glc_" + mixed(60)}, []string{"glsa_" + mixed(32), "glc_x"}},
		{"groq-key", []string{"gsk_" + mixed(52), "gsk_" + mixed(56)}, []string{"gsk_" + mixed(20), "task_gsk" + mixed(52)}},
		{"huggingface-token", []string{"hf_" + mixed(34), "hf_" + mixed(37)}, []string{"hf_hub_download", "half_" + mixed(34)}},
		{"linear-key", []string{"lin_api_" + mixed(40), "lin_api_" + mixed(44)}, []string{"lin_api_key", "lin_" + mixed(40)}},
		{"npm-token", []string{"npm_" + mixed(36), "npm_" + strings.Repeat("Z", 36)}, []string{"npm_config_registry", "npm_" + mixed(30)}},
		{"openai-key", []string{"sk-" + mixed(48), "sk-proj-" + mixed(100), "sk-or-v1-" + hexes(64)}, []string{"sk-loading-spinner-container-of-the-page", "risk-" + mixed(48)}},
		{"postman-key", []string{"PMAK-" + hexes(24) + "-" + hexes(34), "PMAK-" + strings.Repeat("f", 24) + "-" + hexes(34)}, []string{"PMAK-" + hexes(24), "PMAK-" + hexes(20) + "-" + hexes(34)}},
		{"pypi-token", []string{"pypi-" + "AgEI" + mixed(150), "pypi-" + mixed(50)}, []string{"pypi-server-of-the-company", "pypi-" + mixed(40)}},
		{"replicate-token", []string{"r8_" + mixed(37), "r8_" + strings.Repeat("Z", 37)}, []string{"r8_" + mixed(30), "for8_" + mixed(37)}},
		{"sendgrid-key", []string{"SG." + mixed(22) + "." + mixed(43), "SG." + strings.Repeat("-", 22) + "." + mixed(43)}, []string{"SG." + mixed(22), "SG." + mixed(20) + "." + mixed(43)}},
		{"sentry-token", []string{"sntrys_" + mixed(60), "sntryu_" + hexes(64)}, []string{"sntrys_", "sntry_" + mixed(60)}},
		{"shopify-token", []string{"shpat_" + hexes(32), "shpss_" + hexes(32)}, []string{"shpat_" + hexes(30), "shpxx_" + hexes(32)}},
		{"slack-token", []string{"xoxb-" + "123456789012-" + mixed(24), "xapp-" + "1-A0-" + mixed(40)}, []string{"xoxb-1", "foxb-" + mixed(40)}},
		{
			"slack-webhook",
			[]string{"https://hooks.slack.com/services/«T000/B000/" + mixed(24) + "»", "https://hooks.slack.com/workflows/«T1/A1/1/" + mixed(24) + "»"},
			[]string{"https://hooks.slack.com/services/", "https://slack.com/services/" + mixed(24)},
		},
		{"stripe-key", []string{"sk_live_" + mixed(24), "rk_test_" + mixed(99), "whsec_" + mixed(32)}, []string{"sk_live_", "risk_live_" + mixed(24)}},
		{"telegram-token", []string{"123456789:AA" + mixed(33), "1234567890:AA" + strings.Repeat("-_z", 11)}, []string{"12:AA" + mixed(33), "123456789:AA" + mixed(20)}},
		{"twilio-key", []string{"SK" + hexes(32), "SK" + strings.Repeat("9f", 16)}, []string{"AC" + hexes(32), "SK" + hexes(33)}},
		{"vault-token", []string{"hvs." + mixed(24), "hvb." + mixed(90)}, []string{"hvs.x", "hvx." + mixed(24)}},
		{"xai-key", []string{"xai-" + mixed(80), "xai-" + strings.Repeat("q", 64)}, []string{"xai-" + mixed(20), "maxai-" + mixed(80)}},
		{"jwt", []string{"eyJ" + mixed(20) + ".eyJ" + mixed(40) + "." + mixed(43), "eyJ" + mixed(20) + ".eyJ" + mixed(40) + "."}, []string{"eyJ" + mixed(20), "eyJ" + mixed(20) + ".x"}},
		{
			"url-credentials",
			[]string{"postgres://«app:hunter2»@db.internal:5432/app", "https://«:p@ss»@host/x?y@z"},
			[]string{"https://host:8080/a@b", "ssh://git@github.com/x", "see http://a/b:c@d", "postgres://<user>:<password>@host", "https://docs/x"},
		},
		{"bearer-token", []string{"Authorization: Bearer «" + mixed(40) + "»", `-H "authorization: bearer ` + "«" + mixed(24) + "==»" + `"`}, []string{"Bearer token", "forbearer " + mixed(40)}},
		{"basic-credentials", []string{"Authorization: Basic «" + mixed(20) + "==»", `"Authorization": "Basic ` + "«" + mixed(12) + "»" + `"`}, []string{"basic " + mixed(20), "Authorization: Basic"}},
	} {
		for _, text := range c.secret {
			head, secret, tail := marked(text)
			if secret == "" { // of the first example, behind another beginning
				_, secret, _ = marked(c.secret[0])
				if i := strings.LastIndex(head, secret[:4]); i >= 0 {
					head = head[:i]
				}
			}
			for _, around := range [][2]string{{"", ""}, {"see ", "\nnext"}, {`{"x": "`, `"}`}, {"日本", "語"}} {
				want := around[0] + head + "[redacted:" + c.rule + "]" + tail + around[1]
				assert.Equal(t, want, redacted(t, around[0]+head+secret+tail+around[1]))
			}
		}
		for _, text := range c.none {
			assert.Equal(t, text, redacted(t, text), c.rule)
		}
	}
}

// marked is the secret in an example: what stands between « and », or all of it.
func marked(text string) (head, secret, tail string) {
	head, rest, ok := strings.Cut(text, "«")
	if !ok {
		return "", text, ""
	}
	secret, tail, _ = strings.Cut(rest, "»")
	return head, secret, tail
}

func redacted(tb testing.TB, text string, rules ...builder.Rule) string {
	return build(tb, text, builder.Redact(rules...)).Text
}

func TestSecretsAreFoundByTheirNames(t *testing.T) {
	for _, text := range []string{
		`PASSWORD=«hunter2»`, `export DB_PASSWORD='«hunter 2»' # comment`, `DB_PASSWORD = «hunter2»`, `password: «hunter2»`, `password: «letmein»`,
		`"password": "«hunter two»", "next": 1`, `{"MyApiKey":"«abc»"}`, `{'client_secret': '«abc»'}`, `my-api-key: «k-123»`,
		`{"text": "{\"password\": \"«hunter2»\"}"}`, `"{\\\"password\\\": \\\"«a\\\\\\\"b»\\\"}"`, `"password": "«back\\»", "a": "b"`, `"password": "«a\"b»"`,
		`AccountName=x;AccountKey=«` + mixed(40) + `==»;EndpointSuffix=y`, `https://x/y?api_key=«abc123»&page=2`, `aws_secret_access_key = «` + mixed(40) + `»`,
		`os.environ["API_TOKEN"] = "«abc»"`, `const apiKey = '«abc»'`, `api_key := "«abc»"`, "pwd=`«abc»`", `PASSPHRASE="«correct horse»"`,
		`X-Api-Key: «0123456789»`, `pin_token = «123456»`, `password='«it"s»'`, `password="«hunter2» end`, `SIGNING_KEY=«` + strings.Repeat("x1", 3000) + `»`,
	} {
		head, secret, tail := marked(text)
		assert.Equal(t, head+"[redacted:named-secret]"+tail, redacted(t, head+secret+tail), text)
	}
	for _, text := range []string{
		`token_count: 42`, `max_tokens=8192`, `"input_tokens": 17`, `token = 42`, `"token": 123456`, `password: ""`, `password = ''`, `password=`, `password=null`, `password: true`,
		`password=${DB_PASSWORD}`, `password=$PASSWORD`, `password: {{ password }}`, `password=<your password>`, `password="***"`, `api_key: xxxx`, `TOKEN=%TOKEN%`,
		`password = os.Getenv("X")`, `secret := readSecret()`, `secret := other`, `token = next`, `token=self.token`, `login(password=user_password)`, `token: Token,`, `password: string;`,
		"set the current token: `git remote set-url origin https://host/x`", `{"password": {"type": "string"}}`, `"nextPageToken": "abc"`, `if token == "abc" {`, `key: value`, `primary_key=abc`, `password`, `the password is: `, `"secret": null`, `token: []string{`,
		`4b825dc642cb6eb9a060e54bf8d69288fbee4904`, `123e4567-e89b-12d3-a456-426614174000`, `tokens: abc`, `secret/path: abc`, "password:\n  field: x", `PASSWORD=[redacted:named-secret]`, `token:[redacted:named-secret] ='a'`,
	} {
		assert.Equal(t, text, redacted(t, text), text)
	}
}

func TestAPrivateKeyIsFoundInEveryForm(t *testing.T) {
	lines := strings.Repeat("MIIE"+mixed(60)+"\n", 5)
	begin, end := "-----BEGIN "+"RSA PRIVATE KEY-----", "-----END "+"RSA PRIVATE KEY-----"
	block := begin + "\n" + lines + end
	const gone = "[redacted:private-key]"
	for _, c := range []struct{ name, text, want string }{
		{"a file", block + "\n", gone + "\n"},
		{"among others", "a\n" + block + "\nb\n" + block, "a\n" + gone + "\nb\n" + gone},
		{"lines that end in CRLF", strings.ReplaceAll(block, "\n", "\r\n"), gone},
		{"in a JSON string", `{"key": "` + strings.ReplaceAll(block, "\n", `\n`) + `\n", "a": 1}`, `{"key": "` + gone + `\n", "a": 1}`},
		{"with numbers of lines", " 1\t" + strings.ReplaceAll(block, "\n", "\n 2\t"), " 1\t" + gone},
		{"with headers", strings.Replace(block, "\n", "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A\n\n", 1), gone},
		{"that breaks off", begin + "\n" + lines + "MIIEo", gone},
		{"that breaks off before something else", begin + "\n" + lines + "\n(cut, see the log)", gone + "\n\n(cut, see the log)"},
		{"that breaks off before another", begin + "\n" + lines + block, gone + "\n" + gone},
		{"with numbers, that breaks off", begin + "\n 2\t" + strings.ReplaceAll(lines, "\n", "\n 3\t"), gone + "\n 3\t"},
		{"of PGP", strings.ReplaceAll(block, "RSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK"), gone},
		{"a public one stays", strings.ReplaceAll(block, "PRIVATE", "PUBLIC"), strings.ReplaceAll(block, "PRIVATE", "PUBLIC")},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, redacted(t, c.text))
		})
	}
}

func TestOverlappingSecretsAreReplacedOnce(t *testing.T) {
	token := "ghp_" + mixed(36)
	assert.Equal(t, "API_TOKEN=[redacted:github-token]", redacted(t, "API_TOKEN="+token), "the form says more than the name")
	assert.Equal(t, "https://[redacted:url-credentials]@github.com", redacted(t, "https://x:"+token+"@github.com"))

	first, err := builder.NewRule("first", "bcd")
	require.NoError(t, err)
	second, err := builder.NewRule("second", "(?i)CDE(?P<secret>fg)?")
	require.NoError(t, err)
	assert.Equal(t, "a[redacted:first]ef", redacted(t, "abcdef", first, second), "the group did not match: nothing is its secret")
	assert.Equal(t, "a[redacted:first]e[redacted:second]h", redacted(t, "abcdefgh", first, second))
	third, err := builder.NewRule("third", "c+d+e")
	require.NoError(t, err)
	assert.Equal(t, "a[redacted:first]f", redacted(t, "abcdef", first, third))
}

func TestARuleThatIsNoneIsRefused(t *testing.T) {
	for _, c := range []struct{ name, pattern, want string }{
		{"Ticket", "x", `rule name "Ticket": must be lower-case letters and digits, with hyphens between them`},
		{"", "x", `rule name "": must be`},
		{"ticket", "(", "rule ticket: error parsing regexp: missing closing ): `(`"},
		{"ticket", "x*", "rule ticket: the pattern must not match the empty text, which is everywhere"},
	} {
		_, err := builder.NewRule(c.name, c.pattern)
		assert.ErrorContains(t, err, c.want)
	}
}

func TestAMaskedLineIsNoCut(t *testing.T) { // field case F45
	line := `SECRET_KEY = "django-insecure-` + mixed(40) + `"  # generated`
	s := span(t, clipspan.Observation{Text: line}, builder.Redact(), builder.MaxLines(2000, 4096))
	assert.Equal(t, clipspan.ReasonRedaction, s.ClipReason)
	assert.Equal(t, clipspan.VerdictClipped, clipspan.Classify(s).Verdict)
	require.Len(t, s.Stages, 1)
	assert.Regexp(t, `^redact\(\d+ rules, [0-9a-f]{8}\)$`, s.Stages[0].Policy)
}

func TestNothingRedactedIsNothingClaimed(t *testing.T) { // field case F47
	s := span(t, clipspan.Observation{Text: "no secret here"}, builder.Redact())
	assert.Equal(t, clipspan.ReasonNone, s.ClipReason)
	assert.Empty(t, s.Stages)
	assert.Equal(t, clipspan.VerdictOK, clipspan.Classify(s).Verdict)
}

func TestARedactedTextHasItsOwnHash(t *testing.T) { // field case F48
	s := span(t, clipspan.Observation{Text: "PASSWORD=hunter2\n"}, builder.Redact())
	assert.NotEmpty(t, s.SHA256Injected.String())
	assert.False(t, s.SHA256Observed.Equal(s.SHA256Injected))
	assert.Equal(t, clipspan.Known(int64(len("PASSWORD=\n"))), s.KeptBytes)
}

func TestASecretIsFoundBeforeACapBreaksIt(t *testing.T) {
	text := strings.Repeat("x", 90) + " ghp_" + mixed(36) + " " + strings.Repeat("y", 200)
	in := build(t, text, builder.MaxBytes(140, builder.Marker("")), builder.Redact())
	assert.NotContains(t, in.Text, "ghp_")
	assert.Contains(t, in.Text, "[redacted:github-token]")
}

func FuzzRedact(f *testing.F) {
	f.Add(`{"password": "hunter2", "url": "postgres://a:b@c/d", "k": "ghp_` + mixed(36) + `"}`)
	f.Add("-----BEGIN " + "PRIVATE KEY-----\nMIIEMIIEMIIEMIIEMIIE\n-----END PRIVATE KEY-----")
	f.Add("password=[redacted:named-secret] token: \"[redacted:x]\" api_key='a\\\\'")
	f.Add("\xffsecret=\xfe\xfd eyJhbGciOi.eyJzdWIiOi.x")
	f.Fuzz(func(t *testing.T, text string) {
		in := build(t, text, builder.Redact())
		require.True(t, utf8.ValidString(in.Text) || !utf8.ValidString(text))
		require.Equal(t, in.Text, redacted(t, in.Text), "redacting again changes nothing")
		if in.Text != text {
			require.Equal(t, clipspan.ReasonRedaction, in.Stages[0].Reason)
			require.True(t, keptIn(text, in.Text, in.Kept))
		}
		if json.Valid([]byte(text)) {
			require.True(t, json.Valid([]byte(in.Text)), in.Text)
		}
	})
}
