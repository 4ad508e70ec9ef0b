package doctor

import (
	"slices"

	"mcpmend/core"
)

// Repair is a file that does not parse as it stands, and its text repaired.
type Repair struct {
	File  *File
	After string
}

// Repairs gives the files whose syntax can be mended. A client loads nothing
// of such a file, so this comes before its servers are looked at. With servers
// named, only files that hold one of them count.
func (d *Doctor) Repairs(files []File, names ...string) []Repair {
	var all []Repair
	for i := range files {
		f := &files[i]
		if f.Repairable() && (len(names) == 0 || f.holds(names)) {
			all = append(all, Repair{f, f.Report.Config.Repaired})
		}
	}
	return all
}

// Repairable says whether the client cannot read the file at all and there is a
// repair. What another client minds, such as a comment, may be fine for this one.
func (f *File) Repairable() bool {
	return f.Report.Config != nil && f.Report.Config.Repaired != "" && !f.unread && slices.ContainsFunc(f.Report.Diagnoses, func(d core.Diagnosis) bool {
		return d.Category == "config_syntax" && d.Severity == core.Error
	})
}

// holds says whether a file has a server of one of the names.
func (f *File) holds(names []string) bool {
	for _, s := range f.Report.Config.Servers {
		if slices.Contains(names, s.Name) {
			return true
		}
	}
	return false
}
