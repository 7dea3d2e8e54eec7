// Figures of a decision's views have the unit that the API gave them, in sentences, bridges, tables and CSV; fields of numbers take what
// people type, or say why not.
import assert from "node:assert/strict";

const plans = ["hosted-api", "cloud-spot", "cloud-on-demand", "cloud-reserved", "hybrid", "owned", "tpu"].map(
  (name) => `serving-70b.${name}`,
);
const path = (scenarios, more = {}) =>
  `/?${new URLSearchParams([["view", "decision"], ...scenarios.map((id) => ["scenario", id]), ...Object.entries(more)])}`;
const whole = (page) => page.waitForSelector('.pp[data-settled="true"]', { timeout: 60000 });
const own = ({ revision, recorded_at, recorded_by, ...document }) => document;

const siteOf = async (site, id) => {
  const place = (await site.ask("GET", `/v1/scenarios/${id}`)).pools[0].site;
  return typeof place === "string" ? site.ask("GET", `/v1/sites/${place}`) : place;
};

// The texts that amounts of money may have, exact and to three digits.
const moneyTexts = (values, currency) =>
  new Set(
    values
      .flatMap((value) => [value, Math.abs(value)])
      .flatMap((value) =>
        [
          { notation: "compact", maximumSignificantDigits: 3 },
          { maximumFractionDigits: 0 },
          { minimumFractionDigits: 2, maximumFractionDigits: 2 },
          { maximumSignificantDigits: 4 },
        ].map((options) => new Intl.NumberFormat("en", { style: "currency", currency, ...options }).format(value).replace(/^-/, "−")),
      ),
  );
const moneyIn = (text) => text.match(/−?[$¥€][\d.,]*\d[KMBT]?/g) ?? [];

// What a step's figures look like by its unit alone.
const looks = (unit, currency) =>
  unit === "currency"
    ? /^(−?\$[\d.,]+[KMBT]?|–) → (−?\$[\d.,]+[KMBT]?|–)$/
    : unit === "fraction"
      ? /^([\d.]+ %|–) → ([\d.]+ %|–)$/
      : new RegExp(`^[−\\d.,KMBT–]+( \\S+)? → [−\\d.,KMBT]+ ${unit.replace("currency", currency)}$`);

