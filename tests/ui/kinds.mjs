// Kinds of question: the answer of a run with its trade, its ends and the runs behind its rate; work that may wait; a site of one's own.
import assert from "node:assert/strict";
import { patience } from "./browser.mjs";

const asked = (page, route) => {
  const bodies = [];
  page.on("request", (request) => request.url().endsWith(route) && bodies.push(request.postDataJSON()));
  return bodies;
};
const drawn = (page) =>
  page.waitForFunction(() => /%/.test(document.querySelector(".ranked tbody tr td:last-child")?.textContent ?? ""), null, { timeout: patience });
const usd = (value) => new Intl.NumberFormat("en", { style: "currency", currency: "USD", notation: "compact", maximumSignificantDigits: 3 }).format(value);
const days = (value) => String(Math.round(10 * value) / 10);

export const main = {
  async "a run's cards are the cheapest, the safest and the soonest; its rate and ends are the API's"({ open, site }) {
    const { page, visit } = await open({ width: 1440 });
    const ranked = asked(page, "/v1/rank");
    const rates = asked(page, "/v1/rates");
    await visit("/?view=train&model=llama-3.1-70b&start=2026-12");
    await drawn(page);
    const { plans } = await site.ask("POST", "/v1/rank", ranked.at(-1));
    const [first] = plans;
    const able = plans.filter(({ decisive }) => decisive >= first.decisive);
    const surety = ({ row }) => Math.min(row.probability_in_time, row.probability_feasible);
    const most = Math.max(...able.map(surety));
    const safest = able.filter((plan) => surety(plan) > most - 0.005).reduce((a, b) => (b.decisive < a.decisive ? b : a));
    const soonest = able.reduce((a, b) => (b.row.days < a.row.days ? b : a));
    const cards = Object.fromEntries(
      await page.$$eval(".choice-card", (all) => all.map((one) => [one.querySelector(".kind").textContent, { key: one.dataset.plan, text: one.textContent }])),
    );
    for (const [kind, plan] of [["First: the cheapest in time", first], ["Safest", safest], ["Soonest", soonest]]) {
      assert.equal(cards[kind].key, plan.name, kind);
      assert.ok(cards[kind].text.includes(usd(plan.decisive)) && cards[kind].text.includes(`${days(plan.row.days)} day`), cards[kind].text);
    }
    const keys = Object.values(cards).map(({ key }) => key);
    assert.equal(new Set(keys).size, keys.length, "never two of one plan");

    await page.waitForSelector("#evidence .from li", { timeout: patience });
    const rate = await site.ask("POST", "/v1/rates", rates.find(({ device, devices }) => device === first.replicas[0].device && devices === first.replicas[0].devices));
    const three = (value) => Number(value.toPrecision(3)).toLocaleString("en");
    const evidence = await page.textContent("#evidence");
    for (const value of [rate.tokens_per_s_device, rate.low / rate.devices, rate.high / rate.devices])
      assert.ok(evidence.includes(three(value)), `${three(value)} in ${evidence}`);
    assert.ok(evidence.includes(rate.evidence));
    const links = await page.$$eval("#evidence .from a", (all) => all.map((one) => new URL(one.href).searchParams.get("id")));
    assert.deepEqual(links, [...new Set(rate.from.map(({ measurement }) => measurement))].slice(0, links.length));

    const atRate = (value) => {
      const scenario = structuredClone(first.scenario);
      for (const entry of scenario.workloads[0].runs_on) entry.performance.units_per_s *= value / rate.tokens_per_s;
      return site.ask("POST", "/v1/evaluate", { scenario }).then(({ by_workload: all }) => all.train.days);
    };
    const [early, late] = await Promise.all([rate.high, rate.low].map(atRate));
    assert.ok(early < first.row.days && first.row.days < late);
    await page.waitForFunction(() => document.querySelector(".ends .foot").textContent.includes("8 in 10"), null, { timeout: patience });
    const said = await page.getAttribute(".ends li", "title");
    assert.ok(said.startsWith(`day ${days(first.row.days)}, ${days(early)} to ${days(late)} over the rate's 8 in 10`), said);
    assert.match(await page.textContent(".figure .two-n"), new RegExp(`End of a run${days(early)} to ${days(late)} day`));
    assert.deepEqual(await page.$$eval(".charts h2", (all) => all.map((one) => one.textContent)), ["A run, day by day", "What more devices do", "Hours that do no work"]);

    await page.click(".choice-card:has-text('Soonest') .btn");
    assert.match(await page.textContent(".figure"), new RegExp(`Cost of a run`));
    assert.equal(await page.textContent(".figure .big"), `$${Math.round(soonest.decisive).toLocaleString("en")}`);
    assert.equal(new URL(page.url()).searchParams.get("take"), soonest.name);
    await page.waitForFunction((text) => document.querySelector("#why-title").textContent.includes(text), "costs more", { timeout: patience });
  },
};

