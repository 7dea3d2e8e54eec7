// Rates: how fast a model runs on a device, as the API answers it; the measured points beside it, and links from where it matters.
import assert from "node:assert/strict";
import { pick } from "./browser.mjs";

const model = "llama-3.1-70b";
const device = "nvidia.h100-sxm5-80gb";
const asked = { model, device, devices: 4, precision: "fp8", input: 1024, output: 1024 };
const address = (more = {}) => `/?${new URLSearchParams({ view: "rates", ...asked, ...more })}`;
const loads = [...Array(10).keys()]
  .flatMap((n) => [2 ** n, 1.5 * 2 ** n])
  .filter((n) => n === 1 || n >= 2)
  .concat(1024);

// All stored measurements: more than a page of a list has.
async function measurementsOf(site) {
  const items = [];
  for (let after = ""; after !== null;) {
    const page = await site.ask("GET", `/v1/measurements?limit=1000${after && `&after=${encodeURIComponent(after)}`}`);
    items.push(...page.items);
    after = page.next ?? null;
  }
  return items;
}

const near = (a, b) => Math.abs(a - b) <= 0.25 * b;
// Points of a measurement at the same count, precision and lengths, with load and rate.
const pointsOf = ({ points }) =>
  points.output
    .map((output, i) => ({
      output,
      input: points.input?.[i],
      concurrency: points.concurrency?.[i],
      rate: points.output_per_s?.[i],
    }))
    .filter((one) => near(one.input, 1024) && near(one.output, 1024) && one.concurrency && one.rate);

export const main = {
  async "a rate, its curve and the points that it stands on are the API's"({ open, site }) {
    const { page, visit, csv } = await open({ width: 1440 });
    const bodies = [];
    page.on("request", (request) => /\/v1\/rates$/.test(request.url()) && bodies.push(request.postDataJSON()));
    await visit(address({ concurrency: 64 }));
    assert.deepEqual(bodies, [{ ...asked, concurrency: 64, concurrencies: loads }]);
    const answer = await site.ask("POST", "/v1/rates", bodies[0]);

    const text = await page.textContent("#rate-words");
    const brief = (value) => (value >= 100 ? Math.round(value) : Number(value.toPrecision(3))).toLocaleString("en");
    const time = (seconds) => (seconds < 1 ? `${brief(1000 * seconds)} ms` : `${brief(seconds)} s`);
    assert.ok(text.includes(`${brief(answer.output_per_s)} tokens/s out with 64 requests at a time`), text);
    assert.ok(text.includes(`between ${brief(answer.low)} and ${brief(answer.high)} tokens/s (10th to 90th percentile)`), text);
    assert.ok(text.includes(`after ${time(answer.ttft_s)}, each further one after ${time(answer.itl_s)}`), text);
    assert.ok(text.includes(`takes ${time(answer.e2e_s)}`), text);
    assert.ok(text.includes(`draw ${brief(answer.watts)} W, ${brief(answer.joules_per_output)} J a token out`), text);
    assert.ok(text.includes(`The rate is ${answer.evidence}: `), text);
    assert.match(
      text,
      { reading: /reading weights/, prompts: /the prompts/, arithmetic: /arithmetic of the tokens/ }[answer.bound],
    );

    const [head, ...rows] = await csv("rates-loads");
    assert.equal(
      head.join(),
      "requests at a time,output (tokens/s),p10 (tokens/s),p90 (tokens/s),requests (requests/s),first token (s)," +
        "between tokens (s),request (s),running (requests),power (W),energy (J/token),bound,of ceiling (fraction),evidence",
    );
    const members = [
      "concurrency",
      "output_per_s",
      "low",
      "high",
      "requests_per_s",
      "ttft_s",
      "itl_s",
      "e2e_s",
      "running",
      "watts",
      "joules_per_output",
      "bound",
      "ceiling",
      "evidence",
    ];
    assert.deepEqual(
      rows,
      answer.loads.map((load) => members.map((member) => String(load[member]))),
    );

    const items = await measurementsOf(site);
    const same = items.filter(
      (one) => one.model === model && one.device === device && one.devices === 4 && one.precision === "fp8",
    );
    const points = same.flatMap(pointsOf).sort((a, b) => a.concurrency - b.concurrency);
    assert.ok(points.length >= 5);
    const [, ...measured] = await csv("rates-measured");
    assert.deepEqual(
      measured.map((row) => row.slice(0, 2).map(Number)),
      points.map((one) => [one.concurrency, one.rate]),
    );
    const [, ...moved] = await csv("rates-from");
    assert.deepEqual(
      moved.map((row) => [row[0], ...row.slice(1, 3).map(Number)]),
      answer.from.map((one) => [one.measurement, one.point, one.weight]),
    );
    const drawn = await page.$$eval('[data-figure="rates-output"] .legend li', (all) => all.map((one) => one.textContent));
    assert.ok(drawn.includes("measured in these conditions"), drawn.join());
  },

  async "an objective of whole requests is one of the rate"({ open }) {
    const { page, visit } = await open();
    const bodies = [];
    page.on("request", (request) => /\/v1\/rates$/.test(request.url()) && bodies.push(request.postDataJSON()));
    await visit(address({ e2e: 60000 }));
    assert.deepEqual(bodies, [{ ...asked, slo: { e2e_s: 60 }, concurrencies: loads }]);
    assert.match(await page.textContent("#rate-words"), /most requests at a time that keep the objectives/);
    assert.match(await page.textContent("#rate-words"), /For 95 of 100 requests the first token comes within/);
  },
};

