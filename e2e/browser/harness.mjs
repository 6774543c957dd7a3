// Drives the product's pages in Chromium: servers, pages that watch themselves,
// judgements. Flows are in the neighbouring files.
import { spawn } from "node:child_process";
import { createReadStream, mkdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import net from "node:net";

const { ORACLES, BINARY, WORK, SHOTS, CHROME } = process.env;
const require = createRequire(join(ORACLES, "/"));
const puppeteer = require("puppeteer-core");
const axeSource = require("axe-core").source;

export const LAPTOP = { width: 1280, height: 900 }, PHONE = { width: 360, height: 740, isMobile: true, hasTouch: true }, NARROW = { width: 320, height: 640 };

export function check(condition, message) {
  if (!condition) throw new Error(message);
}

export function same(got, want, what) {
  const [g, w] = [got, want].map((v) => typeof v === "string" ? v : JSON.stringify(v));
  let at = 0;
  while (at < g.length && g[at] === w[at]) at++;
  at = Math.max(0, at - 60);
  check(g === w, `${what}: got ${at ? "…" : ""}${g.slice(at, at + 400)}, want ${w.slice(at, at + 400)}`);
}

// ---- servers

const freePort = () => new Promise((done) => {
  const s = net.createServer().listen(0, "127.0.0.1", () => {
    const { port } = s.address();
    s.close(() => done(port));
  });
});

const running = new Set();

// serve starts the product; stop() kills it.
export async function serve(...sources) {
  const port = await freePort(), url = `http://127.0.0.1:${port}`;
  const child = spawn(BINARY, ["serve", "--quiet", "--log-level", "warn", "--port", port, "--rate-limit", "60000",
    "--library", join(WORK, "library-" + port), ...sources], { stdio: ["ignore", "ignore", "inherit"] });
  running.add(child);
  const gone = new Promise((done) => child.once("exit", done));
  for (let tries = 600; ; tries--) {
    try {
      if ((await fetch(url + "/healthz")).ok) break;
    } catch {
      check(tries > 0 && child.exitCode === null, "the server does not answer");
      await sleep(100);
    }
  }
  return {
    url,
    stop: () => {
      child.kill("SIGKILL");
      running.delete(child);
      return gone;
    },
  };
}

// exported writes a site as files and returns their folder.
export async function exported(name, ...sources) {
  const folder = join(WORK, "export-" + name), library = join(WORK, "export-library-" + name);
  for (const source of sources) await command("index", source, "--library", library, "--quiet");
  await command("export", folder, "--library", library, "--quiet");
  return folder;
}

const command = (...args) => new Promise((done, fail) => {
  spawn(BINARY, args, { stdio: ["ignore", "ignore", "inherit"] })
    .once("exit", (code) => code === 0 ? done() : fail(new Error(`evergreen ${args.join(" ")}: exit ${code}`)));
});

const TYPES = { ".html": "text/html", ".css": "text/css", ".mjs": "text/javascript", ".js": "text/javascript", ".svg": "image/svg+xml",
  ".json": "application/json", ".md": "text/markdown", ".txt": "text/plain", ".xml": "application/xml" };

// files serves a folder below a path as the plainest of servers would, and
// notes what is missing.
export function files(folder, below = "") {
  const missing = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const file = join(folder, path.slice(below.length).replace(/\/$/, "/index.html"));
    if (!path.startsWith(below + "/") || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      missing.push(path);
      response.writeHead(404).end("missing\n");
      return;
    }
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
    if (request.method === "HEAD") response.end();
    else createReadStream(file).pipe(response);
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done({
    url: `http://127.0.0.1:${server.address().port}${below}`, missing, stop: () => server.close(),
  })));
}

// ---- pages

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

let browser;
export async function start() {
  mkdirSync(SHOTS, { recursive: true });
  browser = await puppeteer.launch({ executablePath: CHROME, args: ["--no-sandbox", "--disable-gpu"], protocolTimeout: 60_000 });
}

export async function finish() {
  await browser?.close();
  for (const child of running) child.kill("SIGKILL");
}

// open opens a page that notes console errors, what leaves its origin and what
// is missing. lang is the Accept-Language, dark the reader's wish.
export async function open(url, { viewport = LAPTOP, lang = "en-US", dark = false, script = true } = {}) {
  const context = await browser.createBrowserContext(), page = await context.newPage();
  const origin = new URL(url).origin;
  page.problems = [];
  page.on("console", (m) => { if (m.type() === "error") page.problems.push("console: " + m.text()); });
  page.on("pageerror", (e) => page.problems.push("script: " + e.message));
  page.on("request", (r) => {
    if (!r.url().startsWith(origin) && !/^(data|blob|about):/.test(r.url())) page.problems.push("leaves the origin: " + r.url());
  });
  page.on("response", (r) => { if (r.status() >= 400) page.problems.push(`${r.status()}: ${r.url()}`); });
  await page.setViewport(viewport);
  await page.setExtraHTTPHeaders({ "Accept-Language": lang });
  await page.setJavaScriptEnabled(script);
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
  await page.goto(url, { waitUntil: "networkidle0" });
  return page;
}

// close ends a page that must have had no problems.
export async function close(page) {
  const problems = page.problems.filter((p) => !page.expected?.test(p));
  await page.browserContext().close();
  same(problems, [], "problems of the page");
}

export const text = (page, selector) => page.$eval(selector, (e) => e.textContent.trim());
export const count = (page, selector) => page.$$eval(selector, (list) => list.length);

// until waits for a condition in the page.
export async function until(page, what, condition, ...args) {
  try {
    await page.waitForFunction(condition, { timeout: 10_000, polling: 50 }, ...args);
  } catch {
    throw new Error(`waited for ${what} in vain`);
  }
}

export async function shot(page, name) {
  await page.screenshot({ path: join(SHOTS, name + ".png"), fullPage: !name.includes("laptop") });
}

// accessible lets axe judge the page in its present state.
export async function accessible(page, what) {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  same(violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`), [], `axe on ${what}`);
}

// fits checks that nothing is wider than the screen.
export async function fits(page, what) {
  const [wide, screen, who] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const out = [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > clientWidth);
    return [scrollWidth, clientWidth, out.slice(-3).map((e) => e.outerHTML.slice(0, 120)).join(" | ")];
  });
  check(wide <= screen, `${what} is ${wide} px wide on ${screen}: ${who}`);
}

// fill replaces what a field holds, by keyboard.
export async function fill(page, selector, value) {
  await page.focus(selector);
  await page.$eval(selector, (e) => e.select());
  await page.keyboard.press("Backspace");
  await page.keyboard.type(value);
}
