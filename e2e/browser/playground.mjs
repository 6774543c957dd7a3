// The playground: first visit, typing, budget, views, links, no script, a
// server that goes away.
import { LAPTOP, NARROW, PHONE, accessible, check, close, count, fill, fits, open, same, serve, shot, text, until } from "./harness.mjs";

const ONE_PAGE = 120 << 10, SCRIPTS = 40 << 10; // bytes as transferred

const answered = (page, part) => until(page, `an answer to ${part}`,
  (p) => document.title && !document.querySelector("[aria-busy]") && document.getElementById("_curl").textContent.includes(p), encodeURIComponent(part).replaceAll("%20", "+"));

// shownBundle is the answer as its JSON view has it.
async function shownBundle(page) {
  await page.$eval("#_views [value=json]", (e) => e.click());
  await until(page, "the JSON view", () => document.getElementById("_rawtext").textContent.startsWith("{"));
  const bundle = JSON.parse(await text(page, "#_rawtext"));
  await page.$eval("#_views [value=entries]", (e) => e.click());
  return bundle;
}

export const flows = {
  async "first visit"({ url }) {
    const page = await open(url + "/");
    same(await page.evaluate(() => document.activeElement.id), "_topic", "focus");
    same(await count(page, ".examples a"), 3, "examples");
    same(await page.$eval("#_topic", (e) => e.value), await text(page, ".examples a"), "the first example is asked");
    check(await count(page, ".entry") > 0, "no entry is shown");
    check(/^[\d,]+ of 2,000 tokens · \d+ entr/.test(await text(page, "#_sums")), await text(page, "#_sums"));
    same(await count(page, "#_bar .used"), await count(page, ".entry"), "segments");
    const answer = () => page.$eval("#_answer", (e) => e.outerHTML.replace(/>\s+</g, "><"));
    const before = await answer();
    await page.keyboard.press("Enter");
    await until(page, "the figures of the server", () => document.getElementById("_from").textContent.includes("server"));
    same(await answer(), before, "the script's page against the server's");
    await accessible(page, "/");
    await shot(page, "playground-laptop");
    await close(page);
  },

  async "weight"({ url }) {
    const page = await open("about:blank");
    const session = await page.createCDPSession(), sizes = new Map();
    await session.send("Network.enable");
    session.on("Network.responseReceived", (e) => sizes.set(e.requestId, { url: e.response.url, type: e.type, bytes: 0 }));
    session.on("Network.loadingFinished", (e) => { if (sizes.has(e.requestId)) sizes.get(e.requestId).bytes = e.encodedDataLength; });
    await page.goto(url + "/", { waitUntil: "networkidle0" });
    const all = [...sizes.values()], sum = (list) => list.reduce((n, r) => n + r.bytes, 0);
    const whole = sum(all), scripts = sum(all.filter((r) => r.type === "Script"));
    console.log(`browser: / transfers ${whole} bytes, scripts ${scripts}`);
    check(whole > 0 && whole <= ONE_PAGE, `/ transfers ${whole} bytes`);
    check(scripts > 0 && scripts <= SCRIPTS, `scripts of / are ${scripts} bytes`);
    await page.browserContext().close();
  },

  async "typing by keyboard"({ url }) {
    const page = await open(url + "/");
    await fill(page, "#_topic", "token budget");
    await answered(page, "token budget");
    same(new URL(page.url()).search, "?topic=token+budget", "address");
    const { source, ...bundle } = await shownBundle(page);
    const { source: _, ...api } = await (await fetch(url + "/api/context?topic=token+budget", { headers: { "Accept-Language": "en" } })).json();
    same(bundle, api, "the answer against the API's");
    check(bundle.citations.some((c) => c.marker === "[EG-202]"), "EG-202 is not cited");
    await page.focus("#_budget");
    for (let i = 0; i < 14; i++) await page.keyboard.press("ArrowLeft");
    await until(page, "the smaller budget", () => document.getElementById("_sums").textContent.includes(" of 600 tokens"));
    same(await text(page, "#_spent"), "600", "budget");
    check(await count(page, "#_out li") > 0 && await count(page, "#_bar .out") === 1, "nothing is shown as left out");
    await page.focus("#_views [value=entries]");
    await page.keyboard.press("ArrowRight");
    await until(page, "the Markdown view", () => document.getElementById("_rawtext").textContent.startsWith("# Results for token budget"));
    check(/tokens$/.test(await text(page, "#_rawcost")), "the Markdown has no price");
    await shot(page, "playground-markdown-laptop");
    await close(page);
  },

  async "mouse: light, raise, examples, copy"({ url }) {
    const page = await open(url + "/?topic=how+does+a+budget+work&budget=600");
    await page.hover("#_bar .used");
    same(await count(page, ".entry.lit"), 1, "entries lit by their segment");
    await page.hover(".entry h3");
    same(await count(page, "#_bar .used.lit"), 1, "segments lit by their entry");
    const first = await text(page, "#_out code");
    await page.click("#_out a");
    await until(page, "the raised budget", (m) => [...document.querySelectorAll(".entry [data-f=marker]")].some((e) => e.textContent === m), first);
    check(!new URL(page.url()).search.includes("budget=600"), "the address keeps the old budget");
    await page.click(".line button");
    await until(page, "the word of copying", () => document.querySelector(".line button").textContent === "Copied");
    await page.click(".examples a:nth-child(2)");
    await until(page, "the example", () => document.getElementById("_topic").value === document.querySelector(".examples a:nth-child(2)").textContent);
    await close(page);
  },

  async "only the last question is answered"({ url }) {
    const page = await open(url + "/");
    await page.setRequestInterception(true);
    page.on("request", (r) => r.url().includes("topic=slow") ? setTimeout(() => r.continue().catch(() => {}), 900) : r.continue());
    await fill(page, "#_topic", "slow question");
    await until(page, "the word of waiting", () => document.getElementById("_from").textContent === "Asking…");
    await fill(page, "#_topic", "citations");
    await answered(page, "citations");
    const shown = await text(page, "#_cards");
    await new Promise((done) => setTimeout(done, 1000));
    same(await text(page, "#_cards"), shown, "the late answer");
    await close(page);
  },

  async "states say what to do"({ url }) {
    const page = await open(url + "/?topic=xylophone");
    check((await text(page, "#_notes")).includes("Nothing matches this question"), "no word of a question without hits");
    await fill(page, "#_topic", "bugdet");
    await until(page, "a spelling", () => [...document.querySelectorAll("#_notes a")].some((a) => a.textContent === "budget"));
    await page.click("#_notes a");
    await answered(page, "budget");
    await page.$eval("#_topic", (e) => { e.value = ""; });
    await page.focus("#_topic");
    await page.keyboard.press("Enter");
    await until(page, "the invitation", () => document.getElementById("_fault").textContent.startsWith("Type a question"));
    page.expected = /^(400|console: .*400)/;
    await page.goto(url + "/?topic=a&collection=nowhere", { waitUntil: "networkidle0" });
    check((await text(page, "#_fault")).includes("nowhere"), "no word of the wrong collection");
    await accessible(page, "/ with an error");
    await close(page);
  },

  async "without script"({ url }) {
    const page = await open(url + "/?topic=token+budget&budget=600", { script: false });
    check(await count(page, ".entry") > 0, "no entries without a script");
    check((await text(page, "#_cards")).includes("[EG-202]"), "the answer lacks [EG-202]");
    await page.focus("#_topic");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    check(page.url().includes("topic=token+budget"), "the form goes to " + page.url());
    await close(page);
  },

  async "320 px, Chinese, by keyboard"({ url }) {
    const page = await open(url + "/", { viewport: NARROW, lang: "zh-CN,zh;q=0.9" });
    same(await text(page, ".top nav [aria-current]"), "演练场", "navigation");
    await fits(page, "/ at 320 px");
    await page.focus(".skip");
    await page.keyboard.press("Tab");
    same(await page.$eval(":focus", (e) => e.getAttribute("href")), new URL("/llms.txt", url).href, "the second stop");
    await page.keyboard.down("Shift");
    await page.keyboard.press("Tab");
    await page.keyboard.up("Shift");
    same(await text(page, ":focus"), "跳到正文", "the first stop");
    await page.keyboard.press("/");
    same(await page.evaluate(() => document.activeElement.id), "_topic", "the slash");
    await fill(page, "#_topic", "幻觉 引用");
    await answered(page, "幻觉 引用");
    check((await text(page, ".entry [data-f=marker]")) === "[EG-201]", "EG-201 is not first");
    await fits(page, "an answer at 320 px");
    await accessible(page, "/ in Chinese at 320 px");
    await shot(page, "playground-narrow-zh");
    await Promise.all([page.waitForNavigation(), page.click(".langs a")]);
    same(await text(page, ".top nav [aria-current]"), "Playground", "the other language");
    check(new URL(page.url()).searchParams.get("topic") === "幻觉 引用", "the question is lost");
    const layers = await page.$eval(".top nav a:nth-child(2)", (a) => a.href);
    check(layers.endsWith("lang=en"), "the language is lost on the way to " + layers);
    await close(page);
  },

  async "dark, phone"({ url }) {
    const page = await open(url + "/", { viewport: PHONE, dark: true });
    same(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), "rgb(15, 20, 17)", "dark paper");
    await fits(page, "/ on a phone");
    await accessible(page, "/ in the dark");
    await shot(page, "playground-phone-dark");
    await page.click("#_theme");
    same(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), "rgb(250, 249, 245)", "light paper by choice");
    await page.reload();
    same(await page.evaluate(() => document.documentElement.dataset.theme), "light", "the choice is kept");
    await close(page);
  },

  async "the server goes away"() {
    const own = await serve();
    const page = await open(own.url + "/");
    const ask = async (topic) => (await (await fetch(`${own.url}/api/context?topic=${topic}`, { headers: { "Accept-Language": "en" } })).json());
    const want = await ask("how+are+folders+indexed");
    await fill(page, "#_topic", "token budget");
    await answered(page, "token budget");
    await page.waitForNetworkIdle();
    await own.stop();
    page.expected = /ERR_CONNECTION_REFUSED/;
    await fill(page, "#_topic", "how are folders indexed");
    await until(page, "the answer of the browser", () => document.getElementById("_from").textContent.includes("by this browser") &&
      document.getElementById("_curl").textContent.includes("folders+indexed"));
    const got = await shownBundle(page);
    same(got.source, "local-fallback", "source");
    same({ ...got, source: want.source }, want, "the browser's answer against the server's");
    await page.setViewport(LAPTOP);
    await page.$eval("#_views [value=markdown]", (e) => e.click());
    await until(page, "Markdown without a server", () => document.getElementById("_rawtext").textContent.startsWith("# Results for how are"));
    await shot(page, "playground-gone-laptop");
    await close(page);
  },
};
