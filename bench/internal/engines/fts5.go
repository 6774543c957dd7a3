package engines

// This file is SQLite's FTS5 as a contender, in its pure Go build.

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"evergreen/bench/internal/data"

	_ "modernc.org/sqlite"
)

type fts5 struct {
	db       *sql.DB
	language string
}

func (f *fts5) build(q question) (n int, err error) {
	if err := os.MkdirAll(q.Index, 0o755); err != nil {
		return 0, err
	}
	if err := f.open(q); err != nil {
		return 0, err
	}
	tokenizer := map[string]string{"en": "porter unicode61", "zh": "trigram"}[q.Language]
	for _, statement := range []string{
		"CREATE TABLE units (id TEXT)",
		"CREATE VIRTUAL TABLE texts USING fts5(title, body, content='', tokenize='" + tokenizer + "')",
	} {
		if _, err := f.db.Exec(statement); err != nil {
			return 0, err
		}
	}
	all, err := f.db.Begin()
	if err != nil {
		return 0, err
	}
	n, err = each(q.Units, func(u data.Unit) error {
		row, err := all.Exec("INSERT INTO units (id) VALUES (?)", u.ID)
		if err != nil {
			return err
		}
		number, err := row.LastInsertId()
		if err != nil {
			return err
		}
		_, err = all.Exec("INSERT INTO texts (rowid, title, body) VALUES (?, ?, ?)", number, u.Title, u.Body)
		return err
	})
	if err != nil {
		return n, err
	}
	return n, all.Commit()
}

func (f *fts5) open(q question) (err error) {
	f.language = q.Language
	if f.db, err = sql.Open("sqlite", filepath.Join(q.Index, "fts5.db")); err == nil {
		f.db.SetMaxOpenConns(1)
	}
	return err
}

func (f *fts5) search(query string, limit int) ([]string, error) {
	match := matchOf(query, f.language)
	if match == "" {
		return nil, nil
	}
	rows, err := f.db.Query("SELECT units.id FROM texts JOIN units ON units.rowid = texts.rowid WHERE texts MATCH ? ORDER BY rank LIMIT ?", match, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// matchOf asks for any of the query's words; of Chinese, which has no blanks,
// for any three characters in a row, the least that a trigram index finds.
func matchOf(query, language string) string {
	var terms []string
	for _, word := range strings.FieldsFunc(query, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		runes := []rune(word)
		if language != "zh" {
			terms = append(terms, `"`+word+`"`)
			continue
		}
		for i := 0; i+3 <= len(runes); i++ {
			terms = append(terms, `"`+string(runes[i:i+3])+`"`)
		}
	}
	return strings.Join(terms, " OR ")
}

func (f *fts5) close() error {
	if f.db == nil {
		return nil
	}
	return f.db.Close()
}
