// Plans: a model and a request rate in, the API's ranking out; a plan that is kept is a scenario.
import assert from "node:assert/strict";

const question = "/?view=plans&model=llama-3.1-70b&rps=40&growth=3&start=2026-12";
const asked = {
  start: "2026-12",
  months: 36,
  workloads: [
    {
      id: "serve",
      kind: "inference",
      unit: "token",
      model: "llama-3.1-70b",
      units_per_request: { input: 500, output: 300 },
      demand: { mean_per_s: 40, growth_per_month: 0.03 },
    },
  ],
};

// The same question at another traffic, decided between the first plans.
async function decide({ page, visit, settled }, rps) {
  await visit(`/?view=plans&model=llama-3.1-8b&rps=${rps}&start=2026-12`);
  await page.waitForSelector("#use-plans");
  await page.click("#use-plans");
  await page.waitForURL(/view=decision&id=/);
  await settled();
  return new URL(page.url()).searchParams.get("id");
}

export const main = {
  async "deciding again at another traffic leaves the first decision as it was, and names tell the two apart"({ open, site }) {
    const opened = await open({ width: 1440 });
    const ids = [await decide(opened, 20)];
    const first = await site.ask("GET", `/v1/decisions/${ids[0]}`);
    const answer = () => site.ask("POST", "/v1/compare", { scenarios: first.scenarios });
    const before = await answer();
    ids.push(await decide(opened, 30), await decide(opened, 20));
    const stored = await Promise.all(ids.map((id) => site.ask("GET", `/v1/decisions/${id}`)));
    try {
      const scenarios = stored.flatMap((one) => one.scenarios);
      assert.equal(new Set(scenarios).size, scenarios.length, "each decision has plans of its own");
      const { revision, workloads } = await site.ask("GET", `/v1/scenarios/${first.scenarios[0]}`);
      assert.deepEqual([revision, workloads[0].demand.mean_per_s], [1, 20]);
      const figures = ({ scenarios: all }) => all.map(({ result }) => result.decisive);
      assert.deepEqual(figures(await answer()), figures(before));
      assert.ok(stored.every((one) => one.scenarios.every((id) => id.startsWith(`${one.id.replaceAll(".", "-")}.`))));
      assert.match(stored[0].name, /at 20 requests\/s/);
      assert.match(stored[1].name, /at 30 requests\/s/);
      assert.ok(stored[1].scenarios.every((id) => id.includes("at-30-requests-s")), stored[1].scenarios.join());
      await opened.visit("/");
      assert.ok(!(await opened.page.textContent(".groups")).includes("requests s"), "its plans stand in the decision");
    } finally {
      for (const one of stored) {
        await site.ask("DELETE", `/v1/decisions/${one.id}`);
        await Promise.all(one.scenarios.map((id) => site.ask("DELETE", `/v1/scenarios/${id}`)));
      }
    }
  },

  async "a plan that fails in most draws is not chosen without a word, and the cheapest that holds is named"({ open, site }) {
    const opened = await open({ width: 1440 });
    const { page } = opened;
    const bodies = [];
    page.on("request", (request) => /\/v1\/simulate$/.test(request.url()) && bodies.push(request.postDataJSON()));
    const id = await decide(opened, 30);
    const { scenarios } = await site.ask("GET", `/v1/decisions/${id}`);
    try {
      const said = [];
      for (const demand of [1, 1.05, 1.1]) {
        await opened.visit(`/?view=decision&id=${id}${demand === 1 ? "" : `&scale=/workloads/*/demand/mean_per_s=${demand}`}`);
        await page.waitForSelector('.space[data-settled="true"]', { timeout: 60000 });
        const drawn = await site.ask("POST", "/v1/simulate", bodies.at(-1));
        const rows = await page.$$eval("#ranking tbody tr", (all) =>
          all.map((row) => [row.dataset.plan, row.querySelector(".c-serve").textContent]),
        );
        const able = (plan) => drawn.scenarios[scenarios.indexOf(plan)].probability_feasible;
        for (const [plan, text] of rows)
          if (able(plan) > 0.01 && able(plan) < 0.99) assert.equal(parseInt(text, 10), Math.round(100 * able(plan)), plan);
        const chances = await page.$$eval("#ranking tbody tr", (all) => all.map((row) => row.querySelector(".c-prob").textContent));
        rows.forEach(([plan], i) => {
          const best = drawn.scenarios[scenarios.indexOf(plan)].probability_best; // as a ranking of these plans has it
          assert.ok(Math.abs((parseInt(chances[i], 10) || 0) - 100 * best) < 1, `${plan}: ${chances[i]}, ${best}`);
        });
        const sentence = await page.textContent("#answer");
        said.push([able(rows[0][0]), sentence]);
        if (able(rows[0][0]) >= 0.9 || /No plan can serve/.test(sentence)) continue;
        assert.ok(!/Choose/.test(sentence), sentence);
        assert.match(sentence, /but can serve in only \d+ % of the draws/);
        const { scenarios: results } = await site.ask("POST", "/v1/compare", {
          scenarios,
          ...(demand === 1 ? {} : { scale: { "/workloads/*/demand/mean_per_s": demand } }),
        });
        const safe = scenarios
          .map((plan, i) => ({ plan, ...results[i].result }))
          .filter(({ plan, feasible }) => feasible && able(plan) >= 0.9)
          .sort((a, b) => a.decisive - b.decisive)[0];
        assert.ok(sentence.includes(safe ? `90 % or more: ${safe.name}` : "No plan can in 90 %"), sentence);
        break;
      }
      assert.ok(said.some(([share]) => share < 0.9), JSON.stringify(said));
    } finally {
      await site.ask("DELETE", `/v1/decisions/${id}`);
      await Promise.all(scenarios.map((one) => site.ask("DELETE", `/v1/scenarios/${one}`)));
    }
  },

  async "the table is the API's ranking, with what was left out"({ open, site }) {
    const { visit, csv } = await open();
    await visit(question);
    const answer = await site.ask("POST", "/v1/rank", asked);
    const rows = (await csv("plans")).slice(1);
    assert.deepEqual(
      rows.map((row) => [row[0], Number(row[1])]),
      answer.plans.map((plan) => [`${plan.rank} ${plan.name}`, plan.decisive]),
    );
    const left = (await csv("left-out")).slice(1).reduce((sum, row) => sum + Number(row[1]), 0);
    assert.equal(
      left,
      answer.excluded.reduce((sum, { count }) => sum + count, 0),
    );
  },

  async "what can't be done says why"({ open }) {
    const { page, visit, csv } = await open({ width: 400 });
    await visit("/?view=plans&model=llama-3.1-405b&rps=1&start=2026-12&input=200000"); // longer than its context
    await page.waitForSelector("text=Nothing in the catalogue can do this");
    const rows = (await csv("left-out")).slice(1);
    const beyond = rows.find(([reason]) => reason === "longer than the model's context");
    assert.match(beyond?.[2] ?? rows.join(), /a request has up to 200300 tokens, the context of llama-3\.1-405b 131072/);
  },
};

