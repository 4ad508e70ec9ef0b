package core

import (
	"slices"
	"strings"

	"mcpmend/core/config"
)

// commonKeys are the words of our sentences for the parts of an entry. Clients
// spell some of them otherwise.
var commonKeys = []struct {
	role      config.Role
	transport config.Transport
	key       string
}{
	{config.RoleEnv, config.Stdio, "env"},
	{config.RoleArgs, config.Stdio, "args"},
	{config.RoleCommand, config.Stdio, "command"},
	{config.RoleHeaders, config.HTTP, "headers"},
	{config.RoleURL, config.HTTP, "url"},
}

// spelled is a sentence of ours with the keys that the client has.
func (e *examination) spelled(sentence string) string {
	if e.client == nil {
		return sentence
	}
	for _, k := range commonKeys {
		if f := e.client.Spelling(k.role, k.transport); f != nil && f.Name != k.key {
			sentence = strings.ReplaceAll(sentence, `"`+k.key+`"`, `"`+f.Name+`"`)
		}
	}
	return sentence
}

// isSet tells whether an entry gives a variable a value.
func isSet(s *config.Server, variable string) bool {
	return slices.ContainsFunc(s.Env, func(v config.Variable) bool { return v.Name == variable && v.Value != "" })
}

// unsetAmong is the first variable in a message that an entry does not set, for
// a message that asks for several: those that are there are not what is missing.
func unsetAmong(message string, s *config.Server) string {
	words := strings.FieldsFunc(message, func(r rune) bool {
		return !('A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_')
	})
	for _, word := range words {
		if strings.Contains(strings.Trim(word, "_"), "_") && word == strings.ToUpper(word) && !isSet(s, word) {
			return word
		}
	}
	return ""
}
