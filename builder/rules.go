package builder

import (
	"slices"
	"sync"
)

// DefaultRules find the keys of the common vendors by their published forms, private
// keys in PEM, also where the block breaks off, JSON Web Tokens, credentials in URLs
// and headers, and values whose names say that they are secret, such as DB_PASSWORD,
// in the ways that shells, YAML, JSON and code write them. A value that stands for
// another one, such as ${TOKEN} or <your key>, is none.
func DefaultRules() []Rule { return slices.Clone(defaultRules()) }

// Rules of vendors come first: where a name and a form both tell a secret, the form
// says more.
var defaultRules = sync.OnceValue(func() []Rule {
	return []Rule{
		ruleWith("private-key", pemKey, "private key"),
		ruleWith("age-key", `\bAGE-SECRET-KEY-1[A-Z0-9]{50,}`, "age-secret-key-1"),

		ruleWith("anthropic-key", `\bsk-ant-[A-Za-z0-9_-]{20,}`, "sk-ant-"),
		ruleWith("aws-access-key-id", `\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b`, "akia", "asia", "abia", "acca"),
		ruleWith("azure-signature", `[?&]sig=(?P<secret>[A-Za-z0-9%+/=_-]{20,})`, "sig="),
		ruleWith("databricks-token", `\bdapi[0-9a-f]{32}`, "dapi"),
		ruleWith("digitalocean-token", `\bdo[opr]_v1_[0-9a-f]{64}`, "doo_v1_", "dop_v1_", "dor_v1_"),
		ruleWith("discord-webhook", `\bdiscord(?:app)?\.com/api/webhooks/[0-9]+/(?P<secret>[A-Za-z0-9_-]{60,})`, "/api/webhooks/"),
		ruleWith("docker-token", `\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}`, "dckr_pat_", "dckr_oat_"),
		ruleWith("github-token", `\b(?:gh[opsru]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})`,
			"gho_", "ghp_", "ghs_", "ghr_", "ghu_", "github_pat_"),
		ruleWith("gitlab-token", `\bgl(?:pat|ptt|rt|dt|soat|ft|oas|imt|cbt)-[A-Za-z0-9_.-]{20,}`,
			"glpat-", "glptt-", "glrt-", "gldt-", "glsoat-", "glft-", "gloas-", "glimt-", "glcbt-"),
		ruleWith("google-key", `\bAIza[A-Za-z0-9_-]{35}`, "aiza"),
		ruleWith("google-oauth", `\b(?:ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,})`, "ya29.", "gocspx-"),
		ruleWith("grafana-token", `\bgl(?:sa_[A-Za-z0-9]{32}_[0-9a-f]{8}|c_[A-Za-z0-9+/=]{32,})`, "glsa_", "glc_"),
		ruleWith("groq-key", `\bgsk_[A-Za-z0-9]{40,}`, "gsk_"),
		ruleWith("huggingface-token", `\bhf_[A-Za-z0-9]{30,}`, "hf_"),
		ruleWith("linear-key", `\blin_api_[A-Za-z0-9]{32,}`, "lin_api_"),
		ruleWith("npm-token", `\bnpm_[A-Za-z0-9]{36}`, "npm_"),
		ruleWith("openai-key", `\bsk-(?:(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{32,})`, "sk-"),
		ruleWith("postman-key", `\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}`, "pmak-"),
		ruleWith("pypi-token", `\bpypi-[A-Za-z0-9_-]{50,}`, "pypi-"),
		ruleWith("replicate-token", `\br8_[A-Za-z0-9]{37}`, "r8_"),
		ruleWith("sendgrid-key", `\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}`, "sg."),
		ruleWith("sentry-token", `\bsntry[su]_[A-Za-z0-9+/=_-]{40,}`, "sntrys_", "sntryu_"),
		ruleWith("shopify-token", `\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}`, "shpat_", "shpca_", "shppa_", "shpss_"),
		ruleWith("slack-token", `\bx(?:ox[abeoprs]|app)-[A-Za-z0-9-]{10,}`,
			"xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"),
		ruleWith("slack-webhook", `\bhooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[A-Za-z0-9+/_-]{20,})`, "hooks.slack.com/"),
		ruleWith("stripe-key", `\b(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}`,
			"sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"),
		ruleWith("telegram-token", `\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}`, ":aa"),
		ruleWith("twilio-key", `\bSK[0-9a-f]{32}\b`, "sk"),
		ruleWith("vault-token", `\bhv[bsr]\.[A-Za-z0-9_-]{24,}`, "hvb.", "hvs.", "hvr."),
		ruleWith("xai-key", `\bxai-[A-Za-z0-9]{60,}`, "xai-"),

		ruleWith("jwt", `\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`, ".eyj"),
		ruleWith("url-credentials", `\b[A-Za-z][A-Za-z0-9+.-]*://(?P<secret>[^\s/?#"'<>\\:@]*:[^\s/?#"'<>\\]+)@`, "://"),
		ruleWith("bearer-token", `(?i)\bbearer[ \t]+(?P<secret>[a-z0-9+/._~-]{20,}=*)`, "bearer"),
		ruleWith("basic-credentials", `(?i)\bauthorization[\\"']*[ \t]*[:=][ \t]*[\\"']*basic[ \t]+(?P<secret>[a-z0-9+/]{6,}=*)`, "authorization"),

		{name: "named-secret", expression: "named-secret/1", literals: nameHints, find: findNamed},
	}
})

// A private key in PEM is a block up to its end, or, where it breaks off, its lines:
// of a file with or without line numbers, or in a JSON string. Within a block there
// is no row of five hyphens (RFC 7468).
const (
	pemKey   = pemBegin + `(?:` + pemBody + pemEnd + `|` + pemLines + `)`
	pemBegin = `-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----`
	pemBody  = `(?:[^-]|-{1,4}[^-])*`
	pemEnd   = `-----END [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----`
	pemLines = `(?:(?:\s|\\[rn]|[0-9]+[:|\t→]|[A-Za-z-]+: [^\n\\]*)*[A-Za-z0-9+/=]{16,})*(?:(?:\s|\\[rn])*[A-Za-z0-9+/=]{4,76})?`
)
