// Plans: a model and a request rate in, the API's ranking out; a plan that is kept is a scenario.
import assert from "node:assert/strict";
import { patience, pick } from "./browser.mjs";

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
        await page.waitForSelector('.pp[data-settled="true"]', { timeout: 60000 });
        const drawn = await site.ask("POST", "/v1/simulate", bodies.findLast((body) => body.scenarios.length === scenarios.length)); // pairs are drawn too
        const rows = await page.$$eval("#ranking tr[data-plan]", (all) =>
          all.map((row) => [row.dataset.plan, row.querySelector(".cf").textContent]),
        );
        const able = (plan) => drawn.scenarios[scenarios.indexOf(plan)].probability_feasible;
        for (const [plan, text] of rows)
          if (able(plan) > 0.01 && able(plan) < 0.99) assert.equal(parseInt(text, 10), Math.round(100 * (1 - able(plan)) - 1e-7), plan);
        const chances = await page.$$eval("#ranking tr[data-plan]", (all) => all.map((row) => row.querySelector(".cb").textContent));
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
    await page.waitForSelector("text=No plan holds this");
    const rows = (await csv("left-out")).slice(1);
    const beyond = rows.find(([reason]) => reason === "longer than the model's context");
    assert.match(beyond?.[2] ?? rows.join(), /a request has up to 200300 tokens, the context of llama-3\.1-405b 131072/);
  },
};

// The bodies that a page sends to a route, from now on.
function sent(page, route) {
  const bodies = [];
  page.on("request", (request) => new URL(request.url()).pathname === route && bodies.push(request.postDataJSON()));
  return bodies;
}
const few = "/?view=plans&model=llama-3.3-70b&rps=30&input=500&output=300&start=2026-12&samples=60&top=8";

