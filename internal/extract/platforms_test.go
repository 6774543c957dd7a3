package extract

import (
	"strings"
	"testing"

	"evergreen/internal/platform"
)

// TestEveryPlatform reads the skeleton of a page of each generator: its
// content must come out, its furniture must not. How well real pages are read
// is measured elsewhere.
func TestEveryPlatform(t *testing.T) {
	const in = "<h1>Guide</h1><p>CONTENT of the page.</p>"
	generator := func(s string) string { return `<meta name="generator" content="` + s + `">` }
	skeletons := map[string]string{
		"docusaurus":      generator("Docusaurus v3") + `<main><nav class="theme-doc-breadcrumbs">NOISE</nav><article><div class="theme-doc-markdown">` + in + `</div><footer class="theme-doc-footer">NOISE</footer></article></main>`,
		"mkdocs-material": generator("mkdocs-1.6, mkdocs-material-9.5") + `<article class="md-content__inner"><a class="md-content__button">NOISE</a>` + in + `<aside class="md-source-file">NOISE</aside></article>`,
		"mkdocs":          generator("mkdocs-1.6") + `<div class="navbar">NOISE</div><div class="col-md-9" role="main">` + in + `</div>`,
		"sphinx":          `<script id="documentation_options"></script><div class="sphinxsidebar">NOISE</div><div class="documentwrapper"><div class="bodywrapper"><div class="body" role="main">` + in + `</div></div></div>`,
		"vitepress":       generator("VitePress v1") + `<div class="VPDoc"><main><div class="vp-doc">` + in + `</div></main><footer class="VPDocFooter">NOISE</footer></div>`,
		"vuepress":        `<div class="theme-container"><aside class="sidebar">NOISE</aside><main class="page"><div class="theme-default-content">` + in + `</div><footer class="page-edit">NOISE</footer></main></div>`,
		"mdbook":          `<!-- Book generated using mdBook --><nav id="sidebar">NOISE</nav><div id="content"><main>` + in + `</main><nav class="nav-wrapper">NOISE</nav></div>`,
		"rustdoc":         generator("rustdoc") + `<body class="rustdoc"><nav class="sidebar">NOISE</nav><main><section id="main-content">` + in + `<a class="src" href="#">NOISE</a></section></main>`,
		"javadoc":         generator("javadoc/ClassWriterImpl") + `<header><nav>NOISE</nav></header><main role="main">` + in + `</main>`,
		"typedoc":         generator("typedoc 0.25") + `<div class="col-content">` + in + `</div><div class="col-sidebar">NOISE</div>`,
		"doxygen":         generator("Doxygen 1.9") + `<div id="top">NOISE</div><div class="header"><div class="headertitle"><div class="title">Guide<div class="ingroups">NOISE</div></div></div></div><div class="contents"><p>CONTENT of the page.</p></div>`,
		"hugo-book":       generator("Hugo 0.1") + `<aside class="book-menu">NOISE</aside><div class="book-page"><header class="book-header">NOISE</header><article class="markdown">` + in + `</article></div>`,
		"docsy":           generator("Hugo 0.1") + `<main><div class="td-content">` + in + `<div class="td-page-meta">NOISE</div></div></main>`,
		"hugo":            generator("Hugo 0.1") + `<header>NOISE</header><main><article>` + in + `<footer>NOISE</footer></article></main>`,
		"gitbook":         generator("GitBook 3.2") + `<div class="book"><div class="book-summary">NOISE</div><section class="normal markdown-section">` + in + `</section></div>`,
		"mintlify":        generator("Mintlify") + `<div id="sidebar">NOISE</div><div id="content-area">` + in + `<div id="pagination">NOISE</div></div>`,
		"nextra":          `<div class="nextra-sidebar">NOISE</div><article><div class="nextra-breadcrumb">NOISE</div><main data-pagefind-body>` + in + `</main></article>`,
		"starlight":       generator("Starlight v0.3") + `<nav>NOISE</nav><main><h1 id="_top">Guide</h1><div class="sl-markdown-content"><p>CONTENT of the page.</p></div><footer>NOISE</footer></main>`,
		"readme":          `<meta name="readme-deploy" content="1"><article class="rm-Article">` + in + `</article><nav class="rm-TOC">NOISE</nav>`,
		"pkgsite":         `<main><h1 class="UnitHeader-titleHeading">Guide</h1><article class="go-Main-article"><div class="UnitReadme"><p>CONTENT of the page.</p><a class="UnitReadme-expandLink">NOISE</a></div></article></main>`,
		"mdn":             `<nav>NOISE</nav><main id="content"><article class="main-page-content">` + in + `<aside class="metadata">NOISE</aside></article></main>`,
		"antora":          generator("Antora 3.1") + `<aside class="toc">NOISE</aside><main><div class="toolbar">NOISE</div><article class="doc">` + in + `<nav class="pagination">NOISE</nav></article></main>`,
		"github":          `<meta name="hostname" content="github.com"><div>NOISE</div><article class="markdown-body">` + in + `</article>`,
		"redoc":           `<div class="redoc-wrap"><div class="menu-content">NOISE</div><div class="api-content">` + in + `</div></div>`,
		"swagger-ui":      `<div id="swagger-ui" class="swagger-ui"><div class="topbar">NOISE</div><div class="information-container">` + in + `</div></div>`,
		"dokka":           generator("Dokka 1.9") + `<div class="main-content" data-page-type="member"><div class="breadcrumbs">NOISE</div>` + in + `</div>`,
		"exdoc":           generator("ExDoc v0.34") + `<section class="sidebar">NOISE</section><div id="content" class="content-inner">` + in + `<footer>NOISE</footer></div>`,
		"docsify":         `<script src="//cdn/docsify@4"></script><aside class="sidebar">NOISE</aside><section class="content"><article class="markdown-section" id="main">` + in + `</article></section>`,
		"confluence":      `<meta name="ajs-page-id" content="1"><h1 id="title-text">Guide</h1><div class="page-metadata">NOISE</div><div id="main-content" class="wiki-content"><p>CONTENT of the page.</p></div>`,
		"jekyll":          generator("Jekyll v4") + `<nav>NOISE</nav><div id="main-content"><main>` + in + `</main></div><footer class="site-footer">NOISE</footer>`,
		"readthedocs":     `<div class="rst-versions">NOISE</div><div role="main">` + in + `</div>`,
	}
	for _, name := range platform.Names() {
		if name == platform.Generic {
			continue
		}
		t.Run(name, func(t *testing.T) {
			page, ok := skeletons[name]
			if !ok {
				t.Fatal("no skeleton")
			}
			r := Page([]byte("<html><head><title>Guide</title></head>"+page+"</html>"), "")
			if r.Platform != name || r.Extractor != ByPlatform {
				t.Errorf("read as %s by %s %v", r.Platform, r.Extractor, r.Warnings)
			}
			if r.Text != "Guide\nCONTENT of the page." || !strings.Contains(r.HTML, "<h1>Guide</h1>") {
				t.Errorf("%q\n%s", r.Text, r.HTML)
			}
		})
	}
}
