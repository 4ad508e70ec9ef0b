package install

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/matryer/is"

	"mcpmend/core/config"
)

func TestRegistry(t *testing.T) {
	answers := map[string]string{
		"/v0.1/servers/io.github.you%2Fweather/versions/latest": `{"server": {"name": "io.github.you/weather", "packages": [
			{"registryType": "npm", "identifier": "@you/weather", "version": "1.2.3", "transport": {"type": "stdio"},
			 "packageArguments": [{"type": "named", "name": "--units", "default": "metric"}],
			 "environmentVariables": [{"name": "WEATHER_KEY", "isRequired": true, "isSecret": true}, {"name": "WEATHER_CITY", "default": "Paris"}]}]}}`,
		"/v0.1/servers/io.github.you%2Fremote/versions/latest": `{"server": {"name": "io.github.you/remote", "remotes": [
			{"type": "streamable-http", "url": "https://mcp.example.com/mcp", "headers": [{"name": "Authorization", "isRequired": true}]}]}}`,
		"/v0.1/servers/io.github.you%2Fodd/versions/latest": `{"server": {"name": "io.github.you/odd", "packages": [
			{"registryType": "npm", "identifier": "--registry=https://registry.example.org", "version": "1"},
			{"registryType": "npm", "identifier": "x; rm", "version": "1"}]}}`,
	}
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := answers[r.URL.EscapedPath()]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Write([]byte(answer))
	}))
	defer ts.Close()
	registry := Registry{Base: ts.URL}

	t.Run("package", func(t *testing.T) {
		is := is.New(t)
		got, err := registry.Look(context.Background(), "io.github.you/weather")
		is.NoErr(err)
		is.Equal(got.Server.Command, "npx")
		is.Equal(got.Server.Args, []string{"-y", "@you/weather@1.2.3", "--units", "metric"})
		is.Equal(got.Server.Env, []config.Variable{{Name: "WEATHER_CITY", Value: "Paris"}})
		is.Equal(got.Required, []Need{{Name: "WEATHER_KEY", Secret: true}})
	})
	t.Run("remote", func(t *testing.T) {
		is := is.New(t)
		got, err := registry.Look(context.Background(), "io.github.you/remote")
		is.NoErr(err)
		is.Equal(got.Server.URL, "https://mcp.example.com/mcp")
		is.Equal(got.Required[0].Name, "Authorization")
	})
	for _, name := range []string{"io.github.you/nobody", "io.github.you/odd", "io.github.x/../../y", "weather", "--config=/x", ""} {
		t.Run("refused "+name, func(t *testing.T) {
			_, err := registry.Look(context.Background(), name)
			is.New(t).True(err != nil)
		})
	}
}