export const rest = {
  async "the map, where each plan is full and what would have to be true are the API's, of the plans as they are sized"({ open, site }) {
    const { page, visit, csv } = await open({ width: 1440 });
    const [asked, maps] = [sent(page, "/v1/sensitivity"), sent(page, "/v1/map")];
    await visit(few);
    await page.waitForSelector('.pp[data-settled="true"]', { timeout: 60000 });
    const full = (await csv("full")).slice(1);
    const ofOne = asked.filter((body) => !body.against);
    assert.equal(full.length, ofOne.length);
    const answers = await Promise.all(ofOne.map((body) => site.ask("POST", "/v1/sensitivity", body)));
    const ends = answers.map(({ inputs: [{ flips_at: flip }] }) => (flip?.infeasible && flip.value > 30 ? flip.value : null));
    assert.ok(ends.some((end) => end !== null), "some plan has an end");
    assert.deepEqual(full.map((row) => (row[1] === "" ? null : Number(row[1]))), ends);
    // A plan at half of the demand that fills it does its work, and just beyond it does not.
    const i = ends.findIndex((end) => end !== null);
    const able = async (mean) => {
      const { feasible } = await site.ask("POST", "/v1/evaluate", { scenario: ofOne[i].scenario, set: { "/workloads/0/demand/mean_per_s": mean } });
      return feasible;
    };
    assert.deepEqual([await able(0.99 * ends[i]), await able(1.01 * ends[i])], [true, false]);
    assert.equal(await page.$$eval("#full .load", (all) => all.length), full.length);
    const flips = await site.ask("POST", "/v1/sensitivity", asked.find((body) => body.against));
    const turns = (await csv("turns")).slice(1).map(([, text]) => text);
    const found = flips.inputs.filter((input) => input.flips_at).length;
    assert.equal(turns.filter((text) => /; (over|below) /.test(text)).length, found);
    const map = await site.ask("POST", "/v1/map", maps.at(-1));
    assert.ok(!map.x.pointer.includes("demand"), "plans keep their size in a map");
    assert.equal((await csv("map")).length - 1, map.cheapest.flat().length);
    const before = page.url();
    await page.locator("#map .chart").click({ position: { x: 120, y: 80 } });
    assert.equal(page.url(), before, "a click moves nothing");
    await page.focus("#full-peak");
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/rps=30\.3/);
  },

  async "what is assumed flips where two plans cross, and servers bought later cost what the API says"({ open, site }) {
    const { page, visit, csv } = await open({ width: 1440 });
    const asked = sent(page, "/v1/sensitivity");
    await visit("/?view=plans&model=llama-3.3-70b&rps=30&start=2026-12&samples=20");
    await page.waitForSelector('.pp[data-settled="true"]', { timeout: patience });
    const { scenario, against, inputs, output } = asked.find((body) => body.inputs.some(({ pointer }) => pointer.endsWith("engineer_weeks")));
    const found = (await site.ask("POST", "/v1/sensitivity", { scenario, against, inputs, output })).inputs;
    const flipped = found.filter(({ flips_at: at }) => at && !at.infeasible);
    assert.ok(flipped.length > 0);
    for (const { pointer, flips_at: at } of flipped) {
      const cheapest = async (value) => {
        const moved = pointer.includes("*") ? { scale: { [pointer]: value } } : { set: { [pointer]: value } };
        return (await site.ask("POST", "/v1/compare", { scenarios: [scenario, ...against], ...moved })).cheapest;
      };
      assert.deepEqual(new Set(await Promise.all([0.999, 1.001].map((step) => cheapest(step * at.value)))), new Set([0, at.cheapest]), pointer);
    }
    const weeks = found.find(({ pointer }) => pointer.endsWith("engineer_weeks")).flips_at;
    const rows = await csv("assumptions");
    const said = rows.find(([what]) => what === "porting")[rows[0].indexOf("flips at")];
    assert.ok(said.includes(weeks ? `${Number((6 * weeks.value).toPrecision(3))} engineer-weeks` : "no flip"), said);
    assert.equal(await page.textContent('#assumed li:has(b:text-is("Porting")) .flip'), said[0].toUpperCase() + said.slice(1));

    const [what, value] = (await csv("turns")).find(([, text]) => /, in a year /.test(text));
    const bought = [scenario, ...against].find(({ pools }) => pools.some(({ purchases }) => purchases?.length === 1));
    const pool = bought.pools.findIndex(({ purchases }) => purchases);
    const costOf = async (set) => (await site.ask("POST", "/v1/evaluate", { scenario: bought, set })).decisive;
    const month = `/pools/${pool}/purchases/0/month`;
    const thousand = (cost) => `$${Math.round(cost / 1000)}K`;
    assert.match(what, /, bought later$/);
    assert.ok(value.startsWith(`now ${thousand(await costOf({}))}, in a year ${thousand(await costOf({ [month]: 12 }))}, in two years ${thousand(await costOf({ [month]: 24 }))}.`), value);
    const change = -Number(/changes by −([\d.]+) %/.exec(value)[1]) / 100;
    const level = await costOf({ [month]: 12, [`/pools/${pool}/server/price_change_rate`]: change });
    assert.ok(Math.abs(level / (await costOf({})) - 1) < 0.002, `${level} at ${change}`);
  },

  async "one switch orders rows, sentence and cards: by what holds in 95 % of draws, and by energy or carbon"({ open, site }) {
    const { page, visit, csv } = await open({ width: 1440 });
    const asked = sent(page, "/v1/rank");
    await visit("/?view=plans&model=llama-3.1-8b&rps=20&start=2026-12&samples=60&where=owned");
    const settled = () => page.waitForSelector('.pp[data-settled="true"]', { timeout: 60000 });
    await settled();
    const { plans } = await site.ask("POST", "/v1/rank", asked.at(-1));
    const lacks = /latency_unknown|context_unknown|market_level|undated_price|stale_price|without_hosts/;
    const isKnown = ({ row }) => row.warnings.every((code) => !lacks.test(code) || plans[0].row.warnings.includes(code));
    const isSafe = (plan) => plan.row.probability_feasible >= 0.95 && !/^behind/.test(plan.why ?? "") && isKnown(plan);
    assert.ok(plans.some(isSafe) && !plans.every(isSafe), "some hold, some do not");
    await page.click("#toggle-Order-95");
    await page.waitForURL(/order=95/);
    await settled();
    const names = () => page.$$eval("#plans tr[data-plan]", (all) => all.map((row) => row.dataset.plan));
    const expected = [...plans.filter(isSafe), ...plans.filter((plan) => !isSafe(plan))].map((plan) => plan.name);
    assert.deepEqual(await names(), expected);
    assert.equal(await page.getAttribute(".choice-card", "data-plan"), expected[0]);
    assert.equal(asked.length, 2, "no new ranking is asked for");
    const shorts = await page.$$eval("#pair-a option", (all) => all.map((one) => [one.textContent, one.value]));
    const [head, ...stack] = await csv("stack");
    const costs = new Map(stack.map((row) => [row[0], Number(row[head.findIndex((name) => name.startsWith("cost ("))])]));
    for (const [short, name] of shorts.filter(([one]) => costs.has(one)))
      assert.ok(Math.abs(costs.get(short) / plans.find((plan) => plan.name === name).decisive - 1) < 1e-9, `${short}: a chart has ${costs.get(short)}, not ${plans.find((plan) => plan.name === name).decisive}`);
    await page.keyboard.press("o");
    await page.waitForFunction(() => !location.search.includes("order="));
    assert.deepEqual(await names(), plans.map((plan) => plan.name));
    await page.click("#toggle-Ranked-by-carbon_kg");
    await page.waitForURL(/by=carbon_kg/);
    await settled();
    assert.equal(asked.at(-1).finance.decide_by, "carbon_kg");
    const carbon = await site.ask("POST", "/v1/rank", asked.at(-1));
    assert.deepEqual(await names(), carbon.plans.map((plan) => plan.name));
    assert.match(await page.textContent("#answer"), / emits? [\d,.]+ kg CO₂e/);
    assert.match(await page.textContent("#plans thead"), /kg CO₂e/);
    assert.ok(!/\$/.test(await page.textContent("#answer")), "carbon is no money");
  },

  async "rows are one stop of Tab with arrows inside, M reads the marks out, and the page is a picture"({ open }) {
    const { page, visit } = await open({ width: 1440 });
    await visit("/?view=plans&model=llama-3.1-8b&rps=20&start=2026-12&samples=20");
    await page.waitForSelector('.pp[data-settled="true"]', { timeout: 60000 });
    const stops = () => page.$$eval("#plans tr[data-plan] :is(a, button)", (all) => all.filter((one) => one.tabIndex === 0).length);
    assert.equal(await stops(), 1);
    const all = await page.$$eval("#plans tr[data-plan]", (rows) => rows.map((row) => row.dataset.plan));
    const focused = () => page.evaluate(() => [document.activeElement.closest("tr")?.dataset.plan, document.activeElement.className]);
    await page.focus("#plans tr[data-plan] .name");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.deepEqual(await focused(), [all[2], "name"]);
    await page.keyboard.press("ArrowRight");
    assert.ok((await focused())[1] !== "name", "its marks are beside its name");
    await page.keyboard.press("m");
    const marks = await page.$$eval(`#plans tr[data-plan="${all[2]}"] .tip`, (tips) => tips.map((one) => one.textContent).join(". "));
    await page.waitForFunction((text) => [...document.querySelectorAll("[aria-live]")].some((one) => one.textContent === text), marks || "No marks");
    await page.keyboard.press("End");
    assert.equal((await focused())[0], all.at(-1));
    assert.equal(await stops(), 1);
    await page.click("#share summary");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Picture of the page")]);
    assert.equal(download.suggestedFilename(), "decision.png");
    const [head] = await (await download.createReadStream()).toArray();
    assert.deepEqual([...head.subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join(""), "PNG");
    assert.ok(head.readUInt32BE(16) > 2000, "twice its width");
  },

  async "a key that may only read sees before it saves which role that needs, and shares"({ open, startSite }) {
    const site = await startSite({ options: ["--require-keys"], keys: ["viewer"] });
    try {
      const { page } = await open({ site, width: 1440 });
      await page.goto(`${site.daemon.url}/?view=plans&model=llama-3.1-8b&rps=20&start=2026-12&samples=0`);
      await page.fill("dialog input", site.daemon.keys.viewer);
      await page.keyboard.press("Enter");
      await page.waitForSelector("text=Saving needs the role editor");
      await page.waitForSelector('.pp[data-settled="true"]', { timeout: 60000 });
      assert.ok(await page.isDisabled("#use-plans"));
      assert.ok(await page.$("#share .btn.first"));
    } finally {
      await site.stop();
    }
  },

  async "each figure of the page is the API's: rows, ranges, chances, cards, and counts that add up"({ open, site }) {
    const { page, visit } = await open({ width: 1440 });
    await visit("/?view=plans&model=llama-3.1-70b&rps=30&input=1000&output=250&start=2026-12&where=owned&samples=60&discount=8");
    const { plans, considered, excluded, ranked, unit } = await site.ask("POST", "/v1/rank", {
      ...asked,
      samples: 60,
      seed: 1,
      include: ["owned"],
      finance: { discount_rate: 0.08, decide_by: "npv" },
      workloads: [{ ...asked.workloads[0], units_per_request: { input: 1000, output: 250 }, demand: { mean_per_s: 30, growth_per_month: 0 } }],
    });
    const short = (value) => new Intl.NumberFormat("en", { style: "currency", currency: unit, notation: "compact", maximumSignificantDigits: 3 }).format(value);
    const rows = await page.$$eval("#plans tr[data-plan]", (all) =>
      all.map((row) => ({
        plan: row.dataset.plan,
        cost: row.querySelector(".cc b").textContent,
        range: row.querySelector(".rng").title,
        fails: row.querySelector(".cf").textContent,
        million: row.querySelector(".cm").textContent,
        chance: row.querySelector(".cb").textContent,
      })),
    );
    assert.deepEqual(rows.map((row) => row.plan), plans.map((plan) => plan.name));
    const percent = (share) => (share < 0.005 ? "< 1 %" : `${Math.round(100 * share)} %`);
    rows.forEach((row, i) => {
      const { decisive, row: figures } = plans[i];
      assert.equal(row.cost, Math.round(decisive / 1000).toLocaleString("en"), "$ thousand, as the head says");
      assert.ok(row.range.startsWith(`Stated ${short(decisive)}; 8 in 10 draws ${short(figures.low)} to ${short(figures.high)}`), row.range);
      assert.equal(row.fails, percent(1 - figures.probability_feasible - 1e-9));
      assert.equal(row.million, figures.cost_per_million_output.toFixed(2));
    });
    const sum = rows.reduce((total, { chance }) => total + (parseInt(chance.replace("< 1", "0"), 10) || 0), 0);
    assert.ok(sum <= 100 && sum >= 90, `${sum}`);
    assert.match(await page.textContent("#plans-title"), /^Plans by present cost$/);
    const counts = await page.$$eval("#left-out .out > li > b", (all) => all.map((one) => Number(one.textContent.replace(",", ""))));
    assert.equal(counts.reduce((total, one) => total + one, plans.length), considered, "shown and left out are all that was considered");
    assert.equal(counts[0], ranked - plans.length);
    assert.equal(counts.length, excluded.length + 1);
    const cards = await page.$$eval(".choice-card", (all) => all.map((card) => card.dataset.plan));
    assert.equal(new Set(cards).size, cards.length, "never two cards of one plan");
    assert.equal(cards[0], plans[0].name);
    assert.ok(!/[a-z]+\.\dx-|-sxm-/.test(await page.textContent(".ans")), "no identifier is a name");
  },

  async "a changed field ranks again in place: figures stay till then, a wrong one is said at its field, back undoes it"({ open }) {
    const { page, visit, settled } = await open({ width: 1440 });
    await visit("/?view=plans&model=llama-3.1-70b&rps=30&start=2026-12&where=owned&samples=20");
    const answer = () => page.textContent("#answer");
    const first = await answer();
    await page.evaluate(() => (document.querySelector(".pp").dataset.mine = "yes"));
    let hold = null;
    await page.route(/\/v1\/rank$/, async (route) => {
      await new Promise((resolve) => (hold = resolve));
      await route.fallback();
    });
    await page.fill("#rps", "60");
    await page.press("#rps", "Enter");
    await page.waitForURL(/rps=60/);
    await page.waitForSelector(".pp.dim");
    assert.equal(await answer(), first, "the last answer stays, dimmed");
    assert.ok(await page.isDisabled("#use-plans"), "what is saved is of the question that is shown");
    await page.unroute(/\/v1\/rank$/);
    hold();
    await settled();
    const second = await answer();
    assert.notEqual(second, first);
    assert.equal(await page.getAttribute(".pp", "data-mine"), "yes", "in place");
    assert.equal(await page.evaluate(() => document.activeElement.id), "rps");
    await page.fill("#rps", "many");
    await page.press("#rps", "Enter");
    assert.match(await page.textContent(".errs"), /Traffic: "many" is not a number/);
    await page.fill("#rps", "60");
    await page.press("#rps", "Enter");
    await page.goBack();
    await page.waitForURL(/rps=30/);
    await settled();
    assert.equal(await answer(), first);
    assert.equal(await page.inputValue("#rps"), "30");
    const peak = Number(await page.inputValue("#peak"));
    assert.ok(peak > 30, "its week has a peak");
    await page.fill("#peak", String(2 * peak));
    await page.press("#peak", "Enter");
    await page.waitForURL((url) => Math.abs(Number(url.searchParams.get("rps")) - 60) < 0.5);
    await page.fill("#availability", "99.99");
    await page.press("#availability", "Enter");
    await page.waitForURL(/availability=99.99/);
    await settled();
    assert.match(await page.textContent(".f.promise summary"), /0\.88 h a year/);
  },

  async "the daemon that is gone is a bar, every figure stays, and what waits is ranked once it is back"({ open }) {
    const { page, visit, settled, wrong } = await open({ width: 1440, clock: true });
    await visit("/?view=plans&model=llama-3.1-8b&rps=30&start=2026-12&where=owned&samples=0");
    const first = await page.textContent("#answer");
    await page.route(/\/v1\//, (route) => route.abort());
    await page.fill("#rps", "300");
    await page.press("#rps", "Enter");
    await page.waitForSelector(".bb.bad:not([hidden])");
    assert.match(await page.textContent(".bb"), /has not answered since .* Trying again in/);
    assert.equal(await page.textContent("#answer"), first);
    await page.unroute(/\/v1\//);
    await page.clock.fastForward(6000);
    await page.waitForSelector(".bb.bad", { state: "hidden" });
    await settled();
    assert.notEqual(await page.textContent("#answer"), first);
    wrong.splice(0, wrong.length, ...wrong.filter((line) => !/ERR_FAILED/.test(line)));
  },

  async "where no plan holds, the nearest is named, and the changes that would make one hold have their cost"({ open, site }) {
    const { page, visit, settled } = await open({ width: 400 });
    await visit("/?view=plans&model=llama-3.1-70b&rps=5&start=2026-12&where=cloud&latency=9&samples=0");
    assert.match(await page.textContent("#answer"), /^No plan holds this/);
    assert.match(await page.textContent(".lede"), /Nearest to the objectives is \d+ \S+ at \w+: .* ms/);
    await page.waitForSelector("#relaxed button");
    const text = await page.textContent("#relaxed li >> nth=0");
    const { plans } = await site.ask("POST", "/v1/rank", {
      ...asked,
      samples: 0,
      top: 1,
      include: ["cloud"],
      workloads: [{ ...asked.workloads[0], demand: { mean_per_s: 5, growth_per_month: 0 }, slo: { itl_s: 0.018 } }],
    });
    const cost = new Intl.NumberFormat("en", { style: "currency", currency: "USD", notation: "compact", maximumSignificantDigits: 3 }).format(plans[0].decisive);
    assert.ok(text.startsWith(`Between tokens 18 msfrom ${cost}`), text);
    await page.click("#relaxed button >> nth=0");
    await page.waitForURL(/latency=18/);
    await settled();
    assert.ok(await page.isHidden("#relaxed"));
  },

  async "a saved question that is asked again says what has moved since"({ open, site }) {
    const opened = await open({ width: 1440 });
    const { page, visit, settled } = opened;
    await visit("/?view=plans&model=llama-3.1-8b&rps=30&start=2026-12&where=cloud&samples=20");
    await page.click("#use-plans");
    await page.waitForURL(/view=decision&id=/);
    await settled();
    const decision = await site.ask("GET", `/v1/decisions/${new URL(page.url()).searchParams.get("id")}`);
    const { pools } = await site.ask("GET", `/v1/scenarios/${decision.baseline}`);
    const offer = await site.ask("GET", `/v1/offers/${pools[0].offer.id}`);
    const { revision, recorded_at: at, recorded_by: by, ...body } = offer;
    const price = (factor) =>
      typeof body.hourly_price === "number"
        ? factor * body.hourly_price
        : { ...body.hourly_price, points: body.hourly_price.points.map(([day, value]) => [day, factor * value]) };
    try {
      await page.click("#ask-again");
      await page.waitForURL(/decision=/);
      await settled();
      assert.ok(await page.isHidden(".bb.warn"), "nothing has moved");
      await site.ask("PUT", `/v1/offers/${offer.id}`, { ...body, hourly_price: price(1.02) });
      await page.reload();
      await settled();
      assert.match(await page.textContent(".bb.warn"), /^(Prices or rates have moved|The answer has flipped).* costs \$/);
      await site.ask("PUT", `/v1/offers/${offer.id}`, { ...body, hourly_price: price(9) });
      await page.reload();
      await settled();
      assert.match(await page.textContent(".bb.warn"), /^The answer has flipped\..*The first is now/);
    } finally {
      await site.ask("PUT", `/v1/offers/${offer.id}`, { ...body, hourly_price: price(1) });
      await site.ask("DELETE", `/v1/decisions/${decision.id}`);
      await Promise.all(decision.scenarios.map((one) => site.ask("DELETE", `/v1/scenarios/${one}`)));
    }
  },

  async "a card takes its plan, keys choose the pair with the focus where it was, and the reasons add up"({ open }) {
    const { page, visit, settled } = await open({ width: 1440 });
    await visit("/?view=plans&model=llama-3.1-70b&rps=30&start=2026-12&where=owned&samples=20");
    await page.click('.choice-card [aria-pressed="false"] >> nth=0');
    await page.waitForURL(/take=/);
    await settled();
    assert.equal(await page.$$eval(".choice-card.on", (all) => all.length), 1);
    const taken = await page.getAttribute(".choice-card.on", "data-plan");
    assert.equal(await page.getAttribute('#plans tr[aria-selected="true"]:has(.pick:text-is("A"))', "data-plan"), taken);
    await page.focus("#plans .name >> nth=0");
    for (const key of ["j", "j", "b"]) await page.keyboard.press(key);
    await page.waitForURL(/[?&]b=/);
    await settled();
    assert.equal(await page.evaluate(() => document.activeElement.closest("tr")?.rowIndex), 3 + (await page.$$eval("#plans tr.sep", (all) => all.filter((one) => one.rowIndex < 4).length)));
    const figures = (await page.$$eval(".nouns td:last-child.num", (all) => all.map((one) => one.textContent))).map((text) => Number(text.replace("−", "-").replace(/[+,]/g, "")));
    assert.equal(figures.slice(0, -1).reduce((total, one) => total + one, 0), figures.at(-1), figures.join());
    await page.click("#plans .name >> nth=0");
    assert.match(await page.textContent("#plans tr.detail"), /Catalogue's name.*Prices/s);
  },

  async "a region binds: the form sends it, and what is elsewhere is left out in words"({ open, site }) {
    const { page, visit, csv, settled } = await open({ width: 1440 });
    await visit(question);
    await page.selectOption("#region", "us");
    await page.waitForURL(/region=us/);
    await settled();
    const answer = await site.ask("POST", "/v1/rank", { ...asked, limits: { regions: ["us"] } });
    const plans = (await csv("plans")).slice(1);
    assert.equal(plans.length, answer.plans.length);
    const excluded = answer.excluded.find(({ reason }) => reason === "region");
    const row = (await csv("left-out")).find(([text]) => text === "not where the work may run, or nobody knows where");
    assert.equal(Number(row[1]), excluded.count);
  },

  async "with samples, plans have the API's probabilities of being the best, and what was drawn stands below"({ open, site }) {
    const { page, visit, csv } = await open();
    await visit(`${question}&samples=20`);
    const answer = await site.ask("POST", "/v1/rank", { ...asked, samples: 20, seed: 1 });
    const [header, ...rows] = await csv("plans");
    const at = header.findIndex((name) => name.startsWith("probability best"));
    assert.deepEqual(
      rows.map((row) => Number(row[at])),
      answer.plans.map((plan) => plan.probability_best),
    );
    const drawn = await page.textContent(".pp .apart");
    for (const { factor } of answer.uncertainty.factors) assert.ok(drawn.includes(factor.replaceAll("_", " ")), `${factor}: ${drawn}`);
  },

  async "a budget in yen is of plans in yen: the form takes a currency, and what a dollar is in it"({ open, site }) {
    const { page, visit, csv, settled } = await open({ width: 1440 });
    await visit("/?view=plans&model=llama-3.1-8b&rps=20&start=2026-12");
    assert.ok(!(await page.isVisible("#dollar")), "dollars need no rate");
    const work = { ...asked.workloads[0], model: "llama-3.1-8b", demand: { mean_per_s: 20, growth_per_month: 0 } };
    const { plans } = await site.ask("POST", "/v1/rank", { ...asked, workloads: [work], currency: "JPY", exchange_rates: { USD: 150 } });
    const millions = Math.ceil(plans[0].decisive / 1e6); // between the first and the last plan
    await page.selectOption("#currency", "JPY");
    await page.waitForSelector(".f.money.err"); // a rate is needed
    assert.match(await page.textContent(".errs"), /Money: how many JPY a US dollar is/);
    await page.fill("#dollar", "150");
    await page.press("#dollar", "Enter");
    await page.waitForURL(/dollar=150/);
    await page.fill("#budget", `${millions},000,000`);
    await page.press("#budget", "Enter");
    await page.waitForURL(/budget=/);
    await settled();
    assert.ok(page.url().includes(`dollar=150&budget=${millions}000000`), page.url());
    const [head, ...rows] = await csv("plans");
    assert.equal(head[1], "cost (JPY)");
    assert.deepEqual(rows.map((row) => Number(row[1])), plans.map((plan) => plan.decisive));
    const over = await page.$$eval('[data-figure="plans"] tbody tr[data-plan]', (all) => all.filter((row) => /over budget/.test(row.textContent)).length);
    assert.equal(over, plans.filter((plan) => plan.decisive > millions * 1e6).length);
    assert.ok(over > 0 && over < plans.length, `${over}`);
    await page.click("#use-plans");
    await page.waitForURL(/view=decision&id=/);
    await page.waitForSelector('.pp[data-settled="true"]', { timeout: 60000 });
    const id = new URL(page.url()).searchParams.get("id");
    const { scenarios, budget } = await site.ask("GET", `/v1/decisions/${id}`);
    assert.equal(budget, millions * 1e6);
    assert.match(await page.textContent(".say"), /¥/);
    assert.ok((await page.textContent("dl")).includes(`Budget ¥${millions}M`));
    await site.ask("DELETE", `/v1/decisions/${id}`);
    await Promise.all(scenarios.map((one) => site.ask("DELETE", `/v1/scenarios/${one}`)));
  },

  async "a question is asked in the strip, and the pinned plans are kept as scenarios and a decision, which asks again"({ open, site }) {
    const { page, visit, settled } = await open({ width: 1440 });
    await visit("/?view=plans");
    await pick(page, "#model", "llama-3.1-8b");
    await page.waitForURL(/model=llama-3.1-8b/);
    await settled();
    for (const [name, value] of [["rps", "3"], ["input", "778"], ["output", "128"]]) { // at which its rates are measured
      await page.fill(`#${name}`, value);
      await page.press(`#${name}`, "Enter");
    }
    await page.click(".f.weights summary");
    await page.selectOption("#measured", "measured");
    await page.waitForURL(/rps=3&input=778&output=128&measured=measured/);
    await settled();
    const evidence = await page.$$eval("#plans .c-ev .ev", (all) => all.map((one) => one.textContent));
    assert.ok(evidence.every((text) => ["measured", "interpolated"].includes(text)), evidence.join()); // hosts state no rates
    assert.ok(evidence.length > 4, evidence.join());
    for (const rank of [2, 3, 4, 5]) await page.click(`[aria-label="Keep plan ${rank} in the decision"]`);
    await page.click("#use-plans");
    await page.waitForURL(/view=decision&id=/);
    await settled();
    const id = new URL(page.url()).searchParams.get("id");
    const { scenarios, source } = await site.ask("GET", `/v1/decisions/${id}`);
    assert.equal(scenarios.length, 1);
    const stored = await site.ask("GET", `/v1/scenarios/${scenarios[0]}`);
    assert.equal(stored.workloads[0].model, "llama-3.1-8b");
    assert.match(source, /^\/\?view=plans&model=llama-3.1-8b&rps=3/);
    await page.click("#ask-again");
    await page.waitForURL(/view=plans.*&decision=/);
    await settled();
    assert.ok(await page.isHidden(".pp .tag"), "nothing has changed");
    await page.fill("#rps", "4");
    await page.press("#rps", "Enter");
    await page.waitForURL(/rps=4/);
    await settled();
    assert.equal(await page.textContent(".pp .tag"), "1 change, not saved");
    await page.click(".f.traffic .chg");
    await page.waitForURL(/rps=3/);
    await settled();
    assert.ok(await page.isHidden(".pp .tag"));
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
      await pick(page, "#model", "llama-3.1-70b");
      await page.waitForURL(/model=/);
      await settled();
      assert.deepEqual([bodies.at(-1).limits, bodies.at(-1).include], [limits, include]);
    }
    for (const [kind, id] of [
      ["endpoints", (await site.ask("GET", "/v1/endpoints?q=llama-3.1-70b&limit=1")).items[0].id],
      ["performances", "ml-energy.llama-3.1-70b.h100-sxm5-x4"],
    ]) {
      await visit(`/?view=data&kind=${kind}&id=${id}`);
      await page.click("#use");
      await page.waitForURL(/view=plans/);
      await settled();
      assert.equal(await page.inputValue("#model"), "Llama 3.1 70B", "the model is known: its plans are there at once");
    }
  },

  async "a plan's row has what its devices do and cost, how that is known, and the age of its price"({ open, site }) {
    const { visit, csv, page } = await open({ width: 1440 });
    await visit(`${question}&device=amd.mi300x`);
    const [head, ...rows] = await csv("plans");
    const at = (name) => head.findIndex((one) => one.startsWith(name));
    const body = { ...asked, include: ["cloud", "owned", "hybrid"], limits: { devices: ["amd.mi300x"] } };
    const { plans: ranked } = await site.ask("POST", "/v1/rank", body);
    const alone = ranked.findIndex((plan) => plan.scenario.pools.length === 1);
    const result = await site.ask("POST", "/v1/evaluate", { scenario: ranked[alone].scenario });
    const [pool] = Object.values(result.by_pool);
    assert.equal(Number(rows[alone][at("busy device")]), result.by_workload.serve.units_served / pool.busy_device_hours / 3600);
    assert.equal(Number(rows[alone][at("device-hour")]), pool.cost / pool.available_device_hours);
    assert.match(rows[0][at("devices")], /MI300X/);
    assert.equal(rows[0][at("evidence")], ranked[0].evidence);
    const days = await page.$$eval("#plans .c-ev small", (all) => all.map((one) => one.textContent));
    assert.equal(days.filter((text) => /^\d+ [A-Z][a-z]{2} \d{4}$|^not dated$/.test(text)).length, rows.length, days.join());
    await page.click('[aria-label^="Any device"]');
    await page.waitForFunction(() => !location.search.includes("device="));
  },
};
