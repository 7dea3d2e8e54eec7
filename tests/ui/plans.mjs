// Plans: a model and a request rate in, the API's ranking out; a plan that is kept is a scenario.
import assert from "node:assert/strict";

const question = "/?view=plans&model=llama-3.1-70b&rps=40&growth=3&start=2026-12";

export const plans = {
  async "the table is the API's ranking, with what was left out"({ open, site }) {
    const { visit, csv } = await open();
    await visit(question);
    const answer = await site.ask("POST", "/v1/rank", {
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
    });
    const rows = (await csv("plans")).slice(1);
    assert.deepEqual(
      rows.map((row) => [row[0], Number(row[1])]),
      answer.plans.map((plan) => [`${plan.rank} ${plan.name}`, plan.decisive]),
    );
    const left = (await csv("left-out")).slice(1).reduce((sum, row) => sum + Number(row[1]), 0);
    assert.equal(left, answer.excluded.reduce((sum, { count }) => sum + count, 0));
  },

  async "with samples, plans have the API's probabilities of being the best, and the uncertainties stand below"({ open, site }) {
    const { visit, csv } = await open();
    await visit(`${question}&samples=20`);
    const answer = await site.ask("POST", "/v1/rank", {
      start: "2026-12",
      months: 36,
      samples: 20,
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
    });
    const [header, ...rows] = await csv("plans");
    const at = header.findIndex((name) => name.startsWith("probability best"));
    assert.deepEqual(
      rows.map((row) => Number(row[at])),
      answer.plans.map((plan) => plan.probability_best),
    );
    const factors = (await csv("uncertainties")).slice(1);
    assert.equal(factors.length, answer.uncertainty.factors.length);
  },

  async "a question is asked by the form, and a plan is kept as a scenario"({ open, site }) {
    const { page, visit, settled } = await open();
    await visit("/?view=plans");
    await page.selectOption("#model", "llama-3.1-8b");
    await page.fill("#rps", "3");
    await page.fill("#start", "2026-12");
    await page.selectOption("#measured", "measured");
    await page.click("text=Find plans");
    await page.waitForURL(/model=llama-3.1-8b/);
    await settled();
    await page.waitForSelector('[data-figure="plans"]');
    const badges = await page.$$eval('[data-figure="plans"] .badge', (all) => all.map((one) => one.textContent));
    assert.ok(badges.length && badges.every((text) => text === "measured" || text === "hosted"), badges.join());
    await page.click("text=Keep plan 1");
    await page.waitForURL(/view=result/);
    await settled();
    const id = new URL(page.url()).searchParams.get("scenario");
    const stored = await site.ask("GET", `/v1/scenarios/${id}`);
    assert.equal(stored.workloads[0].model, "llama-3.1-8b");
    await site.ask("DELETE", `/v1/scenarios/${id}`);
  },

  async "what can't be done says why"({ open }) {
    const { page, visit, csv } = await open({ width: 400 });
    await visit("/?view=plans&model=llama-3.1-405b&rps=1&start=2026-12&input=200000"); // longer than its context
    await page.waitForSelector("text=Nothing in the catalogue can do this");
    const reasons = (await csv("left-out")).slice(1).map((row) => row[0]);
    assert.ok(reasons.includes("longer than the model's context"), reasons.join());
  },
};