// Sums of what moves on a page without anybody's doing (Layout Instability API).
const shiftsOf = async ({ page, visit, settled }, width, address, isWhole) => {
  await page.setViewportSize({ width, height: 900 });
  await visit(address);
  await page.waitForFunction(isWhole, null, { timeout: patience });
  await settled();
  return page.evaluate(() => window.shifts);
};
const watchShifts = () => {
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifts += value;
  }).observe({ type: "layout-shift", buffered: true });
};

const runResult = (site, { scenario }) => site.ask("POST", "/v1/evaluate", { scenario });
const near = (found, wanted, what, error = 1e-9) => assert.ok(Math.abs(found - wanted) <= error * Math.abs(wanted), `${what}: ${found}, not ${wanted}`);
const named = ([head, ...rows]) => rows.map((row) => Object.fromEntries(row.map((cell, i) => [head[i].replace(/ \([^()]*\)$/, ""), Number.isNaN(Number(cell)) ? cell : Number(cell)])));

export const rest = {
  async "a run's hours, days and sizes are the API's: shares that add up, each day's epochs, and twice the devices as a ranking sizes them"({ open, site }) {
    const { page, visit, csv } = await open({ width: 1440 });
    const ranked = asked(page, "/v1/rank");
    await visit("/?view=train&model=llama-3.1-70b&start=2026-12&tokens=6&days=8");
    await drawn(page);
    await page.waitForSelector('[data-figure="hours"] .chart[data-drawn]', { timeout: patience });
    const { plans } = await site.ask("POST", "/v1/rank", ranked.at(-1));
    assert.ok(plans.some(({ row }) => row.fall_back_after_days < row.days), "one of the plans falls back");

    const losses = ["checkpoints", "work done twice", "restarting", "waiting, not paid", "work"];
    const hours = named(await csv("hours"));
    assert.equal(hours.length, plans.length);
    for (const [i, plan] of plans.entries()) {
      const { by_workload: { train }, by_pool: pools } = await runResult(site, plan);
      const [{ performance }] = plan.scenario.workloads[0].runs_on;
      const paid = Object.values(pools).reduce((sum, pool) => sum + pool.busy_device_hours, 0) / performance.devices / (24 * train.days);
      near(losses.reduce((sum, name) => sum + hours[i][name], 0), 1, `hours of ${plan.name}`);
      assert.ok(Math.abs(hours[i]["waiting, not paid"] - (1 - paid)) < 1e-9, `${plan.name} waits ${1 - paid}`);
      // All tokens at the rate take the hours of work.
      near(hours[i].work, 18e9 / (3600 * performance.units_per_s) / (24 * train.days), `work of ${plan.name}`);
    }

    const progress = named(await csv("progress"));
    const columns = Object.keys(progress[0]).filter((name) => name.endsWith(", epochs"));
    assert.ok(columns.length >= 2);
    for (const name of columns) assert.ok(progress.every((row, i) => !i || row[name] >= progress[i - 1][name]) && Math.abs(progress.at(-1)[name] - 3) < 1e-9, name);
    near(progress.find(({ day }) => day === 2)[columns[0]], (3 * 2) / plans[0].row.days, "epochs by day 2");

    // What a shorter deadline makes of the first plan's offer is the size with twice the devices.
    const sizes = named(await csv("devices"));
    const [first] = plans;
    const hurried = structuredClone(ranked.at(-1));
    Object.assign(hurried, { samples: 0, top: 40 });
    hurried.workloads[0].within_days = 3.6;
    const twice = (await site.ask("POST", "/v1/rank", hurried)).plans.find(({ name }) => name === first.name);
    const size = sizes.find(({ plan, devices }) => plan === sizes[0].plan && devices === twice.replicas[0].devices);
    assert.equal(twice.replicas[0].devices, 2 * first.replicas[0].devices);
    near(size.Cost, twice.decisive, "the cost of twice the devices");
    near(size.days, twice.row.days, "the days of twice the devices");

    const able = plans.filter(({ decisive }) => decisive >= first.decisive);
    for (const [order, of] of [["end", ({ row }) => row.days], ["expected", ({ row, decisive }) => row.expected_cost ?? decisive]]) {
      await page.click(`#toggle-Order-${order}`);
      const wanted = [...able].sort((a, b) => of(a) - of(b) || a.rank - b.rank).map(({ name }) => name);
      assert.deepEqual(named(await csv("plans")).map(({ Plan: name }) => name).slice(0, able.length), wanted, order);
      const [least] = await page.$$eval(".choice-card", (all) => all.map((one) => one.dataset.plan));
      assert.equal(least, wanted[0]);
      assert.equal(await page.textContent(".figure .big"), `$${Math.round(plans.find(({ name }) => name === least).decisive).toLocaleString("en")}`);
      assert.equal(new URL(page.url()).searchParams.get("order"), order);
    }
  },

  async "the start and a run's page hardly move while they fill"({ open }) {
    const opened = await open();
    await opened.page.addInitScript(watchShifts);
    const isHome = () => /8 in 10/.test(document.querySelector(".bar .small")?.textContent ?? "") && [...document.querySelectorAll(".dl .cost")].every((one) => /\d/.test(one.textContent));
    const isRun = () => /%/.test(document.querySelector(".ranked tbody tr td:last-child")?.textContent ?? "");
    for (const [width, address, isWhole] of [
      [400, "/?model=llama-3.1-8b", isHome],
      [1440, "/?model=llama-3.1-8b", isHome],
      [1000, "/?view=train&model=llama-3.1-70b", isRun],
    ]) {
      const moved = await shiftsOf(opened, width, address, isWhole);
      assert.ok(moved <= 0.05, `${address} at ${width} px moves by ${moved}`);
    }
  },

  async "batch work and a site of one's own are asked in sentences, and ranked as the API ranks them"({ open, site }) {
    const { page, visit } = await open({ width: 1000 });
    const ranked = asked(page, "/v1/rank");
    await visit("/?model=llama-3.1-8b");
    await page.click("#ask-batch");
    await page.fill("#requests", "3,000,000");
    await page.fill("#hours", "6");
    await page.waitForURL(/requests=3000000&hours=6|hours=6&requests=3000000/);
    await page.waitForFunction(() => /found in/.test(document.querySelector(".bar .small").textContent) && !document.querySelector(".proposal-rows.stale"));
    await page.waitForTimeout(500);
    const [work] = ranked.at(-1).workloads;
    assert.deepEqual(
      [work.kind, work.requests_per_month, work.deadline_hours, work.units_per_request, ranked.at(-1).spares, ranked.at(-1).shape],
      ["batch", 3e6, 6, { input: 500, output: 300 }, undefined, undefined],
    );
    await page.click("#open-plans");
    await page.waitForURL(/view=batch/);
    await page.waitForSelector("#run-answer mark", { timeout: patience });
    const { plans } = await site.ask("POST", "/v1/rank", ranked.at(-1));
    assert.equal(await page.textContent(".figure .big"), `$${Math.round(plans[0].decisive).toLocaleString("en")}`);

    await visit("/?model=llama-3.1-8b");
    await page.click("#ask-edge");
    await page.waitForSelector("text=Choose a site");
    await page.waitForFunction(() => [...document.querySelector("#site").options].some(({ value }) => value === "site.edge-ann-arbor"));
    await page.selectOption("#site", "site.edge-ann-arbor");
    await page.waitForSelector(".proposed tbody tr", { timeout: patience });
    const body = ranked.at(-1);
    assert.deepEqual([body.include, body.limits.sites], [["owned", "hybrid"], ["site.edge-ann-arbor"]]);
    for (const { scenario } of (await site.ask("POST", "/v1/rank", body)).plans)
      assert.equal(scenario.pools[0].site.id, "site.edge-ann-arbor", "each plan stands there");
    await page.click("#open-plans");
    await page.waitForURL(/view=edge/);
    await page.waitForSelector("#run-answer mark", { timeout: patience });
    await page.click("#use-plans");
    await page.waitForURL(/view=decision&id=/, { timeout: patience });
    const id = new URL(page.url()).searchParams.get("id");
    const { name, scenarios } = await site.ask("GET", `/v1/decisions/${id}`);
    assert.match(name, /^Serve llama-3.1-8b at site.edge-ann-arbor at 5 requests\/s/);
    await site.ask("DELETE", `/v1/decisions/${id}`);
    await Promise.all(scenarios.map((one) => site.ask("DELETE", `/v1/scenarios/${one}`)));
  },

  async "to buy or to wait leads to its decision"({ open }) {
    const { page, visit } = await open({ width: 400 });
    await visit("/");
    await page.click("text=Buy or wait");
    await page.waitForURL(/view=decision/);
  },
};
