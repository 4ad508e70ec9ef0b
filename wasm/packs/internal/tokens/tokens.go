// Package tokens knows kinds of keys by the beginning that the host leaves
// visible: which service a key is for, which of a service's kinds a server
// wants, and what a key must be allowed to do.
package tokens

import (
	"fmt"
	"slices"
	"strings"

	"mcpmend/wasm/packs/internal/pack"
)

// kind is a beginning of a key.
type kind struct {
	prefix  string
	service string
	what    string // as in "a … of Slack"
	limits  string // why it may be refused though it is of the right service
}

// kinds are ordered so that of two that fit the longer comes first.
var kinds = []kind{
	{"github_pat_", "GitHub", "fine-grained token", "It reaches only the repositories that were chosen when it was made, and those of an organisation only after its owner has agreed."},
	{"ghp_", "GitHub", "classic token", "It needs the scope repo for private repositories and read:org for those of an organisation; with single sign-on it must be authorised for the organisation as well."},
	{"gho_", "GitHub", "token of a sign-in", "It was made by a program such as gh and has that program's scopes."},
	{"ghu_", "GitHub", "token of an app's user", "It ends after eight hours."},
	{"ghs_", "GitHub", "token of an installed app", "It ends after an hour; GITHUB_TOKEN of a workflow is one."},
	{"ghr_", "GitHub", "refresh token", "It only serves to get another token."},
	{"glpat-", "GitLab", "personal token", "It needs the scope api, or read_api to look only, and it has a date at which it ends."},
	{"gldt-", "GitLab", "deploy token", "It reads repositories and registries, not the API."},
	{"glrt-", "GitLab", "token of a runner", "It cannot be used for the API."},
	{"xoxb-", "Slack", "bot token", "The bot must be a member of a channel to read it. Scopes that servers use: channels:read, channels:history, chat:write, reactions:write, users:read. After a change of scopes the app is installed again."},
	{"xoxp-", "Slack", "user token", "It acts as the person who made it, with the scopes of the app."},
	{"xapp-", "Slack", "app-level token", "It is for socket connections alone."},
	{"xoxe.", "Slack", "token that rotates", "It ends after twelve hours unless the program renews it."},
	{"xoxc-", "Slack", "token of a browser", "It works only together with the cookie that begins with xoxd-."},
	{"xoxd-", "Slack", "cookie of a browser", "It works only together with the token that begins with xoxc-."},
	{"ntn_", "Notion", "integration secret", "The integration sees only pages that were shared with it: open the page, its menu, Connections."},
	{"secret_", "Notion", "integration secret", "The integration sees only pages that were shared with it: open the page, its menu, Connections."},
	{"sk-ant-", "Anthropic", "API key", ""},
	{"sk-or-", "OpenRouter", "API key", ""},
	{"sk-proj-", "OpenAI", "project key", "It has the rights and the budget of its project."},
	{"sk-svcacct-", "OpenAI", "key of a service account", "It has the rights and the budget of its project."},
	{"sk_live_", "Stripe", "secret key", ""},
	{"sk_test_", "Stripe", "secret key for tests", "It sees test data alone."},
	{"rk_live_", "Stripe", "restricted key", "It may do only what was ticked when it was made."},
	{"rk_test_", "Stripe", "restricted key for tests", "It may do only what was ticked when it was made, with test data alone."},
	{"pk_live_", "Stripe", "publishable key", "It is for pages and can read nothing."},
	{"lin_api_", "Linear", "personal key", "It goes into the header as it is, without Bearer."},
	{"lin_oauth_", "Linear", "token of a sign-in", "It goes into the header after Bearer."},
	{"figd_", "Figma", "personal token", "It needs the scope file_content:read, and ends on the date that was chosen."},
	{"sbp_", "Supabase", "access token", ""},
	{"sb_secret_", "Supabase", "key of a project", "It is for a project's data, not for the management API."},
	{"sntrys_", "Sentry", "token of an organisation", "It is for releases in CI and cannot read issues."},
	{"sntryu_", "Sentry", "user token", "It needs the scopes org:read, project:read and event:read."},
	{"AIza", "Google", "API key", "It may be limited to certain APIs, addresses or pages."},
	{"hf_", "Hugging Face", "token", ""},
	{"dop_v1_", "DigitalOcean", "personal token", ""},
	{"tvly-", "Tavily", "API key", ""},
	{"fc-", "Firecrawl", "API key", ""},
	{"pplx-", "Perplexity", "API key", ""},
	{"gsk_", "Groq", "API key", ""},
	{"BSA", "Brave Search", "API key", ""},
	{"ATATT3", "Atlassian", "API token", "It goes with the e-mail address of the account that made it."},
	{"sk-", "OpenAI", "API key", ""},
}