export const rest = {
  async "a rate of training is the API's, with the runs that moved it; the form turns from one work to the other"({ open, site }) {
    const { page, visit, settled, csv } = await open({ width: 1440 });
    const bodies = [];
    page.on("request", (request) => /\/v1\/rates$/.test(request.url()) && bodies.push(request.postDataJSON()));
    await visit(address({ itl: 40 }));
    await page.selectOption("#work", "training");
    await page.waitForSelector("#sequence");
    await settled();
    assert.equal(await page.locator("#input, #itl").count(), 0);
    await page.fill("#devices", "64");
    await page.fill("#sequence", "8192");
    await page.click("text=Show the rate");
    await page.waitForURL(/sequence=8192/);
    await settled();
    const body = { model, device, devices: 64, precision: "fp8", sequence: 8192 };
    assert.deepEqual(bodies.at(-1), body);
    const answer = await site.ask("POST", "/v1/rates", body);
    const text = await page.textContent("#rate-words");
    const brief = (value) => Number(value.toPrecision(value >= 100 ? 15 : 3)).toLocaleString("en", { maximumFractionDigits: value >= 100 ? 0 : 3 });
    assert.match(text, /trained in fp8 on 64×/);
    assert.ok(text.includes(`${brief(answer.tokens_per_s_device)} tokens/s a device`), text);
    assert.ok(text.includes(answer.evidence), text);
    const [, ...moved] = await csv("rates-from");
    assert.deepEqual(moved.map((row) => [row[0], ...row.slice(1, 3).map(Number)]), answer.from.map((one) => [one.measurement, one.point, one.weight]));
    await page.selectOption("#work", "serving");
    await page.waitForSelector("#input");
    await settled();
    assert.deepEqual(bodies.at(-1), { ...asked, devices: 64, slo: { itl_s: 0.04 }, concurrencies: loads });
  },

  async "the form is the address, and what can't be is refused in words"({ open }) {
    const { page, visit, settled } = await open();
    await visit("/?view=rates");
    assert.equal(await page.locator("#rate-words").count(), 0);
    await pick(page, "#model", model);
    await pick(page, "#device", device);
    await page.fill("#devices", "8");
    await page.fill("#input", "2,000");
    await page.selectOption("#precision", "fp8");
    await page.click("text=Show the rate");
    await page.waitForSelector("#rate-words");
    await settled();
    const parameters = Object.fromEntries(new URL(page.url()).searchParams);
    assert.deepEqual(parameters, { view: "rates", model, device, devices: "8", input: "2000", precision: "fp8" });
    await page.fill("#devices", "2.5");
    assert.equal(await page.$eval("#devices", (input) => input.validationMessage), "A whole number.");
    for (const [more, said] of [
      [{ model: "llama-9" }, /no model has the id or name llama-9/],
      [{ device: "nvidia.h900" }, /no device has the id or name nvidia\.h900/],
      [{ devices: 1, precision: "bf16" }, /do not hold the weights .* give 2 or more, or fewer bits/],
      [{ devices: "many" }, /devices: "many" is not a number/],
      [{ input: 1000000 }, /the context of llama-3\.1-70b is 131072: give shorter requests/],
      [{ cached_input: 2000 }, /at most input/],
      [{ itl: 0.1 }, /give more devices, fewer bits or another objective/],
      [{ itl: 50, concurrency: 8 }, /give concurrency, or slo/],
    ]) {
      await visit(address(more));
      assert.match(await page.textContent(".rates [role=alert]"), said);
      assert.equal(await page.locator("#rate-words, .chart").count(), 0, "no figure beside a refusal");
    }
  },

  async "measured points of other lengths, counts and precisions are not drawn as the rate's"({ open, site }) {
    const { page, visit, csv, settled } = await open({ width: 1440 });
    await visit(address({ input: 3000 }));
    assert.equal(await page.locator('[data-figure="rates-measured"]').count(), 0);
    assert.match(await page.textContent('[data-figure="rates-output"] figcaption'), /Nothing is measured in these conditions/);
    const [, ...conditions] = await csv("rates-conditions");
    const items = await measurementsOf(site);
    const all = items.filter((one) => one.model === model && one.device === device && one.kind === "serving");
    assert.equal(
      conditions.reduce((sum, row) => sum + Number(row[1]), 0),
      all.reduce((sum, one) => sum + one.points.output.length, 0),
    );
    await page.click('[data-figure="rates-conditions"] a >> text=/^8× H100 SXM5 80GB fp8, 8,192 tokens in/');
    await page.waitForURL(/devices=8&precision=fp8&input=8192/);
    await settled();
    assert.equal((await csv("rates-measured")).length - 1, 5);
  },

  async "doubted measurements and percentiles are no points of the means"({ open, startSite }) {
    const site = await startSite();
    try {
      const points = { input: [1024], output: [1024], concurrency: [48], output_per_s: [2500], itl_s: [0.03] };
      const own = { model, device, devices: 4, precision: "fp8", kind: "serving" };
      await site.ask("PUT", "/v1/measurements/own.p90", { ...own, own: true, percentiles: { itl_s: 90 }, points });
      await site.ask("PUT", "/v1/measurements/own.doubted", { ...own, doubt: "another model ran", points });
      const { visit, csv, page } = await open({ site, width: 1440 });
      await visit(address());
      const [, ...measured] = await csv("rates-measured");
      assert.deepEqual(
        measured.flat().filter((cell) => cell.startsWith("own.")),
        ["own.p90"],
      );
      const cell = await page.textContent('[data-figure="rates-measured"] tr:has(a[title="own.p90"])');
      assert.match(cell, /30 ms, 90th percentile/);
    } finally {
      await site.stop();
    }
  },

  async "an objective finds the load; requests beyond the caches' memory wait, as the page states"({ open, site }) {
    const { page, visit } = await open();
    await visit(address({ itl: 20 }));
    const { concurrency } = await site.ask("POST", "/v1/rates", { ...asked, slo: { itl_s: 0.02 } });
    const text = await page.textContent("#rate-words");
    assert.ok(
      text.includes(`with ${concurrency} requests at a time`) && /the most requests at a time that keep/.test(text),
      text,
    );
    await visit(address({ devices: 2, precision: "bf16", concurrency: 64 }));
    const { running } = await site.ask("POST", "/v1/rates", { ...asked, devices: 2, precision: "bf16", concurrency: 64 });
    const said = await page.textContent("#rate-words");
    assert.ok(said.includes(`holds ${Math.floor(running)} requests at a time: the other ${64 - Math.floor(running)} wait`), said);
  },

  async "an assumed rate says what it lacks, and an answer of one token has no time between tokens"({ open }) {
    const { page, visit } = await open();
    await visit("/?view=rates&model=llama-3.1-8b&device=nvidia.t4-16gb&output=1");
    const text = await page.textContent("#rate-words");
    assert.match(text, /The rate is assumed: nothing measured is near and facts of the model or device are missing/);
    assert.ok(!text.includes("each further one"), text);
    const axis = await page.$$eval('[data-figure="rates-output"] svg text', (all) => all.map((one) => one.textContent));
    assert.ok(!axis.some((label) => /K$/.test(label)), `points of other conditions stretch the axis: ${axis.join()}`);
  },

  async "models, devices, measurements and plans lead to their rates"({ open, site }) {
    const { page, visit, settled } = await open({ width: 1440 });
    for (const [kind, id, field] of [
      ["models", model, "#model"],
      ["devices", device, "#device"],
    ]) {
      await visit(`/?view=data&kind=${kind}&id=${id}`);
      await page.click("#rate");
      await page.waitForURL(/view=rates/);
      await settled();
      const data = await page.$eval(field, ({ form, name }) => new FormData(form).get(name));
      assert.equal(data, id);
      assert.notEqual(await page.inputValue(field), id, "it is named");
    }
    await visit("/?view=data&kind=devices&id=cpu.epyc-9654");
    assert.equal(await page.locator("#rate").count(), 0);
    await visit(`/?view=plans&model=${model}&rps=40&start=2026-12&device=${device}&input=1000`);
    const links = await page.$$eval('[data-figure="plans"] tbody tr[data-plan]', (rows) =>
      rows.map((row) => [...row.querySelectorAll('a[href*="view=rates"]')].map((link) => link.getAttribute("href"))),
    );
    const work = {
      id: "serve",
      kind: "inference",
      unit: "token",
      model,
      units_per_request: { input: 1000, output: 300 },
      demand: { mean_per_s: 40 },
    };
    const { plans } = await site.ask("POST", "/v1/rank", {
      start: "2026-12",
      months: 36,
      workloads: [work],
      include: ["cloud", "owned", "hybrid"],
      limits: { devices: [device] },
    });
    for (const [i, { replicas }] of plans.entries()) {
      assert.equal(links[i].length, replicas.length);
      for (const [j, replica] of replicas.entries()) {
        const parameters = new URLSearchParams(links[i][j].slice(2));
        assert.deepEqual(
          ["model", "device", "devices", "precision", "input", "output", "concurrency"].map((name) => parameters.get(name)),
          [model, replica.device, String(replica.devices), replica.precision, "1000", "300", String(replica.concurrency)],
        );
      }
    }
    await page.click('[data-figure="plans"] a[href*="view=rates"]');
    await page.waitForSelector("#rate-words");
  },
};
