package site

// This file writes the structured data of pages: schema.org as one JSON-LD
// graph.

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"evergreen"
)

type ldGraph struct {
	Context string `json:"@context"`
	Graph   []any  `json:"@graph"`
}

type ldRef struct {
	ID string `json:"@id"`
}

type ldWebSite struct {
	Type       string   `json:"@type"`
	ID         string   `json:"@id"`
	Name       string   `json:"name"`
	URL        string   `json:"url"`
	InLanguage []string `json:"inLanguage"`
	Publisher  ldRef    `json:"publisher"`
}

type ldOrganization struct {
	Type string `json:"@type"`
	ID   string `json:"@id"`
	Name string `json:"name"`
	URL  string `json:"url"`
}

type ldDataset struct {
	Type         string       `json:"@type"`
	ID           string       `json:"@id"`
	Name         string       `json:"name"`
	Description  string       `json:"description"`
	URL          string       `json:"url"`
	License      string       `json:"license,omitempty"`
	DateModified string       `json:"dateModified,omitempty"`
	Creator      ldRef        `json:"creator"`
	Distribution []ldDownload `json:"distribution"`
}

type ldDownload struct {
	Type           string `json:"@type"`
	EncodingFormat string `json:"encodingFormat"`
	ContentURL     string `json:"contentUrl"`
}

type ldSoftware struct {
	Type     string  `json:"@type"`
	Name     string  `json:"name"`
	Category string  `json:"applicationCategory"`
	System   string  `json:"operatingSystem,omitempty"`
	Offers   ldOffer `json:"offers"`
}

type ldOffer struct {
	Type     string `json:"@type"`
	Price    string `json:"price"`
	Currency string `json:"priceCurrency"`
}

type ldFAQ struct {
	Type       string       `json:"@type"`
	MainEntity []ldQuestion `json:"mainEntity"`
}

type ldQuestion struct {
	Type   string   `json:"@type"`
	Name   string   `json:"name"`
	Answer ldAnswer `json:"acceptedAnswer"`
}

type ldAnswer struct {
	Type string `json:"@type"`
	Text string `json:"text"`
}

type ldArticle struct {
	Type         string     `json:"@type"`
	ID           string     `json:"@id"`
	Headline     string     `json:"headline"`
	Description  string     `json:"description,omitempty"`
	URL          string     `json:"url"`
	InLanguage   string     `json:"inLanguage"`
	DateModified string     `json:"dateModified,omitempty"`
	IsPartOf     ldRef      `json:"isPartOf"`
	Encoding     ldDownload `json:"encoding"`
}

type ldBreadcrumbs struct {
	Type  string    `json:"@type"`
	Items []ldCrumb `json:"itemListElement"`
}

type ldCrumb struct {
	Type     string `json:"@type"`
	Position int    `json:"position"`
	Name     string `json:"name"`
	Item     string `json:"item"`
}

// JSONLD is the content of a page's <script type="application/ld+json">: '<',
// '>' and '&' are escaped, so that no text can end the element.
func (s *Site) JSONLD(p Page) ([]byte, error) {
	g := ldGraph{Context: "https://schema.org", Graph: s.siteGraph()}
	if p.Kind == KindDocument {
		g.Graph = append(g.Graph, s.article(&p))
	}
	if crumbs := s.Breadcrumbs(p); p.Kind == KindDocument && len(crumbs) > 1 {
		list := ldBreadcrumbs{Type: "BreadcrumbList"}
		for i, c := range crumbs {
			list.Items = append(list.Items, ldCrumb{"ListItem", i + 1, c.Name, c.URL})
		}
		g.Graph = append(g.Graph, list)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b) // escapes HTML
	e.SetIndent("", "  ")
	err := e.Encode(g)
	return b.Bytes(), err
}

// siteGraph is what every page says: the site, who publishes it, its data, and
// the software and questions it has.
func (s *Site) siteGraph() []any {
	organization := ldRef{s.url("/") + "#organization"}
	graph := []any{
		ldWebSite{"WebSite", s.url("/") + "#website", s.o.Name, s.url("/"), s.o.Languages, organization},
		ldOrganization{"Organization", organization.ID, s.o.Organization.Name, s.organizationURL()},
		ldDataset{Type: "Dataset", ID: s.url("/") + "#dataset", Name: s.o.Name + " Knowledge Base",
			Description: "Entries and sections of " + s.o.Name + " with ids, dates and confidence.",
			URL:         s.url("/context.json"), License: s.in.Policy.LicenceURL(), DateModified: s.pages.list[0].updated,
			Creator: organization,
			Distribution: []ldDownload{{"DataDownload", "application/json", s.url("/context.json")},
				{"DataDownload", "text/markdown", s.url("/llms-full.txt")}}},
	}
	if sw := s.o.Software; sw != nil {
		graph = append(graph, ldSoftware{"SoftwareApplication", sw.Name, or(sw.Category, "DeveloperApplication"), sw.Systems,
			ldOffer{"Offer", or(sw.Price, "0"), or(sw.Currency, "USD")}})
	}
	faq := ldFAQ{Type: "FAQPage"}
	for _, e := range s.faq() {
		faq.MainEntity = append(faq.MainEntity, ldQuestion{"Question", oneLine(e.Title),
			ldAnswer{"Answer", shorten(plain(firstText(e)), maxFAQAnswer)}})
	}
	if len(faq.MainEntity) > 0 {
		graph = append(graph, faq)
	}
	return graph
}

// faq are the curated entries that are a question with its answer.
func (s *Site) faq() []evergreen.Entry {
	var found []evergreen.Entry
	for _, e := range s.snap.Entries() {
		title := strings.TrimSpace(e.Title)
		question := strings.HasSuffix(title, "?") || strings.HasSuffix(title, "？") || slices.Contains(e.Tags, "faq")
		if question && firstText(e) != "" && len(found) < maxFAQ {
			found = append(found, e)
		}
	}
	return found
}

// firstText is what an entry answers, in short.
func firstText(e evergreen.Entry) string {
	if body := strings.TrimSpace(e.Body); body != "" {
		return body
	}
	return strings.TrimSpace(e.Summary)
}

func (s *Site) article(p *Page) ldArticle {
	return ldArticle{"TechArticle", s.url(p.Path) + "#article", p.Title, s.sentence(p), s.url(p.Path), s.Lang(*p), p.updated,
		ldRef{s.url("/") + "#website"}, ldDownload{"MediaObject", "text/markdown", s.url(p.mirror())}}
}

// Lang is the language of a page: its own, else the site's main one.
func (s *Site) Lang(p Page) string { return or(p.Meta.Lang, s.o.Languages[0]) }

// Crumb is one step from the home page to a page.
type Crumb struct{ Name, URL string }

// Breadcrumbs is the way from the home page to a page: the folders above it
// that have a page of their own, and the page itself.
func (s *Site) Breadcrumbs(p Page) []Crumb {
	crumbs := []Crumb{{s.o.Name, s.url("/")}}
	if p.Kind == KindHome {
		return crumbs
	}
	var above []Crumb
	for dir := path.Dir(strings.TrimSuffix(p.Path, "/")); dir != "/" && dir != "."; dir = path.Dir(dir) {
		for _, at := range []string{dir + "/", dir} {
			folder, _, ok := s.PageAt(at)
			if ok && folder.Path != p.Path {
				above = append(above, Crumb{folder.Title, s.url(folder.Path)})
				break
			}
		}
	}
	slices.Reverse(above)
	return append(append(crumbs, above...), Crumb{p.Title, s.url(p.Path)})
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
