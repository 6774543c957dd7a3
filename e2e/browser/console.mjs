// The pages of a running server: figures, repair lab, operation; by keyboard, in
// both languages, at 320 px, without a script, and with the server killed.
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { LAPTOP, NARROW, PHONE, accessible, check, close, count, fill, fits, open, same, serve, shot, sleep, text, until } from "./harness.mjs";

const MALFORMED = '{"tool":"searchSections","args":"{\\"q\\":\\"budget\\",\\"limit\\":\\"5\\"}"}';
const STAGES = ["Envelope", "Name", "Container", "Keys", "Values"];

// call sends a tool call over MCP as it is.
const call = (url, params) => fetch(url + "/mcp", { method: "POST", body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" } });

// library is a server over a folder of one document, watched.
async function library(name, ...args) {
  const folder = join(process.env.WORK, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "one.md"), "# One\n\nThe first document.\n");
  return { folder, server: await serve(folder, "--watch", ...args) };
}

const ladder = (page) => page.$$eval(".ladder h2", (list) => list.map((e) => e.textContent.split(":")[0]));
const repaired = (page, what) => until(page, what, () => document.querySelector(".outcome.repaired"));
const row = (page, name) => page.$$eval("#_library tbody th", (list, name) => list.some((e) => e.firstChild.textContent === name), name);

export const flows = {
  async "figures in sentences, charts and tables"({ url }) {
    await call(url, { name: "searchSections", arguments: { q: "budget" } });
    const page = await open(url + "/metrics-report");
    await until(page, "the figures", () => document.getElementById("walks"));
    const figures = await page.$$eval(".figure", (list) => list.map((e) => [e.querySelector("h2").id, e.querySelectorAll("svg title, svg desc").length, e.querySelectorAll("tbody tr").length > 0]));
    same(figures.map((f) => f[0]), ["walks", "layers", "density", "coverage", "repairs", "traffic"], "figures");
    for (const [id, said, rows] of figures) check(said === 2 && rows, `${id}: ${said} titles and descriptions, rows ${rows}`);
    check(/^An agent reaches a usable answer in [\d.]+ requests, for \d+ of \d+ questions; without llms.txt in [\d.]+, for \d+\./.test(await text(page, ".says")), await text(page, ".says"));
    same(await count(page, ".figure p strong"), 6, "ways of measuring");
    check(await page.$eval(".chart .fill-1", (e) => getComputedStyle(e).fill) === "rgb(31, 111, 74)", "a bar has not the colour of the page");
    await accessible(page, "/metrics-report");
    await shot(page, "report-laptop-whole");
    await close(page);
    for (const [name, o] of Object.entries({ "report-phone-zh-dark": { viewport: PHONE, lang: "zh-CN", dark: true }, "report-320": { viewport: NARROW } })) {
      const small = await open(url + "/metrics-report", o);
      await fits(small, name);
      await accessible(small, name);
      await shot(small, name);
      await close(small);
    }
  },

  async "figures without a script"({ url }) {
    const page = await open(url + "/metrics-report?lang=zh", { script: false });
    check((await text(page, ".says")).startsWith("智能体平均用"), await text(page, ".says"));
    check(await count(page, ".chart") >= 4, "charts are missing");
    await close(page);
  },

  async "lab by keyboard"({ url }) {
    const page = await open(url + "/lab");
    await page.focus("#_call");
    await page.keyboard.type(MALFORMED);
    await repaired(page, "a repair as it is typed");
    same(await ladder(page), STAGES, "stages");
    same(JSON.parse(await text(page, "#_run")), { name: "search_sections", arguments: { limit: 5, query: "budget" } }, "the call that would run");
    check((await text(page, ".told")).startsWith("[evergreen] Repaired: "), await text(page, ".told"));
    check(await page.$$eval(".ladder li:last-of-type ins", (list) => list.map((e) => e.textContent.trim())).then((l) => l.join() === '+     "limit": 5,'), "the difference of the last stage");
    await accessible(page, "/lab");
    await shot(page, "lab-laptop");
    await page.$$eval("[data-fill]", (list) => list.at(-1).focus());
    await page.keyboard.press("Enter");
    await until(page, "the canonical example", () => document.querySelector(".outcome.exact"));
    same(await ladder(page), [], "stages of a canonical call");
    await fill(page, "#_call", '{"name":"search_sections","arguments":{"q":"a","text":"b"}}');
    await until(page, "a refusal", () => document.querySelector(".outcome.refused"));
    check((await text(page, ".told")).includes("both stand for query"), await text(page, ".told"));
    await close(page);
  },

  async "lab: Chinese, narrow, dark, without a script"({ url }) {
    const page = await open(url + "/lab", { viewport: NARROW, lang: "zh-CN", dark: true, script: false });
    await page.type("#_call", MALFORMED);
    await Promise.all([page.waitForNavigation(), page.click("#_lab button")]);
    same(await text(page, ".outcome strong"), "已修复：以规范形式执行。", "outcome");
    same(await count(page, ".ladder > li"), 5, "stages");
    same(await page.$eval("#_call", (e) => e.value), MALFORMED, "the call is still there");
    await fits(page, "/lab at 320 px");
    await shot(page, "lab-320-zh-dark");
    await Promise.all([page.waitForNavigation(), page.click(".chips a")]);
    same(await count(page, ".ladder > li"), 1, "stages of the first example");
    await close(page);
    const judged = await open(url + "/lab?lang=zh&call=" + encodeURIComponent(MALFORMED), { viewport: NARROW, dark: true });
    await accessible(judged, "/lab in the dark");
    await close(judged);
  },

  async "lab while the server goes away"() {
    const server = await serve(), page = await open(server.url + "/lab");
    page.expected = /ERR_CONNECTION/;
    await page.type("#_call", MALFORMED);
    await repaired(page, "a repair");
    await server.stop();
    await page.type("#_call", " ");
    await until(page, "a mark on what is old", () => document.querySelector("#_result[data-stale]"));
    same(await ladder(page), STAGES, "what was there stays");
    await close(page);
  },

  async "operate by keyboard"() {
    const { server, folder } = await library("operate-docs"), page = await open(server.url + "/operate");
    check(await row(page, "operate-docs"), "the collection is not listed");
    await accessible(page, "/operate");
    await shot(page, "operate-laptop");

    writeFileSync(join(folder, "two.md"), "# Two\n\nA second document.\n");
    await until(page, "the watched change", () => document.querySelector("#_library tbody td").textContent === "2");

    await page.focus("#_location");
    await page.keyboard.type(join(folder, "two.md"));
    await page.keyboard.press("Tab");
    await page.keyboard.type("second");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    check((await text(page, "#_notice")).includes("has begun"), await text(page, "#_notice"));
    await until(page, "the job's report", () => document.getElementById("_jobs").textContent.includes("second: 1 found, 1 indexed"));
    await until(page, "the new collection", () => [...document.querySelectorAll("#_library tbody th")].some((e) => e.firstChild.textContent === "second"));

    const at = await page.$$eval("#_library tbody th", (list) => list.findIndex((e) => e.firstChild.textContent === "second"));
    await page.focus(`#_delete-${at} summary`);
    await page.keyboard.press("Enter");
    await page.type(`#_confirm-${at}`, "secnd");
    page.expected = /400/;
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    check((await text(page, "#_notice")).includes("Nothing was deleted"), await text(page, "#_notice"));
    await page.focus(`#_delete-${at} summary`);
    await page.keyboard.press("Enter");
    await page.type(`#_confirm-${at}`, "second");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    check(!await row(page, "second"), "the collection is still there");

    await call(server.url, { name: "searchSections", arguments: { q: "a private matter" } });
    await until(page, "the shape of a repair", () => document.getElementById("_repairs").textContent.includes("name.letters"));
    check(!(await text(page, "main")).includes("private matter"), "a value of a call is shown");
    await close(page);
    await server.stop();
  },

  async "operate: a long job, its pace and its end"() {
    const pages = createServer((request, response) => setTimeout(() => {
      const links = Array.from({ length: 150 }, (_, i) => `<a href="/p${i}">Page ${i}</a>`).join(" ");
      response.writeHead(200, { "Content-Type": "text/html" }).end(`<!doctype html><title>${request.url}</title><main><h1>Page ${request.url}</h1><p>${"Some words. ".repeat(40)}</p>${links}</main>`);
    }, 400));
    await new Promise((done) => pages.listen(0, "127.0.0.1", done));
    const { server } = await library("operate-slow", "--allow-private"), page = await open(server.url + "/operate");
    await page.type("#_location", `http://127.0.0.1:${pages.address().port}/`);
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    await until(page, "a pace", () => /a second/.test(document.getElementById("_jobs").textContent));
    await accessible(page, "/operate with a job");
    await shot(page, "operate-job-laptop");
    await page.focus("#_jobs button");
    await sleep(2500); // the list is renewed meanwhile
    check(await page.evaluate(() => document.activeElement.id.startsWith("_cancel-")), "renewing the list took the focus away");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    await until(page, "the end of the job", () => document.getElementById("_jobs").textContent.includes("canceled"));
    await close(page);
    pages.closeAllConnections();
    pages.close();
    await server.stop();
  },

  async "operate: Chinese, narrow, dark; the server killed"() {
    const { server } = await library("operate-zh"), page = await open(server.url + "/operate", { viewport: NARROW, lang: "zh-CN", dark: true });
    same(await text(page, "h1"), "运维", "title");
    await fits(page, "/operate at 320 px");
    await accessible(page, "/operate at 320 px");
    await shot(page, "operate-320-zh-dark");
    page.expected = /ERR_CONNECTION/;
    await server.stop();
    await until(page, "word of the lost server", () => document.getElementById("_lost")?.textContent.includes("没有回应"));
    check(await row(page, "operate-zh"), "what was there is gone");
    await close(page);
  },

  async "operate without a script"() {
    const { server } = await library("operate-plain"), page = await open(server.url + "/operate", { script: false, viewport: LAPTOP });
    await Promise.all([page.waitForNavigation(), page.click("#_refresh-0")]);
    check((await text(page, "#_notice")).includes("Refreshing operate-plain has begun"), await text(page, "#_notice"));
    await close(page);
    await server.stop();
  },

  async "operate from elsewhere"() {
    const { server } = await library("operate-token", "--token", "sesame"), page = await open(server.url + "/");
    await page.setExtraHTTPHeaders({ "X-Forwarded-For": "203.0.113.9" });
    page.expected = /40[13]/;
    await page.goto(server.url + "/operate");
    same(await text(page, "h1"), "Sign in to operate", "title");
    await accessible(page, "the way in");
    await shot(page, "operate-sign-in-laptop");
    await page.type("#_token", "open");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    same(await text(page, "[role=alert]"), "That is not the token of this server.", "a wrong token");
    await page.type("#_token", "sesame");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    check(await row(page, "operate-token"), "the collection is not listed");
    await page.$$eval("main form button", (list) => list.at(-1).focus());
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    same(await text(page, "h1"), "Sign in to operate", "after signing out");
    await close(page);
    await server.stop();
  },
};
