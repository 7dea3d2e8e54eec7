// Questions: each answer on the page is the API's, and the URL asks it again.
import assert from "node:assert/strict";
import { pick } from "./browser.mjs";

const [a, b] = ["serving-70b.owned", "serving-70b.cloud-on-demand"];
const path = (question, rest = "") => `/?view=questions&question=${question}&scenario=${a}&scenario=${b}${rest}`;

export const main = {
  async "the tornado ranks inputs as the API does"({ open, site }) {
    const { page, visit, csv } = await open();
    await visit(path("sensitivity"));
    const answer = await site.ask("POST", "/v1/sensitivity", { scenario: a, against: [b] });
    const rows = (await csv("tornado")).slice(1);
    assert.deepEqual(
      rows.map((row) => [row[0], Number(row[7]), Number(row[8])]),
      answer.inputs.map((input) => [input.pointer, input.low.output, input.high.output]),
    );
    assert.equal(answer.output, "/total/npv", "what decides where the scenario states a discount rate");
    await visit(path("sensitivity", "&output=/total/cost"));
    const text = await page.textContent('[data-figure="tornado"]');
    assert.match(text, /pool owned › server › price at .* \(then Owned servers in colocation\)/);
  },

  async "simulate: the same seed gives the API's quantiles"({ open, site }) {
    const { page, visit, csv } = await open();
    await visit(path("simulate", "&samples=500&seed=7&vary=/workloads/0/demand/mean_per_s:0.3"));
    const answer = await site.ask("POST", "/v1/simulate", {
      scenarios: [a, b],
      samples: 500,
      seed: 7,
      by_month: true,
      inputs: [
        {
          pointer: "/workloads/0/demand/mean_per_s",
          distribution: { kind: "triangular", low: 0.7, mode: 1, high: 1.3, relative: true },
        },
      ],
    });
    const of = (member) => answer.scenarios.map((one) => one.outputs["/total/npv"][member]);
    assert.deepEqual(
      (await csv("distribution")).slice(1).map((row) => row.slice(1).map(Number)),
      of("quantiles")[0].map((_, i) => of("quantiles").map((all) => all[i])),
    );
    assert.deepEqual(
      (await csv("probability")).slice(1).map((row) => Number(row[1])),
      answer.scenarios.map((one) => one.probability_cheapest),
    );
    assert.deepEqual(
      (await csv("fan")).slice(1).map((row) => Number(row[2])),
      answer.scenarios[0].by_month.map((row) => row.p50),
    );
    assert.equal(await page.$$eval(".chart svg", (all) => all.length), 5);
    const difference = (await csv("simulated-difference")).slice(1);
    assert.deepEqual(
      difference.map((row) => Number(row[1])),
      [answer.scenarios[1].difference.mean],
    );
  },

  async "break-even over the horizon and over an input"({ open, site }) {
    const { page, visit } = await open();
    await visit(path("break-even", "&input=/pools/0/server/price&low=100000&high=1000000"));
    const range = { input: "/pools/0/server/price", low: 100000, high: 1000000 };
    const { cost } = await site.ask("POST", "/v1/break-even", { a, b, ...range });
    assert.equal(cost.crossings.length, 1);
    const input = await page.textContent('[data-figure="input"] figcaption');
    assert.ok(input.includes(`from ${Math.round(cost.crossings[0]).toLocaleString("en")} USD/server on`), input);
    assert.match(input, /Searched from 100,000 USD\/server to 1,000,000 USD\/server/);
    const horizon = await page.textContent('[data-figure="horizon"] figcaption');
    assert.match(horizon, /By cost, Owned servers in colocation is always cheaper\./);
    assert.match(horizon, /By cost at the end, terminal values included, Cloud on demand is cheaper by \$\d/);
  },

  async "the optimizer's plan, its proof and the next best"({ open, site }) {
    const { page, visit, settled, csv } = await open();
    const decide = [{ pointer: "/pools/0/purchases/0/servers", min: 0, max: 6 }];
    await visit("/?view=questions&question=optimize&scenario=mixed-fleet.cheapest&decide=/pools/0/purchases/0/servers:0:6");
    const answer = await site.ask("POST", "/v1/optimize", {
      scenario: "mixed-fleet.cheapest",
      decide,
      subject_to: { max_unserved_fraction: 0 },
    });
    const rows = (await csv("plans")).slice(1);
    assert.deepEqual(
      rows.map((row) => [Number(row[1]), Number(row[2])]),
      [answer, ...answer.runners_up].map((plan) => [
        plan.decisions["/pools/0/purchases/0/servers"],
        plan.objective ?? answer.objective,
      ]),
    );
    assert.match(await page.textContent(".card"), /all 7 plans were evaluated/);
    const words = await page.$$eval("#minimize option", (options) => options.map((option) => option.value));
    assert.deepEqual(words, ["", "cost", "cash", "npv", "npv_after_tax", "energy_kwh", "carbon_kg"]);
    await page.click("text=Open in the form");
    await settled();
    assert.match(page.url(), /view=scenario.*set=\/pools\/0\/purchases\/0\/servers/);
  },

  async "a question that breaks a rule shows the issues"({ open }) {
    const { page, visit } = await open();
    await visit("/?view=questions&question=optimize&scenario=mixed-fleet.cheapest&decide=/pools/0/purchases/0/servers:6:2");
    assert.match(await page.textContent('[role="alert"]'), /max/);
  },
};

