package highlight

// This file colours what is read line by line.

import "strings"

// diff colours whole lines.
func diff(p *painter, s string) {
	for line := range strings.Lines(s) {
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), strings.HasPrefix(line, "diff "), strings.HasPrefix(line, "index "):
			p.add(comment, line)
		case strings.HasPrefix(line, "@@"):
			p.add(keyword, line)
		case strings.HasPrefix(line, "+"):
			p.add(inserted, line)
		case strings.HasPrefix(line, "-"):
			p.add(deleted, line)
		default:
			p.add("", line)
		}
	}
}

// console colours what somebody typed behind a prompt; the rest is output.
func console(p *painter, s string) {
	shell := find("sh")
	for line := range strings.Lines(s) {
		typed := strings.TrimLeft(line, " \t")
		switch {
		case strings.HasPrefix(typed, "$ "), strings.HasPrefix(typed, "> "), strings.HasPrefix(typed, "% "):
			begin := len(line) - len(typed) + 2
			p.add(comment, line[:begin])
			code(p, shell, line[begin:])
		case strings.HasPrefix(typed, "# "):
			p.add(comment, line)
		default:
			p.add("", line)
		}
	}
}

// pairs colours files of keys and values, such as INI and TOML.
func pairs(p *painter, g *grammar, s string) {
	for line := range strings.Lines(s) {
		if head := strings.TrimSpace(line); strings.HasPrefix(head, "[") && strings.HasSuffix(head, "]") && !strings.Contains(head, "=") {
			p.add(keyword, line)
			continue
		}
		code(p, g, line)
	}
}

// markdown colours headings, quotes and code.
func markdown(p *painter, s string) {
	fenced := false
	for line := range strings.Lines(s) {
		typed := strings.TrimSpace(line)
		fence := strings.HasPrefix(typed, "```") || strings.HasPrefix(typed, "~~~")
		switch {
		case fence:
			fenced = !fenced
			p.add(comment, line)
		case fenced:
			p.add(text, line)
		case strings.HasPrefix(typed, "#"):
			p.add(keyword, line)
		case strings.HasPrefix(typed, ">"):
			p.add(comment, line)
		default:
			p.add("", line)
		}
	}
}
