package session

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"mcpmend/core/catalog"
	"mcpmend/core/config"
	"mcpmend/core/fix"
	"mcpmend/core/module"
)

// scanned is a fix module that keeps to the limits.
type scanned struct {
	Manifest module.Manifest `json:"manifest"`
	Code     []byte          `json:"code"` // what the page's worker runs
}

// ModuleScan looks into a module's file, which comes as base64: strings are
// all that crosses the bridge.
func ModuleScan(file string) (string, error) {
	data, err := base64.StdEncoding.DecodeString(file)
	if err != nil {
		return "", fmt.Errorf("reading the module: %w", err)
	}
	var s scanned
	if s.Manifest, err = module.ReadManifest(data); err != nil {
		return "", err
	}
	if s.Code, err = module.Scan(data); err != nil {
		return "", err
	}
	return encode(s), nil
}

// ModuleRequest is what to ask a module about a diagnosis, or "" where the
// module is not made for it.
func (s *Session) ModuleRequest(diagnosis, manifest string) (string, error) {
	var m module.Manifest
	if err := json.Unmarshal([]byte(manifest), &m); err != nil {
		return "", fmt.Errorf("reading the manifest: %w", err)
	}
	i, doc, server, err := s.subject(diagnosis)
	if err != nil || server == nil {
		return "", err
	}
	d := s.report.Diagnoses[i]
	pkg := catalog.Unversioned(catalog.Parse(server.Command, server.Args).Package)
	if !m.Applies(s.client(), d.Code, d.Category, pkg) {
		return "", nil
	}
	return string(module.NewCall(d, doc, server, s.client(), s.input.Facts).JSON()), nil
}

// ModuleAnswer checks what a module said and adds its fixes to the diagnosis,
// where Mend finds them. It gives all fixes of the diagnosis.
func (s *Session) ModuleAnswer(diagnosis, name, answer string) (string, error) {
	i, doc, server, err := s.subject(diagnosis)
	if err != nil {
		return "", err
	}
	if server == nil {
		return "", errors.New("the diagnosis is about no server of the config")
	}
	d := &s.report.Diagnoses[i]
	response, err := module.NewCall(*d, doc, server, s.client(), s.input.Facts).Accept([]byte(answer), name)
	if err != nil {
		return "", err
	}
	d.Fixes = append(append([]fix.Fix{}, d.Fixes...), response.Fixes...)
	return encode(d.Fixes), nil
}

// subject is a diagnosis, by its place in the report, and the server that it is
// about, nil where there is none to change.
func (s *Session) subject(diagnosis string) (i int, doc *config.Document, server *config.Server, err error) {
	i, err = strconv.Atoi(diagnosis)
	if err != nil || i < 0 || i >= len(s.report.Diagnoses) {
		return 0, nil, nil, fmt.Errorf("there is no diagnosis %q", diagnosis)
	}
	if s.report.Config == nil || s.report.Diagnoses[i].Server == "" {
		return i, nil, nil, nil
	}
	text := s.conf()
	if s.report.Config.Repaired != "" {
		text = s.report.Config.Repaired
	}
	doc, err = config.Parse(text, config.Options{Client: s.client(), Format: s.report.Format})
	if err != nil {
		return i, nil, nil, nil // a config that cannot be read has no server to change
	}
	for n := range doc.Servers {
		if doc.Servers[n].Name == s.report.Diagnoses[i].Server {
			return i, doc, &doc.Servers[n], nil
		}
	}
	return i, doc, nil, nil
}
