// A browser on a daemon that has the catalogue and the examples; pages that note what must not happen: errors, foreign requests.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { Daemon } from "../contract/daemon.mjs";

const switches = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--process-per-site", // cases follow one another: none needs a process of its own
];

// For what comes late where other work takes the processors, such as a recalculation, which stands behind requests.
export const patience = 120000;

let filled = null; // the file of a store that has what deploy/run stores at its first start

function filledStore(binary, root) {
  if (filled) return filled;
  const folder = mkdtempSync(join(tmpdir(), "costcurve-ui-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const list = (place) => readdirSync(join(root, place), { withFileTypes: true });
  const examples = list("examples")
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) =>
      list(`examples/${entry.name}`)
        .filter((file) => file.name.endsWith(".json"))
        .map((file) => join(root, "examples", entry.name, file.name)),
    );
  const scenarios = join(folder, "scenarios.json");
  writeFileSync(scenarios, JSON.stringify(examples.map((path) => JSON.parse(readFileSync(path)))));
  const catalogue = ["deploy/catalog", "deploy/catalog/examples"].flatMap((place) =>
    list(place)
      .filter((file) => file.name.endsWith(".json"))
      .map((file) => join(root, place, file.name)),
  );
  const database = join(folder, "filled.db");
  execFileSync(binary, ["import", "json", "--by-reference", "--database", database, ...catalogue, scenarios], { stdio: "ignore" });
  filled = database;
  return filled;
}

export class Site {
  #pages = new Set(); // what watched() has shown of it

  static async start(binary, root, { options = [], keys = [], empty = false } = {}) {
    const site = new Site();
    site.daemon = await Daemon.start(binary, options, keys, empty ? null : filledStore(binary, root));
    return site;
  }

  // The API's own answer; `key` where one is needed. Waits, as the page does, while the page's own questions have all seats.
  async ask(method, path, body, { key, headers = {} } = {}) {
    const until = Date.now() + patience;
    const once = () =>
      this.daemon.ask(method, path, { body, headers: { ...headers, ...(key ? { Authorization: `Bearer ${key}` } : {}) } });
    let answer = await once();
    for (; answer.status === 503 && Date.now() < until; answer = await once()) await new Promise((resolve) => setTimeout(resolve, 500));
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
    return answer.body ? JSON.parse(answer.body) : null;
  }

  add(page) {
    this.#pages.add(page);
  }

