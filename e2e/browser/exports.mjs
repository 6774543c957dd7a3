// Exports on a plain file server, at its root and below a path: questions and
// searches are answered, links lead somewhere, nothing is missing.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PHONE, accessible, check, close, count, exported, files, fill, fits, open, same, serve, text, until } from "./harness.mjs";

const corpora = process.env.EVERGREEN_CORPORA;

// asks uses an exported site as a reader does.
async function asks(site, question, word, below) {
  const page = await open(site.url + "/index.html");
  check(await count(page, ".entry") > 0, "the first example is not answered");
  await fill(page, "#_topic", question);
  await until(page, "the browser's answer", (q) => document.getElementById("_cli").textContent.includes(q), question);
  await page.$eval("#_views [value=json]", (e) => e.click());
  await until(page, "the JSON view", (q) => document.getElementById("_rawtext").textContent.includes(JSON.stringify(q)), question);
  const bundle = JSON.parse(await text(page, "#_rawtext"));
  check(bundle.matched && bundle.source === "local-fallback", "the answer: " + JSON.stringify(bundle).slice(0, 200));
  await page.$eval("#_views [value=entries]", (e) => e.click());
  if (!below) await accessible(page, "an export");
  const to = await page.$eval(".entry h3 a", (a) => a.href);
  await Promise.all([page.waitForNavigation({ waitUntil: "load" }), page.click(".entry h3 a")]);
  same(page.url(), to, "the entry opens");
  check((await text(page, "h1")).length > 0, "the entry's page has no title");
  await page.focus("#_q");
  await page.keyboard.type(word);
  await Promise.all([page.waitForNavigation({ waitUntil: "load" }), page.keyboard.press("Enter")]);
  await until(page, "hits", () => document.querySelectorAll(".hit").length > 0);
  await page.keyboard.press("ArrowDown");
  await Promise.all([page.waitForNavigation({ waitUntil: "load" }), page.keyboard.press("Enter")]);
  check(/\/docs\/.*\.html/.test(page.url()), "a hit leads to " + page.url());
  await page.goto(site.url + "/layers.html", { waitUntil: "networkidle0" });
  await close(page);
  return bundle;
}

// follow opens pages and asks for everything that they link to here.
async function follow(site, ...paths) {
  const page = await open(site.url + "/index.html", { viewport: PHONE });
  const links = new Set();
  for (const path of paths) {
    await page.goto(site.url + path, { waitUntil: "load" });
    await fits(page, path);
    for (const link of await page.$$eval("a[href], link[href], script[src]", (list) => list.map((e) => e.href || e.src))) links.add(link.split(/[?#]/)[0]);
  }
  const own = [...links].filter((l) => l.startsWith(site.url + "/"));
  await Promise.all(own.map(async (link) => {
    const answer = await fetch(link, { method: "HEAD" });
    check(answer.ok, `${link} is ${answer.status}`);
  }));
  check(own.length > 10, `only ${own.length} links`);
  await close(page);
}

// judge takes an export through everything, at the root and below a path, and
// compares one answer with the server's.
async function judge(name, sources, question, word, ...pages) {
  const folder = await exported(name, ...sources);
  const server = await serve(...sources);
  const { source, ...want } = await (await fetch(`${server.url}/api/context?topic=${encodeURIComponent(question)}`, { headers: { "Accept-Language": "en" } })).json();
  await server.stop();
  for (const below of ["", "/deep/docs"]) {
    const site = await files(folder, below);
    const { source: _, generatedAt, revision, knowledgeVersion, ...got } = await asks(site, question, word, below);
    if (!below) same(got.entries.map((e) => [e.id, e.score, e.tokens]), want.entries.map((e) => [e.id, e.score, e.tokens]), "the export's answer against the server's");
    await follow(site, "/index.html", "/search.html", "/layers.html", ...pages);
    same(site.missing, [], `missing below ${below || "/"}`);
    site.stop();
  }
}

export const flows = {
  async "our own docs"() {
    await judge("own", [], "how does a token budget work", "budget", "/docs/evergreen/answers.html", "/docs/kb.html");
  },
};

for (const [name, question, word, page] of [
  ["vue-zh", "如何 使用 响应式 API", "computed", "/docs/vue-zh/guide/essentials/application.html"],
  ["rust-book", "what is ownership and borrowing", "lifetime", "/docs/rust-book/ch04-01-what-is-ownership.html"],
]) {
  const folder = corpora && join(corpora, "docs", name);
  if (folder && existsSync(folder)) flows[name] = () => judge(name, [folder], question, word, page);
  else console.log(`browser: exports: ${name}: skipped: EVERGREEN_CORPORA ${corpora ? "has no docs/" + name : "is not set"}`);
}