export const main = {
  async "tokens a second are no dollars: each step of a bridge, its reasons and the sentence have the API's unit"({ open, site }) {
    const { page, visit } = await open({ width: 1440 });
    const units = new Set();
    for (const [a, b] of [
      ["tpu", "cloud-reserved"],
      ["owned", "cloud-spot"],
      ["hybrid", "hosted-api"],
      ["cloud-on-demand", "tpu"],
    ].map((pair) => pair.map((name) => `serving-70b.${name}`))) {
      await visit(path([a, b], { a, b }));
      const { currency, scenarios, waterfalls } = await site.ask("POST", "/v1/compare", { scenarios: [b, a], baseline: 0 });
      const { steps } = waterfalls[0].bridge;
      const shown = await page.$$eval(".bridge small", (all) => all.map((one) => one.textContent));
      assert.equal(shown.length, steps.length);
      steps.forEach(({ driver, unit }, i) => {
        units.add(unit);
        assert.match(shown[i], looks(unit, currency), driver);
      });
      const sum = (some) => some.reduce((total, { amount }) => total + amount, 0);
      const isMoney = ({ unit }) => unit.startsWith("currency");
      const figures = [
        ...steps.filter(isMoney).flatMap((step) => [step.a, step.b]),
        ...steps.map(({ amount }) => amount),
        ...scenarios.map(({ result }) => result.decisive),
        ...Array.from({ length: 2 ** steps.length }, (_, set) => sum(steps.filter((_, i) => set & (2 ** i)))), // what some come to
      ];
      const allowed = moneyTexts(figures.filter((value) => value !== null && value !== undefined), currency);
      for (const part of ["#answer", ".because"]) {
        const text = await page.textContent(part);
        for (const token of moneyIn(text)) assert.ok(allowed.has(token), `${token} of "${text}" is no money of the API`);
        assert.ok(!/% of the gap/.test(text), text);
      }
    }
    assert.ok(units.has("tokens/s") && units.has("fraction") && units.has("currency"), [...units].join());
  },

  async "a CSV's heads fit its figures: dollars, not thousands; multiples, not requests"({ open, site }) {
    const { page, visit, csv } = await open({ width: 1440 });
    const asked = [];
    page.on("request", (request) => /\/v1\/(map|simulate)$/.test(request.url()) && asked.push([request.url(), request.postDataJSON()]));
    await visit(path(plans, { baseline: plans[2] }));
    await whole(page);
    const { scenarios } = await site.ask("POST", "/v1/compare", { scenarios: plans, baseline: 2 });
    const ask = async (name) => site.ask("POST", `/v1/${name}`, asked.find(([url]) => url.endsWith(name))[1]);
    const simulated = await ask("simulate");
    const [head, ...rows] = await csv("ranking");
    const wanted = {
      "Present cost (USD)": ({ result }) => result.decisive,
      "To baseline (USD)": ({ result }, i) => (i === 2 ? null : result.decisive - scenarios[2].result.decisive),
      "CO₂e (kg)": ({ result }) => result.total.carbon_kg,
      "CO₂e at least (kg)": ({ result }) => result.total.carbon_kg_at_least,
      "Can serve (probability)": (_, i) => simulated.scenarios[i].probability_feasible,
      "Be best (probability)": (_, i) => simulated.scenarios[i].probability_cheapest,
    };
    for (const [name, of] of Object.entries(wanted)) {
      const at = head.indexOf(name);
      assert.ok(at > 0, `${name} is not in ${head.join()}`);
      for (const row of rows) {
        const i = scenarios.findIndex(({ result }) => result.name === row[0]);
        assert.equal(row[at], String(of(scenarios[i], i) ?? ""), `${name} of ${row[0]}`);
      }
    }
    assert.ok(!head.some((name) => /thousand|tonnes/.test(name)), head.join());
    assert.match(await page.textContent("#ranking thead"), /\$ thousand/, "the table has thousands, and says so");
    const map = await ask("map");
    const [axes, first] = await csv("map");
    assert.deepEqual(axes.slice(0, 2), ["Demand (× plan)", "Token price (× plan)"]);
    assert.deepEqual(first.slice(0, 2).map(Number), [map.x.values[0], map.y.values[0]]);
  },

  async "power that is paid in dollars is in dollars, whatever the plans' currency"({ open, site }) {
    const ids = ["yen.owned", "yen.hybrid"];
    for (const id of ids) {
      const scenario = own(await site.ask("GET", `/v1/scenarios/${id.replace("yen", "serving-70b")}`));
      await site.ask("PUT", `/v1/scenarios/${id}`, { ...scenario, id, currency: "JPY", exchange_rates: { USD: 150 } });
    }
    try {
      const { page, visit, csv } = await open({ width: 1440 });
      await visit(path(ids));
      const { energy_price: price, currency } = await siteOf(site, "yen.owned");
      const field = () => page.textContent('[data-concept="power-price"] .field');
      assert.equal(await field(), `${currency ?? "USD"}/kWh`);
      assert.equal(Number(await page.inputValue("#assume-power-price")), price);
      await page.fill("#assume-power-price", String(2 * price));
      await page.press("#assume-power-price", "Enter");
      await page.waitForURL(/energy_price(=|%3D)2(&|$)/);
      const { scenarios } = await site.ask("POST", "/v1/compare", { scenarios: ids, scale: { "/pools/*/site/energy_price": 2 } });
      const best = Math.min(...scenarios.map(({ result }) => result.decisive));
      await page.waitForSelector(".big");
      const yen = new Intl.NumberFormat("en", { style: "currency", currency: "JPY", maximumFractionDigits: 0 }).format(best);
      await page.waitForFunction((text) => document.querySelector(".big").textContent === text, yen);
      await visit("/?view=questions&question=sensitivity&scenario=yen.owned");
      const tornado = await csv("tornado");
      const unit = tornado[0].indexOf("unit");
      assert.equal(tornado.find(([pointer]) => pointer.endsWith("/site/energy_price"))[unit], "USD/kWh");
    } finally {
      for (const id of ids) await site.ask("DELETE", `/v1/scenarios/${id}`);
    }
  },

  async "a cleared field is the plans' own value, 2,5 is 2.5, and what is no number is refused in words"({ open }) {
    const { page, visit } = await open({ width: 1440 });
    await visit(path(plans));
    const type = async (text) => {
      await page.fill("#assume-token-price", text);
      await page.press("#assume-token-price", "Tab");
    };
    await whole(page); // the draws say more in the sentence
    const before = await page.textContent("#answer");
    await type("2,5");
    await page.waitForURL(/price_per_million_units(=|%3D)2.5(&|$)/);
    await type("");
    await page.waitForFunction(() => !location.search.includes("price_per_million_units"));
    assert.equal(await page.inputValue("#assume-token-price"), "1");
    await page.waitForFunction((text) => document.getElementById("answer").textContent === text, before);
    await type("a lot");
    await page.waitForFunction(() => /"a lot" is not a number/.test(document.querySelector('[data-concept="token-price"] .wrong').textContent));
    assert.ok(!page.url().includes("price_per_million_units"));
  },

  async "what is selected in a field stays so when an answer comes: what is typed replaces it"({ open }) {
    const { page, visit } = await open({ width: 1440 });
    await visit(path(plans));
    await page.fill("#assume-token-price", "2,5");
    await page.press("#assume-token-price", "Enter");
    await page.waitForURL(/price_per_million_units(=|%3D)2.5(&|$)/);
    const before = await page.$("#assume-token-price");
    await before.evaluate((field) => field.select());
    await whole(page);
    assert.ok(!(await before.evaluate((field) => field.isConnected)), "the list was not built anew");
    await page.keyboard.type("3");
    assert.equal(await page.inputValue("#assume-token-price"), "3");
  },
};