// reader is a variable with the service that its value is for, the kinds that
// will do there, and the page where one is made.
type reader struct {
	variables []string
	service   string
	prefixes  []string // none means any kind of the service
	page      string
}

var readers = []reader{
	{[]string{"GITHUB_PERSONAL_ACCESS_TOKEN", "GITHUB_TOKEN", "GH_TOKEN", "GITHUB_PAT"}, "GitHub", []string{"github_pat_", "ghp_", "gho_", "ghu_", "ghs_"}, "https://github.com/settings/tokens"},
	{[]string{"GITLAB_PERSONAL_ACCESS_TOKEN", "GITLAB_TOKEN"}, "GitLab", []string{"glpat-"}, "https://gitlab.com/-/user_settings/personal_access_tokens"},
	{[]string{"SLACK_BOT_TOKEN"}, "Slack", []string{"xoxb-", "xoxe."}, "https://api.slack.com/apps"},
	{[]string{"SLACK_USER_TOKEN", "SLACK_MCP_XOXP_TOKEN"}, "Slack", []string{"xoxp-", "xoxe."}, "https://api.slack.com/apps"},
	{[]string{"SLACK_APP_TOKEN"}, "Slack", []string{"xapp-"}, "https://api.slack.com/apps"},
	{[]string{"NOTION_TOKEN", "NOTION_API_KEY", "NOTION_API_TOKEN"}, "Notion", nil, "https://www.notion.so/profile/integrations"},
	{[]string{"OPENAI_API_KEY"}, "OpenAI", nil, "https://platform.openai.com/api-keys"},
	{[]string{"ANTHROPIC_API_KEY"}, "Anthropic", nil, "https://console.anthropic.com/settings/keys"},
	{[]string{"STRIPE_SECRET_KEY", "STRIPE_API_KEY"}, "Stripe", []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_"}, "https://dashboard.stripe.com/apikeys"},
	{[]string{"LINEAR_API_KEY", "LINEAR_API_TOKEN"}, "Linear", []string{"lin_api_"}, "https://linear.app/settings/account/security"},
	{[]string{"FIGMA_API_KEY", "FIGMA_TOKEN", "FIGMA_ACCESS_TOKEN"}, "Figma", nil, "https://www.figma.com/developers/api#access-tokens"},
	{[]string{"SUPABASE_ACCESS_TOKEN"}, "Supabase", []string{"sbp_"}, "https://supabase.com/dashboard/account/tokens"},
	{[]string{"SENTRY_AUTH_TOKEN", "SENTRY_ACCESS_TOKEN"}, "Sentry", []string{"sntryu_"}, "https://sentry.io/settings/account/api/auth-tokens/"},
	{[]string{"GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_MAPS_API_KEY"}, "Google", nil, "https://console.cloud.google.com/apis/credentials"},
	{[]string{"HF_TOKEN", "HUGGINGFACE_API_KEY"}, "Hugging Face", nil, "https://huggingface.co/settings/tokens"},
	{[]string{"TAVILY_API_KEY"}, "Tavily", nil, "https://app.tavily.com/home"},
	{[]string{"FIRECRAWL_API_KEY"}, "Firecrawl", nil, "https://www.firecrawl.dev/app/api-keys"},
	{[]string{"PERPLEXITY_API_KEY"}, "Perplexity", nil, "https://www.perplexity.ai/settings/api"},
	{[]string{"BRAVE_API_KEY"}, "Brave Search", nil, "https://api-dashboard.search.brave.com/app/keys"},
	{[]string{"JIRA_API_TOKEN", "CONFLUENCE_API_TOKEN", "ATLASSIAN_API_TOKEN"}, "Atlassian", nil, "https://id.atlassian.com/manage-profile/security/api-tokens"},
}

// Propose looks at the keys of an entry whose sign-in was refused.
func Propose(r pack.Request) pack.Answer {
	var a pack.Answer
	if r.Diagnosis.Category != "auth_failed" && r.Diagnosis.Category != "missing_env_var" {
		return a
	}
	if fix, ok := swapped(r); ok {
		a.Fixes = append(a.Fixes, fix)
		return a
	}
	for _, name := range pack.Sorted(r.Server.Env) {
		value := r.Server.Env[name]
		i := slices.IndexFunc(readers, func(known reader) bool { return slices.Contains(known.variables, name) })
		if i < 0 {
			continue
		}
		if fix, ok := withoutScheme(r, name, value); ok {
			a.Fixes = append(a.Fixes, fix)
		}
		if fix, ok := readers[i].judge(r, name, value); ok {
			a.Fixes = append(a.Fixes, fix)
		}
	}
	return a
}

// kindOf tells a key's kind. A word before it, such as Bearer, is passed over.
func kindOf(value string) *kind {
	value = value[strings.LastIndexByte(value, ' ')+1:]
	for i := range kinds {
		if strings.HasPrefix(value, kinds[i].prefix) {
			return &kinds[i]
		}
	}
	return nil
}

// fits tells whether a kind will do.
func (known reader) fits(k *kind) bool {
	return k.service == known.service && (known.prefixes == nil || slices.Contains(known.prefixes, k.prefix))
}

// judge says what is the matter with a key of a kind that it knows.
func (known reader) judge(r pack.Request, name, value string) (pack.Fix, bool) {
	k := kindOf(value)
	if k == nil {
		return pack.Fix{}, false
	}
	fix := pack.Fix{EnvVarHint: name, HelpURL: known.page, RequiresUserAction: true}
	switch {
	case k.service != known.service:
		fix.ID = "key-of-another-service"
		fix.Title = fmt.Sprintf("Give %s a key of %s", name, known.service)
		fix.Description = fmt.Sprintf("The value begins with %s, as %s of %s does; %s is read for %s.", k.prefix, article(k.what), k.service, name, known.service)
		fix.Confidence = 0.95
	case !known.fits(k):
		fix.ID = "key-of-another-kind"
		fix.Title = fmt.Sprintf("Give %s another kind of key", name)
		fix.Description = fmt.Sprintf("The server takes keys that begin with %s, and this is %s of %s. %s", either(known.prefixes), article(k.what), k.service, k.limits)
		fix.Confidence = 0.9
	case k.limits != "" && r.Diagnosis.Category == "auth_failed":
		fix.ID = "rights-of-the-key"
		fix.Title = fmt.Sprintf("Check what the key in %s may do", name)
		fix.Description = fmt.Sprintf("The value is %s of %s. %s", article(k.what), k.service, k.limits)
		fix.Confidence = 0.6
	default:
		return fix, false
	}
	return fix, true
}

func article(what string) string {
	if strings.ContainsRune("aeioAEIO", rune(what[0])) {
		return "an " + what
	}
	return "a " + what
}

// either lists beginnings in words.
func either(prefixes []string) string {
	if len(prefixes) == 1 {
		return prefixes[0]
	}
	return strings.Join(prefixes[:len(prefixes)-1], ", ") + " or " + prefixes[len(prefixes)-1]
}

// withoutScheme takes the word for a header out of a variable: servers write
// it themselves.
func withoutScheme(r pack.Request, name, value string) (pack.Fix, bool) {
	scheme, key, ok := strings.Cut(value, " ")
	if !ok || !strings.EqualFold(scheme, "bearer") && !strings.EqualFold(scheme, "token") {
		return pack.Fix{}, false
	}
	return pack.Fix{
		ID: "key-without-scheme", Title: fmt.Sprintf("Leave %s out of %s", scheme, name),
		Description: fmt.Sprintf("The server writes %q before the key itself when it asks.", scheme),
		Patch:       []pack.Op{r.Server.SetEnv(name, strings.TrimSpace(key))}, EnvVarHint: name, Confidence: 0.85,
	}, true
}

// swapped finds two keys of one service that stand in each other's place.
func swapped(r pack.Request) (pack.Fix, bool) {
	type place struct {
		name  string
		known reader
		kind  *kind
	}
	var wrong []place
	for _, name := range pack.Sorted(r.Server.Env) {
		for _, known := range readers {
			if k := kindOf(r.Server.Env[name]); k != nil && slices.Contains(known.variables, name) && !known.fits(k) {
				wrong = append(wrong, place{name, known, k})
			}
		}
	}
	if len(wrong) != 2 || !wrong[0].known.fits(wrong[1].kind) || !wrong[1].known.fits(wrong[0].kind) {
		return pack.Fix{}, false
	}
	one, other := wrong[0].name, wrong[1].name
	return pack.Fix{
		ID: "swap-keys", Title: fmt.Sprintf("Swap %s and %s", one, other),
		Description: fmt.Sprintf("Each holds what the other should: %s %s, %s %s.", one, article(wrong[0].kind.what), other, article(wrong[1].kind.what)),
		Patch:       []pack.Op{r.Server.SetEnv(one, r.Server.Env[other]), r.Server.SetEnv(other, r.Server.Env[one])},
		HelpURL:     wrong[0].known.page, Confidence: 0.95,
	}, true
}
