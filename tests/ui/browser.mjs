// A browser on a daemon that has the catalogue and the examples; pages that note what must not happen: errors, foreign requests.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
];

// Stores what deploy/run stores at its first start.
function fill(binary, root, database) {
  const folder = mkdtempSync(join(tmpdir(), "costcurve-ui-"));
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
  execFileSync(binary, ["import", "json", "--by-reference", "--database", database, ...catalogue, scenarios], { stdio: "ignore" });
  rmSync(folder, { recursive: true });
}

export class Site {
  static async start(binary, root, { options = [], keys = [], empty = false } = {}) {
    const site = new Site();
    site.daemon = await Daemon.start(binary, options, keys);
    if (!empty) fill(binary, root, site.daemon.database);
    return site;
  }

  // The API's own answer; `key` where one is needed.
  async ask(method, path, body, { key, headers = {} } = {}) {
    const answer = await this.daemon.ask(method, path, {
      body,
      headers: { ...headers, ...(key ? { Authorization: `Bearer ${key}` } : {}) },
    });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
    return answer.body ? JSON.parse(answer.body) : null;
  }

  stop() {
    return this.daemon.stop();
  }
}

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: switches });

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

// A page of its own context. `wrong` collects what must not happen; a refusal that the case provokes is no error.
export async function openPage(browser, site, { width = 1200, colorScheme = "light" } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, acceptDownloads: true });
  if (process.env.COSTCURVE_STATIC) await fromFolder(context, process.env.COSTCURVE_STATIC);
  const page = await context.newPage();
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
  const settled = () =>
    page.waitForFunction(
      () =>
        document.querySelector("main > .view") &&
        !document.querySelector("main[aria-busy], main .state.loading") &&
        [...document.querySelectorAll(".chart")].every((one) => one.dataset.drawn || !one.clientWidth),
      null,
      { timeout: 30000 },
    );
  return {
    page,
    wrong,
    settled,
    async visit(path) {
      await page.goto(site.daemon.url + path);
      await settled();
    },
    // The rows of the CSV that a figure offers, the head first.
    async csv(figure) {
      const [download] = await Promise.all([page.waitForEvent("download"), page.click(`[data-csv="${figure}"]`)]);
      const text = readFileSync(await download.path(), "utf8");
      return text
        .trim()
        .split("\r\n")
        .map((line) =>
          [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
            .slice(0, line.split(",").length)
            .map((cell) => cell[1].replace(/^"|"$/g, "").replaceAll('""', '"')),
        );
    },
    close: () => context.close(),
  };
}