export const rest = {
  async "a scenario with a seller's long name wraps at 400 px"({ open, site }) {
    const seller = "Wundersame-Weltraum-Rechenzentrums-Gesellschaft-mit-beschraenkter-Haftung-Mitteleuropa-Nord";
    const { revision, recorded_at, recorded_by, ...document } = await site.ask("GET", `/v1/scenarios/${b}`);
    await site.ask("PUT", "/v1/scenarios/long-name", { ...document, id: "long-name", name: `on demand of ${seller}` });
    const { page, visit } = await open({ width: 400 });
    for (const question of ["sensitivity", "simulate", "break-even"]) {
      await visit(`/?view=questions&question=${question}&scenario=long-name&scenario=${a}`);
      assert.match(await page.textContent(".chips"), new RegExp(seller));
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(beyond <= 0, `${question}: ${beyond} px too wide`);
    }
    await site.ask("DELETE", "/v1/scenarios/long-name");
  },

  async "scenarios are added and taken away as chips, in every question that compares"({ open, site }) {
    const { page, visit, settled } = await open();
    const bodies = [];
    page.on(
      "request",
      (request) => request.method() === "POST" && bodies.push([new URL(request.url()).pathname, request.postDataJSON()]),
    );
    await visit(path("simulate", "&samples=500"));
    const colour = (name) => page.$eval(`.chip:has-text("${name}") .swatch`, (one) => one.style.getPropertyValue("--colour"));
    const before = await colour("Cloud on demand");
    await pick(page, "#add-scenario", "serving-70b.hosted-api");
    await page.waitForURL(/scenario=serving-70b.hosted-api/);
    await settled();
    assert.equal(await colour("Cloud on demand"), before);
    const simulated = bodies.filter(([at]) => at === "/v1/simulate").at(-1)[1];
    assert.deepEqual(simulated.scenarios, [a, b, "serving-70b.hosted-api"]);
    await page.selectOption("#pair-b", "serving-70b.hosted-api");
    await settled();
    assert.match(await page.textContent('[data-figure="break-even"]'), /Owned.* has become cheaper than Hosted API/);
    const highest = await page.$$eval('[data-figure^="fan"]', (all) =>
      all.map((one) =>
        one
          .querySelector("svg")
          .textContent.match(/\$[\d.]+M/g)
          ?.sort()
          .at(-1),
      ),
    );
    assert.deepEqual([highest.length, new Set(highest).size], [3, 1], "bands are on one scale");
    await page.click('[aria-label="Remove Cloud on demand"]');
    await settled();
    assert.ok(!page.url().includes("cloud-on-demand"));
    await page.click("#toggle-Question-sensitivity");
    await settled();
    await page.selectOption("#scenario", "serving-70b.hosted-api");
    await settled();
    const varied = bodies.filter(([at, body]) => at === "/v1/sensitivity" && body.against).at(-1)[1];
    assert.deepEqual([varied.scenario, varied.against], ["serving-70b.hosted-api", [a]]);
    const answer = await site.ask("POST", "/v1/sensitivity", varied);
    assert.equal(answer.output, "/total/npv");
  },

  async "break-even is of a pair, which is chosen"({ open, site }) {
    const { page, visit, settled } = await open();
    await visit(path("break-even", "&scenario=serving-70b.hybrid&a=serving-70b.hybrid"));
    assert.deepEqual(await page.$$eval("#pair-a, #pair-b", (all) => all.map((one) => one.value)), ["serving-70b.hybrid", a]);
    await page.selectOption("#pair-b", b);
    await settled();
    const { cost } = await site.ask("POST", "/v1/break-even", { a: "serving-70b.hybrid", b });
    const text = await page.textContent('[data-figure="horizon"] figcaption');
    assert.ok(cost.relation.endsWith("always_cheaper") ? /always cheaper/.test(text) : text.includes("on"), text);
    await page.selectOption("#pair-a", b);
    await settled();
    assert.deepEqual(await page.$$eval("#pair-a, #pair-b", (all) => all.map((one) => one.value)), [b, "serving-70b.hybrid"]);
  },

  async "break-even names the stretches in which a scenario is infeasible"({ open, site }) {
    const { page, visit } = await open();
    await visit(path("break-even", "&input=/workloads/0/demand/mean_per_s&low=1&high=100"));
    const { stretches } = await site.ask("POST", "/v1/break-even", {
      a,
      b,
      input: "/workloads/0/demand/mean_per_s",
      low: 1,
      high: 100,
    });
    assert.deepEqual(
      stretches.map(({ because }) => because),
      ["a_infeasible", "both_infeasible"],
    );
    const text = await page.textContent('[data-figure="input"] figcaption');
    assert.match(text, /By cost, Cloud on demand is always cheaper where they can be ranked\./);
    assert.ok(text.includes(`Not ranked from ${stretches[0].from.toPrecision(5).replace(/0+$/, "")} requests/s`), text);
    assert.match(text, /: Owned servers in colocation is infeasible\./);
  },
};
