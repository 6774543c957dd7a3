// Package report writes what a measurement found as a Markdown file: the
// question, under which circumstances it was asked, and tables. It measures
// nothing itself.
package report

import (
	"os"
	"path/filepath"
	"strings"
)

// Report is one results file.
type Report struct {
	Title string
	About []string // paragraphs: what is asked, and how it is measured
	Facts [][2]string
	parts []string
}

// Table is rows under a heading. Floor columns are cells like any other.
type Table struct {
	Heading string
	Note    string // a paragraph below the table
	Columns []string
	Rows    [][]string
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Table appends a table.
func (r *Report) Table(t Table) {
	var b strings.Builder
	if t.Heading != "" {
		b.WriteString("## " + t.Heading + "\n\n")
	}
	writeRow(&b, t.Columns)
	b.WriteString("|" + strings.Repeat(" --- |", len(t.Columns)) + "\n")
	for _, row := range t.Rows {
		writeRow(&b, row)
	}
	if t.Note != "" {
		b.WriteString("\n" + t.Note + "\n")
	}
	r.parts = append(r.parts, b.String())
}

// Say appends Markdown as it is.
func (r *Report) Say(markdown string) {
	r.parts = append(r.parts, strings.TrimRight(markdown, "\n")+"\n")
}

// Absent appends a line for something that could not be measured.
func (r *Report) Absent(what, why string) { r.Say("**Absent: " + what + "**: " + why + ".") }

// Markdown is the whole file.
func (r *Report) Markdown() string {
	var b strings.Builder
	b.WriteString("# " + r.Title + "\n\n")
	for _, p := range r.About {
		b.WriteString(p + "\n\n")
	}
	writeRow(&b, []string{"fact", "value"})
	b.WriteString("| --- | --- |\n")
	for _, f := range r.Facts {
		writeRow(&b, []string{f[0], f[1]})
	}
	for _, p := range r.parts {
		b.WriteString("\n" + p)
	}
	return b.String()
}

// Write puts the report at path, making its folder.
func (r *Report) Write(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(r.Markdown()), 0o644)
}

// writeRow escapes what would end a cell.
func writeRow(b *strings.Builder, cells []string) {
	b.WriteString("|")
	for _, c := range cells {
		b.WriteString(" " + strings.NewReplacer("|", `\|`, "\n", " ").Replace(c) + " |")
	}
	b.WriteString("\n")
}