  // Pages leave first: what they ask for by themselves would fail.
  async stop() {
    await Promise.all([...this.#pages].filter((page) => !page.isClosed()).map((page) => page.goto("about:blank")));
    return this.daemon.stop();
  }
}

// The headless shell is the same engine without windows and toolbars: half of the CPU.
const programs = process.env.CHROMIUM ? [process.env.CHROMIUM] : ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
export const chromiumPath = programs.find((path) => existsSync(path)) ?? null;

// Pages from a folder in place of those compiled in: COSTCURVE_STATIC=. while one writes them, without a build.
async function fromFolder(context, root) {
  await context.route(/^[^?]*\/(static\/(?!packages)[^?]*|docs|)(\?.*)?$/, async (route) => {
    const { pathname } = new URL(route.request().url());
    const page = { "/": "static/index.html", "/docs": "static/docs.html" }[pathname];
    // A page keeps the daemon's policy of what it may load.
    const headers = page && { "Content-Security-Policy": (await route.fetch()).headers()["content-security-policy"] };
    return route.fulfill({ headers, path: join(root, page ?? pathname) });
  });
}

export const launch = () => chromium.launch({ executablePath: chromiumPath, args: switches });

async function newContext(browser) {
  const context = await browser.newContext({ acceptDownloads: true });
  if (process.env.COSTCURVE_STATIC) await fromFolder(context, process.env.COSTCURVE_STATIC);
  return context;
}

// A page of its own context.
export async function openPage(browser, site, options = {}) {
  const context = await newContext(browser);
  return watched(await context.newPage(), site, options, () => context.close());
}

// What cases listen to.
const pageEvents = ["console", "dialog", "pageerror", "request", "requestfailed", "response"];

// Cases have one page after the other's, which keeps its process and what is cached by address; a second page of a case is of another
// person, with nothing of the first. With `clock`, the page's time can be put forward.
export class Browser {
  #chromium;
  #shared;
  #storage; // a page beside it that empties what the browser keeps for the site
  #page = null;

  static async launch(site) {
    const browser = new Browser();
    browser.#chromium = await launch();
    browser.#shared = await newContext(browser.#chromium);
    browser.#storage = await browser.#shared.newPage();
    await browser.#storage.goto(`${site.daemon.url}/static/icon.svg`);
    return browser;
  }

  async openShared(site, options) {
    await this.#storage.evaluate(() => localStorage.clear()); // drafts and theme of the case before
    const page = this.#page ?? (await this.#shared.newPage());
    this.#page = null;
    return watched(page, site, options, async (isClean) => {
      if (!isClean || page.isClosed()) return page.close();
      for (const event of pageEvents) page.removeAllListeners(event);
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.mouse.move(0, 0);
      await page.goto("about:blank");
      this.#page = page;
    });
  }

  openOwn(site, options) {
    return openPage(this.#chromium, site, options);
  }

  close() {
    return this.#chromium.close();
  }
}

// Fulfilled once a view is shown, nothing in it loads, and its charts are drawn.
function stands() {
  const is = () =>
    document.querySelector("main > .view") &&
    !document.querySelector("main[aria-busy], main .state.loading, main .stale") &&
    [...document.querySelectorAll(".chart:not([data-drawn])")].every((one) => !one.clientWidth);
  if (is()) return true;
  return new Promise((resolve) => {
    const look = () => {
      if (!is()) return;
      observer.disconnect();
      removeEventListener("resize", look);
      resolve(true);
    };
    const observer = new MutationObserver(look);
    addEventListener("resize", look);
    const attributeFilter = ["aria-busy", "class", "data-drawn", "hidden", "open"];
    observer.observe(document.documentElement, { childList: true, subtree: true, attributes: true, attributeFilter });
  });
}

// `wrong` collects what must not happen; a refusal that the case provokes is no error.
async function watched(page, site, { width = 1200, colorScheme = "light", clock = false }, close) {
  if (clock) await page.clock.install(); // for the whole context, for good
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ media: null, colorScheme, reducedMotion: "reduce" });
  site.add(page);
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource: the server responded/.test(message.text()))
      wrong.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!/^(blob:|data:)/.test(request.url()) && !request.url().startsWith(site.daemon.url))
      wrong.push(`asks elsewhere: ${request.url()}`);
  });
  const settled = () => page.waitForFunction(stands, null, { timeout: patience });
  return {
    page,
    wrong,
    settled,
    async visit(path) {
      await page.goto(site.daemon.url + path);
      await settled();
    },
    // The rows of the CSV that a figure offers, the head first, as its button makes them: Chromium drops what is more than ten downloads
    // within a second (LocalFrame::ShouldThrottleDownload), so that the text is taken where it is offered. finance.mjs downloads a file.
    async csv(figure) {
      const button = await page.waitForSelector(`[data-csv="${figure}"]`, { timeout: patience });
      const text = await button.evaluate(async (button) => {
        const { createObjectURL } = URL;
        const { click } = HTMLAnchorElement.prototype;
        const made = [];
        URL.createObjectURL = (blob) => (made.push(blob), "blob:made");
        HTMLAnchorElement.prototype.click = () => {};
        button.click();
        Object.assign(URL, { createObjectURL });
        HTMLAnchorElement.prototype.click = click;
        return (await made[0]?.text()) ?? null;
      });
      assert.ok(text, `${figure}: its button makes no CSV`);
      return text
        .trim()
        .split("\r\n")
        .map((line) =>
          [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
            .slice(0, line.split(",").length)
            .map((cell) => cell[1].replace(/^"|"$/g, "").replaceAll('""', '"')),
        );
    },
    close,
  };
}

// Types into a picker and takes the first that is found; what is found is `text`, an id or a name.
export async function pick(page, at, text) {
  await page.fill(at, text);
  await page.waitForSelector('.found [role=option][aria-selected="true"]', { timeout: patience });
  await page.press(at, "Enter");
}