export const rest = {
  async "a region binds: the form sends it, and what is elsewhere is left out in words"({ open, site }) {
    const { page, visit, csv, settled } = await open({ width: 1440 });
    await visit(question);
    await page.selectOption("#region", "us");
    await page.click('button:text("Find plans")');
    await page.waitForURL(/region=us/);
    await settled();
    const answer = await site.ask("POST", "/v1/rank", { ...asked, limits: { regions: ["us"] } });
    const plans = (await csv("plans")).slice(1);
    assert.equal(plans.length, answer.plans.length);
    const excluded = answer.excluded.find(({ reason }) => reason === "region");
    const row = (await csv("left-out")).find(([text]) => text === "not where the work may run, or nobody knows where");
    assert.equal(Number(row[1]), excluded.count);
  },

  async "with samples, plans have the API's probabilities of being the best, and the uncertainties stand below"({ open, site }) {
    const { visit, csv } = await open();
    await visit(`${question}&samples=20`);
    const answer = await site.ask("POST", "/v1/rank", { ...asked, samples: 20, seed: 1 });
    const [header, ...rows] = await csv("plans");
    const at = header.findIndex((name) => name.startsWith("probability best"));
    assert.deepEqual(
      rows.map((row) => Number(row[at])),
      answer.plans.map((plan) => plan.probability_best),
    );
    const factors = (await csv("uncertainties")).slice(1);
    assert.equal(factors.length, answer.uncertainty.factors.length);
  },

  async "a budget in yen is of plans in yen: the form takes a currency, and what a dollar is in it"({ open, site }) {
    const { page, visit, csv, settled } = await open({ width: 1440 });
    await visit("/?view=plans&model=llama-3.1-8b&rps=20&start=2026-12");
    assert.ok(!(await page.isVisible("#dollar")), "dollars need no rate");
    const work = { ...asked.workloads[0], model: "llama-3.1-8b", demand: { mean_per_s: 20, growth_per_month: 0 } };
    const { plans } = await site.ask("POST", "/v1/rank", { ...asked, workloads: [work], currency: "JPY", exchange_rates: { USD: 150 } });
    const millions = Math.ceil(plans[0].decisive / 1e6); // between the first and the last plan
    await page.selectOption("#currency", "JPY");
    await page.fill("#budget", `${millions},000,000`);
    await page.click("text=Find plans");
    assert.ok(await page.$eval("#dollar", (input) => input.validity.valueMissing), "a rate is needed");
    await page.fill("#dollar", "150");
    await page.click("text=Find plans");
    await page.waitForURL(/currency=JPY/);
    await settled();
    assert.ok(page.url().includes(`budget=${millions}000000&dollar=150`));
    const [head, ...rows] = await csv("plans");
    assert.equal(head[1], "cost (JPY)");
    assert.deepEqual(rows.map((row) => Number(row[1])), plans.map((plan) => plan.decisive));
    const over = await page.$$eval('[data-figure="plans"] tbody tr', (all) => all.filter((row) => /over budget/.test(row.textContent)).length);
    assert.equal(over, plans.filter((plan) => plan.decisive > millions * 1e6).length);
    assert.ok(over > 0 && over < plans.length, `${over}`);
    await page.click("#use-plans");
    await page.waitForURL(/view=decision&id=/);
    await page.waitForSelector('.space[data-settled="true"]', { timeout: 60000 });
    const id = new URL(page.url()).searchParams.get("id");
    const { scenarios, budget } = await site.ask("GET", `/v1/decisions/${id}`);
    assert.equal(budget, millions * 1e6);
    assert.match(await page.textContent(".say"), /¥/);
    assert.ok((await page.textContent("dl")).includes(`Budget ¥${millions}M`));
    await site.ask("DELETE", `/v1/decisions/${id}`);
    await Promise.all(scenarios.map((one) => site.ask("DELETE", `/v1/scenarios/${one}`)));
  },

  async "a question is asked by the form, and a chosen plan is kept as a scenario and a decision"({ open, site }) {
    const { page, visit, settled } = await open();
    await visit("/?view=plans");
    await page.selectOption("#model", "llama-3.1-8b");
    await page.fill("#rps", "3");
    await page.click("summary >> text=Growth");
    await page.fill("#input", "778"); // at which, with 128 out, its rates are measured
    await page.fill("#output", "128");
    await page.fill("#start", "2026-12");
    await page.selectOption("#measured", "measured");
    await page.click("text=Find plans");
    await page.waitForURL(/model=llama-3.1-8b/);
    await settled();
    await page.waitForSelector('[data-figure="plans"]');
    const badges = await page.$$eval('[data-figure="plans"] .badge', (all) => all.map((one) => one.textContent));
    assert.ok(badges.every((text) => ["measured", "interpolated"].includes(text)), badges.join()); // hosts state no rates
    assert.ok(badges.length > 4, badges.join());
    for (const rank of [2, 3, 4, 5]) await page.uncheck(`[aria-label="Use plan ${rank}"]`);
    await page.click("#use-plans");
    await page.waitForURL(/view=decision&id=/);
    await settled();
    const id = new URL(page.url()).searchParams.get("id");
    const { scenarios } = await site.ask("GET", `/v1/decisions/${id}`);
    assert.equal(scenarios.length, 1);
    const stored = await site.ask("GET", `/v1/scenarios/${scenarios[0]}`);
    assert.equal(stored.workloads[0].model, "llama-3.1-8b");
    await site.ask("DELETE", `/v1/decisions/${id}`);
    await site.ask("DELETE", `/v1/scenarios/${scenarios[0]}`);
  },

  async "one action at a document of the catalogue starts plans of it alone"({ open, site }) {
    const { page, visit, settled } = await open({ width: 1440 });
    const bodies = [];
    page.on("request", (request) => /\/v1\/rank$/.test(request.url()) && bodies.push(request.postDataJSON()));
    for (const [kind, id, limits, include] of [
      [
        "offers",
        "aws.p5en.48xlarge.us-east-1.on-demand",
        { devices: ["nvidia.h200-sxm-141gb"], providers: ["aws"], regions: ["us-east-1"], purchases: ["on_demand"] },
        ["cloud"],
      ],
      ["servers", "generic.8x-mi300x", { devices: ["amd.mi300x"] }, ["owned"]],
      ["sites", "site.us-colo-virginia", { sites: ["site.us-colo-virginia"] }, ["owned"]],
    ]) {
      await visit(`/?view=data&kind=${kind}&id=${id}`);
      await page.click("#use");
      await page.waitForURL(/view=plans/);
      await settled();
      await page.selectOption("#model", "llama-3.1-70b");
      await page.click("text=Find plans");
      await page.waitForSelector("#use-plans");
      assert.deepEqual([bodies.at(-1).limits, bodies.at(-1).include], [limits, include]);
    }
    for (const [kind, id] of [
      ["endpoints", (await site.ask("GET", "/v1/endpoints?q=llama-3.1-70b&limit=1")).items[0].id],
      ["performances", "ml-energy.llama-3.1-70b.h100-sxm5-x4"],
    ]) {
      await visit(`/?view=data&kind=${kind}&id=${id}`);
      await page.click("#use");
      await page.waitForSelector("#use-plans");
      assert.equal(await page.inputValue("#model"), "llama-3.1-70b", "the model is known: its plans are there at once");
    }
  },

  async "a plan's row has what its devices do and cost, how that is known, and the age of its price"({ open, site }) {
    const { visit, csv, page } = await open({ width: 1440 });
    await visit(`${question}&device=nvidia.h200-sxm-141gb`);
    const [head, ...rows] = await csv("plans");
    const at = (name) => head.findIndex((one) => one.startsWith(name));
    const body = { ...asked, include: ["cloud", "owned", "hybrid"], limits: { devices: ["nvidia.h200-sxm-141gb"] } };
    const { plans: ranked } = await site.ask("POST", "/v1/rank", body);
    const alone = ranked.findIndex((plan) => plan.scenario.pools.length === 1);
    const result = await site.ask("POST", "/v1/evaluate", { scenario: ranked[alone].scenario });
    const [pool] = Object.values(result.by_pool);
    assert.equal(Number(rows[alone][at("busy device")]), result.by_workload.serve.units_served / pool.busy_device_hours / 3600);
    assert.equal(Number(rows[alone][at("device-hour")]), pool.cost / pool.available_device_hours);
    assert.match(rows[0][at("devices")], /^8× H200 SXM 141GB/);
    assert.equal(rows[0][at("evidence")], ranked[0].evidence);
    const ages = await page.$$eval('[data-figure="plans"] tbody', ([body]) => body.textContent.match(/\d+ days old|not dated/g));
    assert.equal(ages.length, rows.length);
    await page.click('[aria-label^="Any device"]');
    await page.waitForFunction(() => !location.search.includes("device="));
  },
};
