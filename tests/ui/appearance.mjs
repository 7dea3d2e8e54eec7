// Every view at 400, 1000 and 1600 px, in the theme of the run: nothing too wide, nothing serious for axe-core; weight.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const two = "scenario=serving-70b.owned&scenario=serving-70b.cloud-on-demand";
const pages = {
  decisions: "/?model=llama-3.1-8b",
  decision: "/?view=decision&id=serve-llama-70b",
  pareto: "/?view=pareto&model=llama-3.1-70b",
  compare: "/?view=decision",
  result: "/?view=result&scenario=serving-70b.hybrid&figure=/total/cost",
  scenario: "/?view=scenario&scenario=serving-70b.hybrid&at=/pools/0/server/price",
  revisions: "/?view=scenario&scenario=serving-70b.hybrid&tab=revisions",
  sensitivity: `/?view=questions&question=sensitivity&${two}`,
  simulate: `/?view=questions&question=simulate&samples=500&${two}`,
  "break-even": `/?view=questions&question=break-even&${two}`,
  optimize: "/?view=questions&question=optimize&scenario=serving-70b.hybrid",
  plans: "/?view=plans&model=llama-3.1-70b&rps=40&growth=3&start=2026-12",
  rates: "/?view=rates&model=llama-3.1-70b&device=nvidia.h100-sxm5-80gb&devices=4&precision=fp8&input=1024&output=1024",
  offer: "/?view=data&kind=offers&id=aws.p5en.48xlarge.us-east-1.on-demand",
  catalogue: "/?view=data&kind=offers&q=h100",
  device: "/?view=data&kind=devices&id=nvidia.h100-sxm5-80gb",
  import: "/?view=data&page=imports",
  feeds: "/?view=data&page=feeds",
  feed: "/?view=data&page=feeds&feed=skypilot-gcp",
  "new feed": "/?view=data&page=feeds&add=1",
  actual: "/?view=data&page=actual&scenario=serving-70b.owned&basis=given&cost=40000&device_hours=20000",
  jobs: "/?view=jobs",
  finance: `/?view=decision&page=finance&${two}`,
  schedules: "/?view=jobs&page=schedules",
  events: "/?view=jobs&page=events",
  webhooks: "/?view=jobs&page=webhooks",
  glossary: "/?view=glossary",
};
// Pages above in other states.
const states = {
  "decisions of a fleet": "/?ask=fleet",
  "decisions of a run": "/?ask=train&model=llama-3.1-70b",
  train: "/?view=train&model=llama-3.1-70b",
  fleet: "/?view=fleet&work=serve,llama-3.1-8b,20,500,300&work=train,llama-3.1-8b,2,1,4096",
  mix: "/?view=mix&model=llama-3.1-8b&rps=50",
  batch: "/?view=batch&model=llama-3.1-8b",
  edge: "/?view=edge&model=llama-3.1-8b&site=site.edge-ann-arbor",
  "decisions of a site": "/?ask=edge&model=llama-3.1-8b&site=site.edge-ann-arbor",
  "decision with a panel and all inputs": "/?view=decision&id=serve-llama-70b&panel=simulate&budget=600000&more=1",
  "decision with a change": "/?view=decision&id=serve-llama-70b&scale=/workloads/*/demand/mean_per_s=2",
  "simulate seven": "/?view=questions&question=simulate&samples=500",
  "plans of a device": "/?view=plans&model=llama-3.1-70b&start=2026-12&device=nvidia.h200-sxm-141gb",
  "finance by month": `/?view=decision&page=finance&${two}&by=month&measure=cost`,
};

// What is inside a chart is one image to assistive technology, with a name and a table beside it.
async function seriousIn(page) {
  const { violations } = await page.evaluate(() => window.axe.run({ exclude: [".chart svg"] }, { resultTypes: ["violations"] }));
  return violations
    .filter((one) => ["serious", "critical"].includes(one.impact))
    .map(
      (one) =>
        `${one.id}: ${one.nodes
          .slice(0, 3)
          .map((node) => `${node.target} ${node.failureSummary?.split("\n")[1] ?? ""}`)
          .join(" | ")}`,
    );
}

async function tooWide(page) {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  return beyond > 0 ? [`${beyond} px too wide`] : [];
}

// A case for each address: at all `widths` nothing is too wide, and at those of `checked` axe-core finds nothing serious.
const cases = (addresses, widths, checked) =>
  Object.entries(addresses).map(([name, path]) => [
    `${name} at ${widths.join(", ")} px`,
    async ({ open }) => {
      const { page, visit, settled } = await open({ width: widths[0] });
      await visit(path);
      await page.evaluate(axe);
      const found = [];
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await settled();
        const lines = [...(await tooWide(page)), ...(checked.includes(width) ? await seriousIn(page) : [])];
        found.push(...lines.map((line) => `${width} px: ${line}`));
      }
      assert.deepEqual(found, []);
    },
  ]);