export const rest = {
  async "numbers as people type them"({ open }) {
    const { page, visit } = await open();
    await visit("/?view=glossary");
    const typed = {
      "": null,
      "2,5": 2.5,
      "0,125": 0.125,
      "2.5": 2.5,
      "1,000": 1000,
      "1,234,567.8": 1234567.8,
      "1 000": 1000,
      "1.000,5": 1000.5,
      "1.234.567": 1234567,
      "−3": -3,
      "1e3": 1000,
      "12,34,5": "no number",
      "1.5.2": "no number",
      "2,5 USD": "no number",
      many: "no number",
    };
    const read = await page.evaluate(async (texts) => {
      const { typedNumber } = await import("/static/format.js");
      return texts.map((text) => typedNumber(text)).map((value) => (Number.isNaN(value) ? "no number" : value));
    }, Object.keys(typed));
    assert.deepEqual(read, Object.values(typed));
  },

  async "a decimal comma in the start's fields, a budget and a form is a decimal, and a cleared field is as before"({ open }) {
    const { page, visit, settled } = await open({ width: 1440 });
    await visit("/?view=plans&model=llama-3.1-8b&rps=3");
    await page.fill("#rps", "2,5");
    await page.press("#rps", "Enter");
    await page.waitForURL(/rps=2\.5(&|$)/);
    await settled();
    await page.fill("#rps", "");
    await page.press("#rps", "Enter");
    await page.waitForFunction(() => !location.search.includes("rps="));
    await settled();
    await page.fill("#rps", "a few");
    await page.press("#rps", "Enter");
    assert.match(await page.textContent(".errs"), /"a few" is not a number/);
    assert.ok(!page.url().includes("rps="));
    await visit(path(plans.slice(0, 2), { panel: "simulate" }));
    await page.fill("#panel-budget", "400,000");
    await page.press("#panel-budget", "Enter");
    await page.waitForURL(/budget=400000(&|$)/);
    await visit("/?view=scenario&scenario=serving-70b.owned&at=/workloads/0/demand/mean_per_s");
    await page.fill('[data-field="/workloads/0/demand/mean_per_s"]', "2,5");
    await page.click("text=JSON");
    await page.waitForFunction(() => /"mean_per_s": 2.5/.test(document.querySelector("textarea.json")?.value));
    await page.click("#discard");
  },

  async "what is wrong with a value is said in the field's own words and unit, and the last answer stays"({ open }) {
    const { page, visit } = await open({ width: 1440 });
    await visit(path(plans));
    const wrong = (id) => `[data-concept="${id}"] .wrong:not(:empty)`;
    for (const [id, text, said] of [
      ["headroom", "200", "Peak utilization is at most 125 %."],
      ["discount-rate", "20,000", "Discount rate is 0 to 1,000 % a year."],
    ]) {
      await whole(page);
      const before = await page.textContent("#answer");
      await page.fill(`#assume-${id}`, text);
      await page.press(`#assume-${id}`, "Enter");
      await page.waitForSelector(wrong(id));
      assert.equal(await page.textContent(wrong(id)), said);
      assert.equal(await page.textContent("#answer"), before);
      await visit(path(plans));
    }
    await visit("/?view=result&scenario=serving-70b.owned&set=/pools/0/site/energy_price=99999999");
    const text = await page.textContent("[role=alert]");
    assert.match(text, /price of energy is 99999999/);
    assert.ok(!/\/pools|see errors|energy_price/.test(text), text);
  },

  async "chances add up to 100 %, and none of many draws is less than 1 %"({ open }) {
    const { page, visit } = await open();
    await visit("/?view=glossary");
    const shown = await page.evaluate(async () => {
      const { sharesOf } = await import("/static/format.js");
      return [sharesOf([0.955, 0.045, 0]), sharesOf([1 / 3, 1 / 3, 1 / 3]), sharesOf([0.305, 0.69, 0.005]), sharesOf([0, 1])];
    });
    assert.deepEqual(shown[0], ["96 %", "4 %", "< 1 %"]);
    assert.deepEqual(shown[1], ["34 %", "33 %", "33 %"]);
    for (const all of shown) assert.equal(all.reduce((sum, text) => sum + (text === "< 1 %" ? 0 : parseInt(text, 10)), 0), 100);
  },

  async "reasons that cancel are said as their net, and no share is above the whole"({ open }) {
    const { page, visit } = await open();
    await visit("/?view=glossary");
    const said = await page.evaluate(async () => {
      const { because } = await import("/static/decision/words.js");
      const step = (driver, unit, a, b, amount) => ({ driver, unit, a, b, amount });
      const show = (amount) => `$${Math.round(amount / 1000)}K`;
      const of = (...steps) => because(steps, "Spot", "USD", show);
      return [
        of(
          step("throughput", "tokens/s", 17484.6, 3362.7, 340000),
          step("price of a device-hour", "currency/device-hour", 2.29, 0.6788, -381000),
          step("egress", "currency", 0, 21000, 21000),
        ),
        of(step("energy", "currency", 90000, 10000, -80000), step("staff", "currency", 30000, 10000, -20000)),
        of(step("staff", "currency", 5, 5, 0)),
        of(
          step("throughput", "tokens/s", 7607, 10451, -74500),
          step("price of a device-hour", "currency/device-hour", 1.3, 2, 73700),
          step("utilization", "fraction", 0.6, 0.9, -62000),
        ),
      ];
    });
    assert.equal(
      said[0],
      "Spot: its device-hour costs $0.68 against $2.29 ($381K less); a busy device does 3,363 against 17,485 tokens/s ($340K more). " +
        "Together $41K less, and all else $21K more: $20K less in all.",
    );
    assert.equal(said[1], "Spot: energy costs $10K against $90K; staff costs $10K against $30K: the whole difference.");
    assert.equal(said[2], "No driver differs.");
    assert.equal(
      said[3],
      "Spot: its devices are busy 90.0 % of the hours paid against 60.0 %: 98.7 % of the difference. " +
        "A busy device does 10,451 against 7,607 tokens/s ($75K less) and its device-hour costs $2.00 against $1.30 ($74K more) cancel: $1K less.",
    );
  },
};
