// A division by size: what the router does, and requests that are moved by hand, at their cost.
import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { patience } from "./browser.mjs";

// The same numbers each time.
function randomOf(seed) {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}
const address = `/?view=mix&model=llama-3.1-70b&rps=50&months=12&start=2026-12&${[
  [1500, 30, 40],
  [200, 800, 40],
  [3000, 100, 20],
]
  .map((one) => `size=${one.join(",")}`)
  .join("&")}`;

export const main = {
  async "the router's rules, in order, send each size where the division has it"({ root }) {
    const { rulesOf } = await import(resolve(join(root, "static/home/router_rules.js")));
    const random = randomOf(7);
    const pick = (list) => list[Math.floor(random() * list.length)];
    for (let n = 0; n < 60; ++n) {
      const groups = ["A", "B", "C"].slice(0, 1 + Math.floor(3 * random())).map((device) => ({ device, pool: { id: device }, buckets: [] }));
      const taken = new Set();
      for (let i = 0; i < 1 + 30 * random(); ++i) {
        const [input, output] = [pick([0, 60, 128, 783, 1486, 2805, 6136, 40000]), pick([1, 27, 28, 300, 800, 4000])];
        if (taken.has(`${input},${output}`)) continue;
        taken.add(`${input},${output}`);
        pick(groups).buckets.push({ input, output, share: random() });
      }
      const rules = rulesOf(groups);
      for (const group of groups)
        for (const bucket of group.buckets) assert.equal(rules.find(({ fits }) => fits(bucket)).on, group.device, `${n}: ${JSON.stringify(bucket)}`);
      assert.ok(rules.length <= taken.size, `${rules.length} rules of ${taken.size} sizes`);
      const whole = groups.flatMap(({ buckets }) => buckets).reduce((sum, { share }) => sum + share, 0);
      assert.ok(Math.abs(rules.reduce((sum, { share }) => sum + share, 0) - whole) < 1e-9);
    }
    const [a, b] = ["A", "B"].map((device) => ({ device, pool: { id: device } }));
    const split = rulesOf([
      { ...a, buckets: [{ input: 100, output: 10, share: 0.3 }] },
      { ...b, buckets: [{ input: 100, output: 10, share: 0.1 }, { input: 5000, output: 10, share: 0.6 }] },
    ]);
    assert.deepEqual(split.map(({ text, on }) => `${text}: ${on}`), ["prompt over 710 tokens: B", "any other: A 75.0 %, B 25.0 %"]);
  },
};

export const rest = {
  async "of several workloads each has a table, the pools that the API gives them, and rules of its own"({ open, site }) {
    const { page, visit } = await open({ width: 1440 });
    const ranked = [];
    page.on("request", (request) => /\/v1\/rank$/.test(request.url()) && ranked.push(request.postDataJSON()));
    const work = ["serve,llama-3.1-70b,8,3700,70", "serve,llama-3.1-70b,40,200,800", "batch,llama-3.1-70b,2000000,6000,400", "train,llama-3.1-8b,2,1,4096"];
    await visit(`/?view=fleet&months=12&start=2026-12&${work.map((one) => `work=${one}`).join("&")}`);
    await page.waitForSelector(".heat button", { timeout: patience });
    const { plans } = await site.ask("POST", "/v1/rank", ranked[0]);
    const basesOf = ({ scenario }) => new Set(scenario.workloads.map(({ runs_on: [{ pool }] }) => pool));
    const plan = plans.find((one) => basesOf(one).size > 1);
    assert.ok(plan, "the ranking has a division");
    assert.deepEqual(
      await page.$$eval(".heat caption", (all) => all.map((one) => one.textContent)),
      ranked[0].workloads.filter(({ kind }) => kind !== "training").map(({ id }) => id),
    );
    const costs = [...basesOf(plan)].map((id) => {
      const on = plan.scenario.workloads.filter(({ runs_on: [entry] }) => entry.pool === id).map((one) => one.id);
      return plan.workloads.filter(({ workload }) => on.includes(workload)).reduce((sum, { cost }) => sum + cost, 0);
    });
    assert.deepEqual(
      await page.$$eval(".pools tbody tr", (rows) => rows.map((row) => row.cells[1].textContent)),
      costs.map((cost) => `$${Math.round(cost).toLocaleString("en")}`),
    );
    assert.match(await page.textContent(".more-answers"), /Training: train-4 on /);
    const rules = await page.textContent(".rules");
    for (const { id } of ranked[0].workloads) assert.ok(rules.includes(id), `${id} in ${rules}`);
  },

  async "requests are moved to another type at the cost that the API gives, and the table, rules and decision follow"({ open, site }) {
    const { page, visit, wrong } = await open({ width: 1440 });
    const ranked = [];
    const evaluated = [];
    page.on("request", (request) => {
      if (/\/v1\/rank$/.test(request.url())) ranked.push(request.postDataJSON());
      if (/\/v1\/evaluate$/.test(request.url())) evaluated.push(request.postDataJSON());
    });
    await visit(address);
    await page.waitForSelector(".heat button", { timeout: patience });
    const { plans } = await site.ask("POST", "/v1/rank", ranked[0]);
    const plan = plans.find(({ scenario }) => scenario.workloads.length > 1);
    assert.match(await page.textContent(".rules"), /any other/);
    await page.focus(".heat button[tabindex='0']");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".move-offer .btn:not([disabled])", { timeout: patience });
    const [{ scenario }] = evaluated.slice(-1);
    const { decisive, feasible, by_workload: all } = await site.ask("POST", "/v1/evaluate", { scenario });
    assert.ok(feasible && decisive > plan.decisive, `${decisive} is more than ${plan.decisive}`);
    const served = (workloads) => workloads.reduce((sum, { demand }) => sum + demand.mean_per_s, 0);
    assert.ok(Math.abs(served(scenario.workloads) - served(plan.scenario.workloads)) < 1e-9 && Object.keys(all).length === scenario.workloads.length);
    const shown = await page.textContent(".move-offer .small b");
    assert.equal(shown, `+$${Math.round(decisive - plan.decisive).toLocaleString("en")}`);
    await page.click(".move-offer .btn");
    await page.waitForSelector("text=Moved by hand");
    assert.ok((await page.textContent(".more-answers .note")).includes(`$${Math.round(decisive).toLocaleString("en")}`));
    await page.waitForFunction(() => /%/.test(document.querySelector(".ranked tbody tr td:last-child")?.textContent ?? ""), null, { timeout: patience });
    assert.match(await page.textContent(".more-answers"), /Moved by hand/, "draws leave it as it is");
    await page.click("#use-plans");
    await page.waitForURL(/view=decision&id=/, { timeout: patience });
    const id = new URL(page.url()).searchParams.get("id");
    const { scenarios } = await site.ask("GET", `/v1/decisions/${id}`);
    const last = await site.ask("GET", `/v1/scenarios/${scenarios.at(-1)}`);
    assert.deepEqual(
      last.workloads.map(({ demand }) => demand.mean_per_s),
      scenario.workloads.map(({ demand }) => demand.mean_per_s),
    );
    await site.ask("DELETE", `/v1/decisions/${id}`);
    await Promise.all(scenarios.map((one) => site.ask("DELETE", `/v1/scenarios/${one}`)));
    assert.deepEqual(wrong, []);
  },
};
