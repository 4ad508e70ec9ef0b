package report

import (
	"path"
	"sort"
	"strings"

	"mcpmend/core"
	"mcpmend/core/config"
)

// File is a config with its report, for formats that hold several.
type File struct {
	Path   string
	Report core.Report
}

// maxResults is what GitHub shows of one run; the worst come first.
const maxResults = 5000

// SARIF is the reports of files in the Static Analysis Results Interchange
// Format 2.1.0, as code scanning reads it.
func SARIF(files []File, version string) []byte {
	var results []sarifResult
	used := map[string]bool{}
	for _, f := range files {
		for _, d := range f.Report.Diagnoses {
			results = append(results, result(f, d))
			used[d.Code] = true
		}
	}
	sort.SliceStable(results, func(i, j int) bool { return levels[results[i].Level] < levels[results[j].Level] })
	run := sarifRun{Results: results[:min(len(results), maxResults)]}
	run.Tool.Driver = sarifDriver{Name: "mcpmend", Version: version, Rules: []sarifRule{}}
	if run.Results == nil {
		run.Results = []sarifResult{}
	}
	for _, rule := range core.Rules() {
		if used[rule.Code] {
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
				ID:               rule.Code,
				Name:             rule.Category,
				ShortDescription: message(rule.Title),
				FullDescription:  message(rule.Why),
				Help:             message(rule.Remedy),
				Configuration:    sarifConfiguration{string(rule.Severity)},
			})
		}
	}
	if left := len(results) - len(run.Results); left > 0 {
		run.Properties = map[string]int{"resultsLeftOut": left}
	}
	return IndentedJSON(sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	Results    []sarifResult  `json:"results"`
	Properties map[string]int `json:"properties,omitempty"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string             `json:"id"`
	Name             string             `json:"name"`
	ShortDescription sarifMessage       `json:"shortDescription"`
	FullDescription  sarifMessage       `json:"fullDescription"`
	Help             sarifMessage       `json:"help"`
	Configuration    sarifConfiguration `json:"defaultConfiguration"`
}

type sarifConfiguration struct {
	Level string `json:"level"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	Level        string            `json:"level"`
	Message      sarifMessage      `json:"message"`
	Locations    []sarifLocation   `json:"locations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact struct {
		URI string `json:"uri"`
	} `json:"artifactLocation"`
	Region *sarifRegion `json:"region,omitempty"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
}

// levels orders the words of SARIF, which are those of core.Severity.
var levels = map[string]int{"error": 0, "warning": 1, "note": 2}

func result(f File, d core.Diagnosis) sarifResult {
	r := sarifResult{RuleID: d.Code, Level: string(d.Severity), Message: message(d.Title + ". " + d.SuggestedFix)}
	uri := relativeURI(f.Path)
	if uri == "" {
		return r
	}
	var l sarifLocation
	l.Physical.Artifact.URI = uri
	for _, e := range d.Evidence {
		if e.In == core.InConfig {
			l.Physical.Region = &sarifRegion{e.Line, e.Column}
			break
		}
	}
	r.Locations = []sarifLocation{l}
	r.Fingerprints = map[string]string{"mcpmend/v1": d.Code + "/" + shown(d.Server)}
	return r
}

// relativeURI keeps artifact locations inside the checkout: a file outside it
// is named by its last element alone.
func relativeURI(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	if path.IsAbs(name) || strings.HasPrefix(path.Clean(name), "..") || strings.Contains(name, ":") {
		name = path.Base(name)
	}
	name = path.Clean(name)
	if name == "." || name == "/" {
		return ""
	}
	return strings.ReplaceAll(Safe(config.Mask(name)), " ", "%20")
}

// message is plain text for SARIF, which reads [x](1) as a link to a location.
func message(text string) sarifMessage {
	text = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(shown(text))
	if text == "" {
		text = "no description"
	}
	return sarifMessage{text}
}
