package catalog

func needs(names ...string) []Variable {
	vars := make([]Variable, len(names))
	for i, name := range names {
		vars[i] = Variable{Name: name}
	}
	return vars
}

func may(names ...string) []Variable {
	vars := needs(names...)
	for i := range vars {
		vars[i].Optional = true
	}
	return vars
}

// entries is the catalogue, by publisher. A package whose name is not listed is
// simply unknown; nothing is concluded from that but that it cannot be vouched
// for.
var entries = []Entry{
	// The protocol's own reference servers; those that moved name where to.
	{Package: "@modelcontextprotocol/server-everything", Runner: "npm", Stdio: []string{"stdio"}, HTTPPath: "/mcp", Port: 3001},
	{Package: "@modelcontextprotocol/server-filesystem", Runner: "npm", Arguments: []string{"DIRECTORY"}},
	{Package: "@modelcontextprotocol/server-memory", Runner: "npm", Variables: may("MEMORY_FILE_PATH")},
	{Package: "@modelcontextprotocol/server-sequential-thinking", Runner: "npm"},
	{Package: "@modelcontextprotocol/server-github", Runner: "npm", Variables: needs("GITHUB_PERSONAL_ACCESS_TOKEN"), Help: "https://github.com/settings/tokens", Successor: "ghcr.io/github/github-mcp-server", Remote: "https://api.githubcopilot.com/mcp/"},
	{Package: "@modelcontextprotocol/server-gitlab", Runner: "npm", Variables: needs("GITLAB_PERSONAL_ACCESS_TOKEN"), Help: "https://gitlab.com/-/user_settings/personal_access_tokens"},
	{Package: "@modelcontextprotocol/server-slack", Runner: "npm", Variables: needs("SLACK_BOT_TOKEN", "SLACK_TEAM_ID"), Help: "https://api.slack.com/apps"},
	{Package: "@modelcontextprotocol/server-postgres", Runner: "npm", Arguments: []string{"DATABASE_URL"}, Port: 5432},
	{Package: "@modelcontextprotocol/server-redis", Runner: "npm", Arguments: []string{"REDIS_URL"}, Port: 6379},
	{Package: "@modelcontextprotocol/server-brave-search", Runner: "npm", Variables: needs("BRAVE_API_KEY"), Help: "https://brave.com/search/api/", Successor: "@brave/brave-search-mcp-server"},
	{Package: "@modelcontextprotocol/server-puppeteer", Runner: "npm", Successor: "@playwright/mcp"},
	{Package: "@modelcontextprotocol/server-google-maps", Runner: "npm", Variables: needs("GOOGLE_MAPS_API_KEY"), Help: "https://console.cloud.google.com/google/maps-apis/credentials"},
	{Package: "@modelcontextprotocol/server-gdrive", Runner: "npm", Variables: may("GDRIVE_CREDENTIALS_PATH"), Help: "https://console.cloud.google.com/apis/credentials"},
	{Package: "@modelcontextprotocol/server-everart", Runner: "npm", Variables: needs("EVERART_API_KEY"), Help: "https://www.everart.ai/api"},
	{Package: "@modelcontextprotocol/server-aws-kb-retrieval", Runner: "npm", Variables: needs("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"), Help: "https://console.aws.amazon.com/iam/"},
	{Package: "mcp-server-git", Runner: "pypi"},
	{Package: "mcp-server-fetch", Runner: "pypi"},
	{Package: "mcp-server-time", Runner: "pypi"},
	{Package: "mcp-server-sqlite", Runner: "pypi", Arguments: []string{"--db-path"}},
	{Package: "mcp-server-sentry", Runner: "pypi", Arguments: []string{"--auth-token"}, Help: "https://sentry.io/settings/account/api/auth-tokens/", Remote: "https://mcp.sentry.dev/mcp"},
	{Package: "@modelcontextprotocol/server-fetch", Runner: "npm", Successor: "mcp-server-fetch"},
	{Package: "@modelcontextprotocol/server-git", Runner: "npm", Successor: "mcp-server-git"},
	{Package: "@modelcontextprotocol/server-time", Runner: "npm", Successor: "mcp-server-time"},
	{Package: "@modelcontextprotocol/server-sqlite", Runner: "npm", Successor: "mcp-server-sqlite"},
	{Package: "@modelcontextprotocol/server-playwright", Runner: "npm", Successor: "@playwright/mcp"},
	{Package: "@modelcontextprotocol/server-notion", Runner: "npm", Successor: "@notionhq/notion-mcp-server"},
	{Package: "@modelcontextprotocol/server-context7", Runner: "npm", Successor: "@upstash/context7-mcp"},
	{Package: "@context7/mcp", Runner: "npm", Successor: "@upstash/context7-mcp"},
	{Package: "@context7/mcp-server", Runner: "npm", Successor: "@upstash/context7-mcp"},
	{Package: "context7-mcp", Runner: "npm", Successor: "@upstash/context7-mcp"},

	// Code hosts, issue trackers, chat and documents.
	{Package: "ghcr.io/github/github-mcp-server", Runner: "docker", Variables: needs("GITHUB_PERSONAL_ACCESS_TOKEN"), Help: "https://github.com/settings/tokens", Stdio: []string{"stdio"}},
	{Package: "@notionhq/notion-mcp-server", Runner: "npm", Variables: []Variable{{Name: "NOTION_TOKEN"}, {Name: "OPENAPI_MCP_HEADERS", Optional: true}}, Help: "https://www.notion.so/profile/integrations"},
	{Package: "@tacticlaunch/mcp-linear", Runner: "npm", Variables: needs("LINEAR_API_TOKEN"), Help: "https://linear.app/settings/api", Remote: "https://mcp.linear.app/mcp"},
	{Package: "@roychri/mcp-server-asana", Runner: "npm", Variables: needs("ASANA_ACCESS_TOKEN"), Help: "https://app.asana.com/0/my-apps"},
	{Package: "@mondaydotcomorg/monday-api-mcp", Runner: "npm", Variables: needs("MONDAY_TOKEN"), Help: "https://support.monday.com/hc/en-us/articles/360005144659"},
	{Package: "mcp-atlassian", Runner: "pypi", Variables: may("JIRA_URL", "JIRA_USERNAME", "JIRA_API_TOKEN", "CONFLUENCE_URL", "CONFLUENCE_USERNAME", "CONFLUENCE_API_TOKEN"), Help: "https://id.atlassian.com/manage-profile/security/api-tokens"},
	{Package: "airtable-mcp-server", Runner: "npm", Variables: needs("AIRTABLE_API_KEY"), Help: "https://airtable.com/create/tokens"},
	{Package: "@hubspot/mcp-server", Runner: "npm", Variables: needs("PRIVATE_APP_ACCESS_TOKEN"), Help: "https://developers.hubspot.com/docs/guides/apps/private-apps/overview"},
	{Package: "webflow-mcp-server", Runner: "npm", Variables: needs("WEBFLOW_TOKEN"), Help: "https://developers.webflow.com/data/reference/rest-introduction"},
	{Package: "figma-developer-mcp", Runner: "npm", Variables: needs("FIGMA_API_KEY"), Help: "https://help.figma.com/hc/en-us/articles/8085703771159", Stdio: []string{"--stdio"}},
	{Package: "mcp-obsidian", Runner: "npm", Arguments: []string{"VAULT_DIRECTORY"}},
	{Package: "obsidian-mcp-server", Runner: "npm", Variables: needs("OBSIDIAN_API_KEY"), Help: "https://github.com/coddingtonbear/obsidian-local-rest-api", Port: 27123},
	{Package: "mcp-server-gsc", Runner: "npm", Variables: needs("GOOGLE_APPLICATION_CREDENTIALS"), Help: "https://console.cloud.google.com/apis/credentials"},
	{Package: "@gongrzhe/server-gmail-autoauth-mcp", Runner: "npm", Help: "https://console.cloud.google.com/apis/credentials"},

	// Search and the web.
	{Package: "@brave/brave-search-mcp-server", Runner: "npm", Variables: needs("BRAVE_API_KEY"), Help: "https://brave.com/search/api/", Stdio: []string{"--transport", "stdio"}},
	{Package: "tavily-mcp", Runner: "npm", Variables: may("TAVILY_API_KEY"), Help: "https://app.tavily.com/home"},
	{Package: "exa-mcp-server", Runner: "npm", Variables: needs("EXA_API_KEY"), Help: "https://dashboard.exa.ai/api-keys"},
	{Package: "firecrawl-mcp", Runner: "npm", Variables: needs("FIRECRAWL_API_KEY"), Help: "https://www.firecrawl.dev/app/api-keys"},
	{Package: "perplexity-mcp", Runner: "npm", Variables: needs("PERPLEXITY_API_KEY"), Help: "https://www.perplexity.ai/settings/api"},
	{Package: "@perplexity-ai/mcp-server", Runner: "npm", Variables: needs("PERPLEXITY_API_KEY"), Help: "https://www.perplexity.ai/settings/api"},
	{Package: "serper-search-scrape-mcp-server", Runner: "npm", Variables: needs("SERPER_API_KEY"), Help: "https://serper.dev/api-key"},
	{Package: "@adenot/mcp-google-search", Runner: "npm", Variables: needs("GOOGLE_API_KEY", "GOOGLE_SEARCH_ENGINE_ID"), Help: "https://console.cloud.google.com/apis/credentials"},
	{Package: "jina-mcp-tools", Runner: "npm", Variables: may("JINA_API_KEY"), Help: "https://jina.ai/api-dashboard/"},
	{Package: "@upstash/context7-mcp", Runner: "npm", Variables: may("CONTEXT7_API_KEY"), Help: "https://context7.com/dashboard", Stdio: []string{"--transport", "stdio"}, HTTPPath: "/mcp", Remote: "https://mcp.context7.com/mcp"},
	{Package: "mcp-remote", Runner: "npm", Arguments: []string{"URL"}},

	// Browsers.
	{Package: "@playwright/mcp", Runner: "npm"},
	{Package: "@executeautomation/playwright-mcp-server", Runner: "npm"},
	{Package: "chrome-devtools-mcp", Runner: "npm"},
	{Package: "puppeteer-mcp-server", Runner: "npm"},
	{Package: "@angiejones/mcp-selenium", Runner: "npm"},
	{Package: "@agent-infra/mcp-server-browser", Runner: "npm"},
	{Package: "hyperbrowser-mcp", Runner: "npm", Variables: needs("HYPERBROWSER_API_KEY"), Help: "https://app.hyperbrowser.ai/"},
	{Package: "@browserstack/mcp-server", Runner: "npm", Variables: needs("BROWSERSTACK_USERNAME", "BROWSERSTACK_ACCESS_KEY"), Help: "https://www.browserstack.com/accounts/profile/details"},

	// Databases.
	{Package: "mongodb-mcp-server", Runner: "npm", Variables: may("MDB_MCP_CONNECTION_STRING", "MDB_MCP_API_CLIENT_ID", "MDB_MCP_API_CLIENT_SECRET"), Port: 27017},
	{Package: "@bytebase/dbhub", Runner: "npm", Variables: may("DSN"), Arguments: []string{"--dsn"}, Stdio: []string{"--transport", "stdio"}},
	{Package: "@executeautomation/database-server", Runner: "npm", Arguments: []string{"DATABASE_FILE"}},
	{Package: "@henkey/postgres-mcp-server", Runner: "npm", Variables: may("POSTGRES_CONNECTION_STRING"), Port: 5432},
	{Package: "postgres-mcp", Runner: "pypi", Variables: needs("DATABASE_URI"), Port: 5432},
	{Package: "@benborla29/mcp-server-mysql", Runner: "npm", Variables: needs("MYSQL_HOST", "MYSQL_USER", "MYSQL_PASS", "MYSQL_DB"), Port: 3306},
	{Package: "@gongrzhe/server-redis-mcp", Runner: "npm", Arguments: []string{"REDIS_URL"}, Port: 6379},
	{Package: "@elastic/mcp-server-elasticsearch", Runner: "npm", Variables: []Variable{{Name: "ES_URL"}, {Name: "ES_API_KEY", Optional: true}}, Help: "https://www.elastic.co/docs/deploy-manage/api-keys", Port: 9200},
	{Package: "@zilliz/claude-context-mcp", Runner: "npm", Variables: needs("OPENAI_API_KEY", "MILVUS_TOKEN"), Help: "https://cloud.zilliz.com/"},
	{Package: "@neondatabase/mcp-server-neon", Runner: "npm", Variables: needs("NEON_API_KEY"), Help: "https://console.neon.tech/app/settings/api-keys", Remote: "https://mcp.neon.tech/mcp"},
	{Package: "@supabase/mcp-server-supabase", Runner: "npm", Variables: needs("SUPABASE_ACCESS_TOKEN"), Help: "https://supabase.com/dashboard/account/tokens", Remote: "https://mcp.supabase.com/mcp"},
	{Package: "@ergut/mcp-bigquery-server", Runner: "npm", Arguments: []string{"--project-id"}, Help: "https://console.cloud.google.com/"},
	{Package: "mcp-clickhouse", Runner: "pypi", Variables: needs("CLICKHOUSE_HOST", "CLICKHOUSE_USER", "CLICKHOUSE_PASSWORD"), Port: 8443},
	{Package: "mcp-neo4j-cypher", Runner: "pypi", Variables: needs("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD"), Port: 7687},
	{Package: "mcp-server-qdrant", Runner: "pypi", Variables: needs("QDRANT_URL", "COLLECTION_NAME"), Port: 6333},

	// Clouds, payments, operations.
	{Package: "@stripe/mcp", Runner: "npm", Variables: needs("STRIPE_SECRET_KEY"), Help: "https://dashboard.stripe.com/apikeys", Remote: "https://mcp.stripe.com"},
	{Package: "@paddle/paddle-mcp", Runner: "npm", Arguments: []string{"--api-key"}, Help: "https://vendors.paddle.com/authentication-v2"},
	{Package: "shopify-mcp", Runner: "npm", Arguments: []string{"--accessToken", "--domain"}, Help: "https://shopify.dev/docs/apps/build/authentication-authorization"},
	{Package: "square-mcp-server", Runner: "npm", Variables: needs("ACCESS_TOKEN"), Help: "https://developer.squareup.com/apps"},
	{Package: "@digitalocean/mcp", Runner: "npm", Variables: needs("DIGITALOCEAN_API_TOKEN"), Help: "https://cloud.digitalocean.com/account/api/tokens"},
	{Package: "@railway/mcp-server", Runner: "npm", Help: "https://docs.railway.com/reference/mcp-server"},
	{Package: "@circleci/mcp-server-circleci", Runner: "npm", Variables: needs("CIRCLECI_TOKEN"), Help: "https://app.circleci.com/settings/user/tokens"},
	{Package: "@winor30/mcp-server-datadog", Runner: "npm", Variables: needs("DATADOG_API_KEY", "DATADOG_APP_KEY"), Help: "https://app.datadoghq.com/organization-settings/api-keys"},
	{Package: "@sentry/mcp-server", Runner: "npm", Arguments: []string{"--access-token"}, Help: "https://sentry.io/settings/account/api/auth-tokens/", Remote: "https://mcp.sentry.dev/mcp"},
	{Package: "@launchdarkly/mcp-server", Runner: "npm", Arguments: []string{"--api-key"}, Help: "https://app.launchdarkly.com/settings/authorization"},
	{Package: "@cloudflare/mcp-server-cloudflare", Runner: "npm", Help: "https://developers.cloudflare.com/agents/model-context-protocol/", Remote: "https://docs.mcp.cloudflare.com/mcp"},
	{Package: "@heroku/mcp-server", Runner: "npm", Variables: needs("HEROKU_API_KEY"), Help: "https://dashboard.heroku.com/account"},
	{Package: "@azure/mcp", Runner: "npm", Stdio: []string{"server", "start"}},
	{Package: "kubernetes-mcp-server", Runner: "npm", Variables: may("KUBECONFIG")},
	{Package: "@confluentinc/mcp-confluent", Runner: "npm", Variables: may("BOOTSTRAP_SERVERS", "KAFKA_API_KEY", "KAFKA_API_SECRET")},
	{Package: "sonarqube-mcp-server", Runner: "npm", Variables: needs("SONARQUBE_TOKEN"), Help: "https://sonarcloud.io/account/security"},
	{Package: "@currents/mcp", Runner: "npm", Variables: needs("CURRENTS_API_KEY"), Help: "https://app.currents.dev/"},
	{Package: "firebase-tools", Runner: "npm", Stdio: []string{"mcp"}},
	{Package: "@auth0/auth0-mcp-server", Runner: "npm", Stdio: []string{"run"}},
	{Package: "convex", Runner: "npm", Stdio: []string{"mcp", "start"}},
	{Package: "snyk", Runner: "npm", Stdio: []string{"mcp", "-t", "stdio"}, Variables: may("SNYK_TOKEN"), Help: "https://app.snyk.io/account"},
	{Package: "@angular/cli", Runner: "npm", Stdio: []string{"mcp"}},
	{Package: "trigger.dev", Runner: "npm", Stdio: []string{"mcp"}},

	// Media, maps, models and the rest.
	{Package: "@21st-dev/magic", Runner: "npm", Variables: needs("API_KEY"), Help: "https://21st.dev/magic/console"},
	{Package: "replicate-mcp", Runner: "npm", Variables: needs("REPLICATE_API_TOKEN"), Help: "https://replicate.com/account/api-tokens"},
	{Package: "resend-mcp", Runner: "npm", Variables: needs("RESEND_API_KEY"), Help: "https://resend.com/api-keys"},
	{Package: "@amap/amap-maps-mcp-server", Runner: "npm", Variables: needs("AMAP_MAPS_API_KEY"), Help: "https://console.amap.com/dev/key/app"},
	{Package: "@baidumap/mcp-server-baidu-map", Runner: "npm", Variables: needs("BAIDU_MAP_API_KEY"), Help: "https://lbsyun.baidu.com/apiconsole/key"},
	{Package: "@mapbox/mcp-devkit-server", Runner: "npm", Variables: needs("MAPBOX_ACCESS_TOKEN"), Help: "https://account.mapbox.com/access-tokens/"},
	{Package: "@mux/mcp", Runner: "npm", Variables: needs("MUX_TOKEN_ID", "MUX_TOKEN_SECRET"), Help: "https://dashboard.mux.com/settings/access-tokens"},
	{Package: "@llmindset/hf-mcp-server", Runner: "npm", Variables: may("DEFAULT_HF_TOKEN"), Help: "https://huggingface.co/settings/tokens"},
	{Package: "task-master-ai", Runner: "npm", Variables: may("ANTHROPIC_API_KEY", "PERPLEXITY_API_KEY", "OPENAI_API_KEY")},
	{Package: "n8n-mcp", Runner: "npm", Variables: []Variable{{Name: "MCP_MODE"}, {Name: "N8N_API_URL", Optional: true}, {Name: "N8N_API_KEY", Optional: true}}},
	{Package: "@ivotoby/openapi-mcp-server", Runner: "npm", Arguments: []string{"--openapi-spec"}, Stdio: []string{"--transport", "stdio"}},
	{Package: "apidog-mcp-server", Runner: "npm", Variables: needs("APIDOG_ACCESS_TOKEN"), Arguments: []string{"--project"}, Help: "https://docs.apidog.com/apidog-mcp-server-889477m0"},
	{Package: "@gongrzhe/office-word-mcp-server", Runner: "npm"},
	{Package: "expo-mcp", Runner: "npm", Arguments: []string{"--dev-server-url"}},
	{Package: "mcp-hub", Runner: "npm", Arguments: []string{"--port", "--config"}, HTTPPath: "/mcp"},
	{Package: "@wonderwhy-er/desktop-commander", Runner: "npm"},
	{Package: "blender-mcp", Runner: "pypi", Port: 9876},
	{Package: "serena-agent", Runner: "pypi"},
}