export const main = {
  ...Object.fromEntries(cases(pages, [400, 1000], [1000])),

  async "dark and light draw charts in their own colours; the button outlasts a visit"({ open }) {
    const { page, visit, settled } = await open({ colorScheme: "dark" });
    await visit("/?view=decision");
    const axis = () => page.$eval('[data-figure="stack"] svg text', (text) => text.getAttribute("fill"));
    const dark = await axis();
    await page.click("#theme-light");
    await page.waitForFunction(
      (old) => document.querySelector('[data-figure="stack"] svg text').getAttribute("fill") !== old,
      dark,
    );
    await visit("/?view=decision");
    await settled();
    assert.notEqual(await axis(), dark);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
  },

  async "a first visit asks at once for every module that it needs"({ root }) {
    const follow = (path, needed = new Set()) => {
      if (needed.has(path)) return needed;
      needed.add(path);
      const text = readFileSync(join(root, path), "utf8");
      for (const [, name] of text.matchAll(/^(?:import|export) [^;]*from "([^"]+)";/gm)) follow(join(path, "..", name), needed);
      return needed;
    };
    const [shell, start, others] = ["main", "views/decisions", "views/decision"].map((name) => follow(`/static/${name}.js`));
    const page = readFileSync(join(root, "static/index.html"), "utf8");
    const links = [...page.matchAll(/<(?:link rel="modulepreload" href|script type="module" src)="([^"]+)"([^>]*)>/g)];
    const asked = links.map(([, path]) => path);
    const own = [...start].filter((path) => !others.has(path) && !shell.has(path)); // asked for where they are shown
    assert.deepEqual(links.filter(([, , rest]) => /class="home"/.test(rest)).map(([, path]) => path).sort(), own.sort());
    const library = ["/static/packages/echarts.js", "/static/packages/kept/echarts.js"]; // kept under its hash
    assert.deepEqual(asked.sort(), [...new Set([...shell, ...start]), ...library].sort());
  },

  // 1.8 MB before compression; no page asks for all of them: the start for 0.4 MB, which has no charts.
  async "all files together weigh less than 0.7 MB compressed, and the chart library is kept"({ root, site }) {
    const own = readdirSync(join(root, "static"), { recursive: true }).map((name) => `/static/${name}`);
    const { body } = await site.daemon.ask("GET", "/static/packages/echarts.js");
    const kept = `/static/packages/${body.match(/kept\/echarts-\w+\.js/)[0]}`;
    const files = new Map();
    for (const path of ["/", "/static/packages/echarts.js", kept, ...own.filter((name) => /\.\w+$/.test(name))])
      files.set(path, await site.daemon.ask("GET", path));
    const total = [...files.values()].reduce((sum, { body }) => sum + gzipSync(body).length, 0);
    assert.ok([...files.values()].every((file) => file.status === 200));
    assert.ok(files.size > 40 && total < 0.7e6, `${files.size} files, ${total} bytes`);
    assert.match(files.get(kept).headers["cache-control"], /max-age=31536000, immutable/);
    assert.match(
      files.get("/").headers["content-security-policy"],
      /^default-src 'none'; script-src 'self'; style-src 'self'; img/,
    );
    assert.match(files.get("/").body, new RegExp(`<link rel="modulepreload" href="${kept}" class="charts"`));
  },
};

export const rest = {
  // Without what browsers keep; a page from a folder is sent as it is, and weighs more.
  async "a shipped decision is sent in 700 kB, its answers among them"({ open }) {
    await open();
    const { page, settled, visit } = await open({ width: 1440 }); // with a cache of its own
    const network = await page.context().newCDPSession(page);
    await network.send("Network.enable");
    let sent = 0;
    network.on("Network.loadingFinished", ({ encodedDataLength }) => (sent += encodedDataLength));
    await visit("/?view=decision&id=serve-llama-70b");
    await page.waitForSelector('.pp[data-settled="true"]', { timeout: 60000 });
    await settled();
    if (!process.env.COSTCURVE_STATIC) assert.ok(sent > 4e5 && sent < 7e5, `${sent} bytes`);
  },

  ...Object.fromEntries(cases(pages, [400, 1600], [400, 1600])),
  ...Object.fromEntries(cases(states, [400, 1000, 1600], [400, 1000, 1600])),
};
