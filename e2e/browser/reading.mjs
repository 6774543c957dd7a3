// Search, reader and layers, by mouse and keyboard.
import { LAPTOP, NARROW, PHONE, accessible, check, close, count, fill, fits, open, same, serve, shot, text, until } from "./harness.mjs";

const found = (page, query) => until(page, `hits for ${query}`, (q) => document.getElementById("_results").textContent.includes(`“${q}”`), query);

export const flows = {
  async "search by keyboard"({ url }) {
    const page = await open(url + "/search");
    same(await page.evaluate(() => document.activeElement.id), "_q", "focus");
    check(await count(page, "#_results h3 a") > 0, "an empty search shows no collections");
    await page.keyboard.type("token budget");
    await found(page, "token budget");
    check(await count(page, ".hit mark") > 2, "hits are not marked");
    same(new URL(page.url()).search, "?q=token+budget", "address");
    check((await page.title()).startsWith("token budget · "), await page.title());
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    same(await text(page, ":focus"), await text(page, ".hit:nth-child(2) a"), "the arrow's hit");
    await page.keyboard.press("ArrowUp");
    await accessible(page, "/search with hits");
    await shot(page, "search-laptop");
    const to = await page.$eval(":focus", (a) => a.href);
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    same(page.url(), to, "Enter opens");
    await page.keyboard.press("?");
    same(await page.$eval(".keys", (e) => e.open), true, "the list of keys");
    await page.keyboard.press("/");
    await page.keyboard.type("citations");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    check(page.url().includes("/search?q=citations"), "the slash leads to " + page.url());
    await page.keyboard.press("ArrowDown");
    await page.keyboard.down("Shift");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    await page.keyboard.up("Shift");
    check(page.url().endsWith(".md"), "Shift+Enter opens " + page.url());
    await close(page);
  },

  async "search by mouse: facets, spelling"({ url }) {
    const page = await open(url + "/search?q=budget");
    const all = await text(page, "#_count");
    await Promise.all([page.waitForNavigation(), page.click(".facets li a")]);
    check(new URL(page.url()).searchParams.get("collection"), "the facet leads to " + page.url());
    same(await count(page, ".facets [aria-current]"), 1, "the facet is marked");
    check(await text(page, "#_count") !== all, "the facet narrows nothing");
    await fill(page, "#_q", "bugdet");
    await until(page, "a spelling", () => [...document.querySelectorAll("#_results .notice a")].some((a) => a.textContent === "budget"));
    await Promise.all([page.waitForNavigation(), page.click("#_results .notice a")]);
    check(await count(page, ".hit") > 0, "the spelling finds nothing");
    await close(page);
  },

  async "search at 320 px in Chinese, without script"({ url }) {
    const page = await open(url + "/search?q=预算&lang=zh", { viewport: NARROW, script: false });
    same(await text(page, "h1"), "搜索", "title");
    check(await count(page, ".hit mark") > 0, "no hits without a script");
    await shot(page, "search-narrow-zh");
    await close(page);
    const live = await open(url + "/search?q=预算&lang=zh", { viewport: NARROW });
    await fits(live, "/search at 320 px");
    await accessible(live, "/search in Chinese");
    check((await live.$eval(".hit a", (a) => a.href)).includes("lang=zh"), "hits lose the language");
    await close(live);
  },

  async "search when the server goes away"() {
    const own = await serve();
    const page = await open(own.url + "/search");
    await page.keyboard.type("budget");
    await found(page, "budget");
    await page.waitForNetworkIdle();
    const served = await (await fetch(own.url + "/search?q=section+ids", { headers: { Accept: "text/html" } })).text();
    const want = [...served.matchAll(/data-f="title"[^>]*>([^<]+)</g)].slice(0, 5).map((m) => m[1]);
    await own.stop();
    page.expected = /ERR_CONNECTION_REFUSED/;
    await fill(page, "#_q", "section ids");
    await until(page, "hits of the browser", () => document.getElementById("_results").textContent.includes("in this browser"));
    same(await page.$$eval(".hit a[data-f=title]", (list) => list.slice(0, 5).map((a) => a.textContent)), want, "hits without a server");
    await close(page);
  },

  async "reader"({ url }) {
    const page = await open(url + "/docs/evergreen/answers");
    check(await count(page, ".outline .price") > 2 && await count(page, ".outline rect") > 2, "the outline has no prices");
    await page.click(".outline li:nth-child(2) a");
    const anchor = decodeURIComponent(new URL(page.url()).hash.slice(1));
    check(await page.evaluate((id) => document.getElementById(id) !== null, anchor), "the outline leads nowhere");
    await page.evaluate(() => {
      window.copied = [];
      Object.defineProperty(navigator, "clipboard", { value: { writeText: async (t) => { window.copied.push(t); } } });
    });
    await page.click("h2 + .tools button");
    await until(page, "the id", () => window.copied.length === 1);
    const id = await page.evaluate(() => window.copied[0]);
    check(/^evergreen::answers\.md::.+#2$/.test(id), "copied " + id);
    await page.focus("h2 + .tools button:nth-child(2)");
    await page.keyboard.press("Enter");
    await until(page, "the text for an agent", () => window.copied.length === 2);
    const given = await page.evaluate(() => window.copied[1]);
    check(given.includes(await text(page, "h2")) && given.length > 400, "copied " + given.slice(0, 200));
    await page.click("#_copypage");
    await until(page, "the page as Markdown", () => window.copied.length === 3 && window.copied[2].includes("\n# "));
    await accessible(page, "a document");
    await shot(page, "reader-laptop");
    await Promise.all([page.waitForNavigation(), page.click(".margin a.button")]);
    check(page.url().endsWith(".md"), "open as Markdown leads to " + page.url());
    await close(page);
  },

  async "reader on a phone, in the dark, on paper"({ url }) {
    const page = await open(url + "/docs/evergreen/answers", { viewport: PHONE, dark: true, lang: "zh-CN" });
    await fits(page, "a document on a phone");
    await accessible(page, "a document in the dark");
    await shot(page, "reader-phone-dark");
    await page.emulateMediaType("print");
    for (const hidden of [".top", ".outline", ".tools", ".margin button"]) {
      same(await page.$eval(hidden, (e) => getComputedStyle(e).display), "none", hidden + " on paper");
    }
    await page.setViewport(LAPTOP);
    await shot(page, "reader-print");
    await close(page);
    const bare = await open(url + "/docs/evergreen/answers", { script: false });
    check((await text(bare, "article")).length > 2000 && await count(bare, ".outline a") > 2, "nothing to read without a script");
    await close(bare);
  },

  async "layers"({ url }) {
    const page = await open(url + "/layers");
    same(await count(page, ".layer"), 7, "layers");
    same(await count(page, ".layer .good"), 7, "marks");
    check((await text(page, "main > .good")).includes("promises are kept"), "no word of the verification");
    await page.focus(".layer summary");
    await page.keyboard.press("Enter");
    check((await text(page, ".layer pre")).startsWith("# Evergreen"), "the first lines are " + await text(page, ".layer pre"));
    await accessible(page, "/layers");
    await shot(page, "layers-laptop");
    await close(page);
    const narrow = await open(url + "/layers?lang=zh", { viewport: NARROW, dark: true });
    await fits(narrow, "/layers at 320 px");
    await accessible(narrow, "/layers in Chinese, in the dark");
    await shot(narrow, "layers-narrow-zh");
    await close(narrow);
  },
};
