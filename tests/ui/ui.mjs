// Drives the dashboard in a real browser over a real daemon. usage: node ui.mjs COSTCURVE ROOT [part of a case's name]
import { access } from "./access.mjs";
import { apiPage } from "./api_page.mjs";
import { appearance } from "./appearance.mjs";
import { launch, openPage, Site } from "./browser.mjs";
import { compare } from "./compare.mjs";
import { data } from "./data.mjs";
import { decision } from "./decision.mjs";
import { finance } from "./finance.mjs";
import { findings } from "./findings.mjs";
import { jobs } from "./jobs.mjs";
import { plans } from "./plans.mjs";
import { questions } from "./questions.mjs";
import { result } from "./result.mjs";
import { scenario } from "./scenario.mjs";
import { sources } from "./sources.mjs";
import { tasks } from "./tasks.mjs";

const [binary, root, wanted = ""] = process.argv.slice(2);
if (!root) {
  console.error("usage: node ui.mjs COSTCURVE ROOT [part of a case's name]");
  process.exit(2);
}

const rooms = {
  decision,
  compare,
  plans,
  result,
  scenario,
  questions,
  data,
  sources,
  jobs,
  finance,
  tasks,
  findings,
  access,
  "API page": apiPage,
  appearance,
};
const begun = Date.now();
const [browser, site] = await Promise.all([launch(), Site.start(binary, root)]);
let failed = 0;
let done = 0;
for (const [room, cases] of Object.entries(rooms)) {
  for (const [name, run] of Object.entries(cases)) {
    const title = `${room}: ${name}`;
    if (!title.includes(wanted)) continue;
    const start = Date.now();
    const opened = [];
    const open = async (options = {}) => {
      const page = await openPage(browser, options.site ?? site, options);
      opened.push(page);
      return page;
    };
    const found = [];
    try {
      await run({ open, site, binary, root, startSite: (options) => Site.start(binary, root, options) });
    } catch (error) {
      found.push(error.stack);
    }
    found.push(...opened.flatMap((page) => page.wrong));
    await Promise.all(opened.map((page) => page.close()));
    done += 1;
    failed += found.length ? 1 : 0;
    console.log(
      `${found.length ? "FAILED" : "ok    "} ${title} (${Date.now() - start} ms)${found.map((line) => `\n  ${line}`).join("")}`,
    );
  }
}
await browser.close();
await site.stop();
console.log(`${done} cases in ${Math.round((Date.now() - begun) / 1000)} s, ${failed} failed`);
process.exit(failed || !done ? 1 : 0);
