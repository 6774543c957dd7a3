package kb

import (
	"strconv"
	"strings"
	"unicode"

	"evergreen"
)

// This file chooses the language of rules, packs and messages.

// Lang returns evergreen.LangEnglish or evergreen.LangChinese. What was asked
// for wins. When that is "" or "auto", the topic decides for Chinese if its
// Chinese characters outnumber its Latin words, else the Accept-Language header
// (RFC 9110, section 12.5.4), else it is English. Another value of asked is an
// Invalid error.
func Lang(asked, topic, acceptLanguage string) (string, error) {
	switch asked {
	case evergreen.LangEnglish, evergreen.LangChinese:
		return asked, nil
	case "", evergreen.LangAuto:
	default:
		return "", evergreen.Errorf(evergreen.Invalid, "lang %q is not known", asked).
			Fix("Use lang=en, lang=zh or lang=auto.")
	}
	if chinese, latin := countScripts(topic); chinese > latin {
		return evergreen.LangChinese, nil
	}
	return acceptedLang(acceptLanguage), nil
}

// countScripts counts Chinese characters and Latin words. Digits and
// apostrophes belong to the word they follow.
func countScripts(topic string) (chinese, latinWords int) {
	inWord := false
	for _, r := range topic {
		switch {
		case r >= 0x3400 && r <= 0x9FFF || r >= 0xF900 && r <= 0xFAFF || r >= 0x20000 && r <= 0x323AF:
			chinese++
			inWord = false
		case unicode.Is(unicode.Latin, r):
			if !inWord {
				latinWords++
			}
			inWord = true
		case inWord && (unicode.IsDigit(r) || r == '\'' || r == '\u2019' || unicode.Is(unicode.M, r)):
		default:
			inWord = false
		}
	}
	return chinese, latinWords
}

// acceptedLang returns the one of our two languages with the higher weight, the
// first listed when they are level, English when neither is named.
func acceptedLang(header string) string {
	best, lang := 0.0, evergreen.LangEnglish
	for part := range strings.SplitSeq(header, ",") {
		tag, params, _ := strings.Cut(part, ";")
		primary, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
		if primary != evergreen.LangEnglish && primary != evergreen.LangChinese {
			continue
		}
		if q := weight(params); q > best {
			best, lang = q, primary
		}
	}
	return lang
}

// weight reads q from the parameters of a language range. A weight that is not
// a number counts as 1, one above 1 as 1.
func weight(params string) float64 {
	for p := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(p, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(q < 1) {
			return 1
		}
		return max(q, 0)
	}
	return 1
}
