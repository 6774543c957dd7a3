package audittest

import (
	"fmt"
	"iter"
	"strings"
	"time"

	"evergreen"
	"evergreen/internal/site"
	"evergreen/internal/text"
)

// snapshot is the library behind the site.
type snapshot struct {
	documents []site.Document
	texts     map[string]string
	entries   []evergreen.Entry
}

const collection = "guide"

func newSnapshot() *snapshot {
	s := &snapshot{texts: map[string]string{}}
	for _, name := range []string{"install", "keys", "queues", "workers", "retries", "storage", "metrics", "upgrade", "backup", "安装"} {
		s.add(name)
	}
	for _, e := range []evergreen.Entry{
		{ID: "EG-201", Category: "rule", Title: "幻觉 与 引用：每条事实都要有出处", Tags: []string{"幻觉", "引用"},
			Body: "幻觉 的解法是 引用：每条事实后面写出条目编号。没有编号的事实不要写。不确定的时候就直说不确定，并且告诉读者还缺哪一份资料；资料超过十二个月没有更新，也要说明它可能已经过时。" +
				"引用的写法是方括号里的条目编号，放在句子的末尾；一句话用到两条资料，就写两个编号。改写原文可以，改变事实不可以。"},
		{ID: "EG-202", Category: "rule", Title: "token 预算：先问多少，再问什么", Tags: []string{"token", "预算"},
			Body: "token 预算 决定一次回答能放多少条目。被截断时提高预算，或缩小问题。先用两千个单位问一次，看看最好的条目有多长，再决定要不要问第二次。" +
				"预算太小的时候，最好的条目会被切成一段最相关的文字，并且标明它从哪里开始、全文有多长，这样正确的答案不会消失。"},
	} {
		for i := range 6 {
			e.Body += fmt.Sprintf("\n\n例 %d：读者问的是第 %d 个场景，回答先写结论，再写依据，最后写出处，三者各占一句话。", i+1, i+1)
		}
		e.Summary, e.Confidence, e.Collection, e.Curated = e.Title, 0.95, "kb", true
		e.Tokens = text.TokensOf(e.Title, "\n", e.Body)
		s.entries = append(s.entries, e)
	}
	return s
}

// add writes a document of three parts about a subject.
func (s *snapshot) add(subject string) {
	title := strings.ToUpper(subject[:1]) + subject[1:]
	if subject[0] >= 0x80 {
		title = subject
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\nThis page says how %s work in Example, a job server, from the first start to daily use.\n", title, subject)
	for i, part := range []string{"Overview", "Settings", "Limits", "Examples", "Faults"} {
		fmt.Fprintf(&b, "\n## %s of %s\n\nIn part %d the %s of %s are told in full sentences, each with an example that runs.\n\n"+
			"Whoever changes the %s of %s restarts the server afterwards and looks at its log for lines of level %d.\n",
			part, subject, i+1, strings.ToLower(part), subject, strings.ToLower(part), subject, i+1)
	}
	body := b.String()
	s.texts[subject+".md"] = body
	s.documents = append(s.documents, site.Document{Document: evergreen.Document{Collection: collection, Path: subject + ".md", Title: title,
		Meta: evergreen.Meta{Updated: "2026-11-12"}, Bytes: len(body), Tokens: text.Tokens(body)}})
}

func (s *snapshot) Revision() string           { return "r1" }
func (s *snapshot) Time() time.Time            { return time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC) }
func (s *snapshot) Entries() []evergreen.Entry { return s.entries }
func (s *snapshot) Knowledge() site.Knowledge {
	return site.Knowledge{Version: "1.0.0", Revision: "r1", Categories: []site.Category{{ID: "rule", Label: "Rules"}}}
}

func (s *snapshot) Collections() []evergreen.Collection {
	tokens := 0
	for _, d := range s.documents {
		tokens += d.Tokens
	}
	return []evergreen.Collection{
		{Name: collection, Documents: len(s.documents), Sections: 4 * len(s.documents), Tokens: tokens, IndexedAt: s.Time()},
		{Name: "kb", Documents: 1, Sections: len(s.entries), IndexedAt: s.Time(), Knowledge: true},
	}
}

func (s *snapshot) Documents(name string) iter.Seq[site.Document] {
	return func(yield func(site.Document) bool) {
		for _, d := range s.documents {
			if d.Collection == name && !yield(d) {
				return
			}
		}
	}
}

func (s *snapshot) Text(d site.Document) ([]byte, error) { return []byte(s.texts[d.Path]), nil }

func (s *snapshot) Sections(d site.Document) ([]evergreen.Entry, error) {
	var entries []evergreen.Entry
	for part := range strings.SplitSeq(s.texts[d.Path], "\n#") {
		title, body, _ := strings.Cut(strings.Trim(part, "# \n"), "\n")
		entries = append(entries, evergreen.Entry{ID: evergreen.SectionID(collection, d.Path, text.Slug(title)+"#2"), Category: "doc",
			Title: title, Summary: strings.TrimSpace(body), Body: strings.TrimSpace(body), Tags: []string{}, Confidence: 1,
			Tokens: text.TokensOf(title, "\n", body), Collection: collection, DocPath: d.Path, Anchor: text.Slug(title), Updated: "2026-11-12"})
	}
	return entries, nil
}
