// Finance's page of a decision: its tables equal the API's answer and add up; what all charts and tables can do.
import assert from "node:assert/strict";

const ids = ["serving-70b.hosted-api", "serving-70b.hybrid", "serving-70b.owned"];
const tax = { "/finance/tax_rate": 0.25, "/finance/tax_depreciation": "macrs_5" };
const address = (scenarios, set, more = "") =>
  `/?view=decision&page=finance&${scenarios.map((id) => `scenario=${id}`).join("&")}${Object.entries(set)
    .map(([pointer, value]) => `&set=${pointer}=${encodeURIComponent(JSON.stringify(value))}`)
    .join("")}${more}`;
const near = (a, b) => assert.ok(Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b)), `${a} is not ${b}`);
const compared = (site, scenarios, set) => site.ask("POST", "/v1/compare", { scenarios, baseline: 0, set });

export const main = {
  async "cash by year is the API's months, with the present costs, and adds up"({ open, site }) {
    const { visit, csv } = await open();
    await visit(address(ids, tax, "&plan=serving-70b.hybrid"));
    const { result } = (await compared(site, ids, tax)).scenarios[1];
    const [head, ...rows] = await csv("serving-70b.hybrid-cash-by-year");
    assert.deepEqual(head, ["amount", "2027 (USD)", "2028 (USD)", "2029 (USD)", "36 months (USD)"]);
    const named = Object.fromEntries(rows.map(([name, ...values]) => [name, values]));
    const of = (year, value) =>
      result.by_month.filter((row) => row.month.startsWith(year)).reduce((sum, row) => sum + value(row), 0);
    ["2027", "2028", "2029"].forEach((year, i) => {
      near(
        Number(named["Cash before tax"][i]),
        of(year, (row) => row.cash),
      );
      near(
        Number(named.hardware[i]),
        of(year, (row) => row.by_category.hardware?.cash ?? 0),
      );
    });
    const parts = rows.slice(
      0,
      rows.findIndex(([name]) => name === "Cash before tax"),
    );
    near(
      parts.reduce((sum, row) => sum + Number(row.at(-1)), 0),
      result.total.cash,
    );
    assert.equal(Number(named["Cash before tax"].at(-1)), result.total.cash);
    assert.equal(Number(named["of it resale"].at(-1)), -result.total.terminal.sale);
    assert.equal(Number(named["Present cost before tax"].at(-1)), result.total.npv);
    assert.equal(Number(named["Present cost after tax"].at(-1)), result.total.npv_after_tax);
    assert.deepEqual(named["Present cost after tax"].slice(0, 3), ["", "", ""], "tax by year is not known");
  },

  async "plans side by side and investments are the API's"({ open, site }) {
    const { page, visit, csv } = await open();
    await visit(address(ids, tax));
    const { scenarios } = await compared(site, ids, tax);
    const rows = Object.fromEntries((await csv("side-by-side")).map(([name, ...values]) => [name, values.map(Number)]));
    const all = (value) => scenarios.map(({ result }) => value(result));
    assert.deepEqual(
      rows["Present cost after tax"],
      all(({ total }) => total.npv_after_tax),
    );
    assert.deepEqual(
      rows["Equivalent annual cost"],
      all(({ total }) => total.equivalent_annual_cost),
    );
    assert.deepEqual(
      rows["Book value at the end"],
      all(({ total }) => total.terminal.book),
    );
    const invested = (await csv("investment")).slice(1);
    assert.deepEqual(
      invested.map(([, difference, irr, payback]) => [Number(difference), Number(irr), payback]),
      scenarios
        .slice(1)
        .map(({ investment }) => [investment.npv_difference, investment.irr[0], String(investment.payback_month ?? "")]),
    );
    assert.match(await page.textContent('[data-figure="investment"]'), /never/);
  },

  async "chargeback by tag has idle apart and adds up to the cost; without tags by workload"({ open, site }) {
    const { page, visit, csv } = await open();
    const set = { "/workloads/0/tags": { team: "assistant" }, "/allocation/idle": "apart" };
    await visit(address(["mixed-fleet.in-order"], set));
    const { result } = (await compared(site, ["mixed-fleet.in-order"], set)).scenarios[0];
    const rows = (await csv("chargeback")).slice(1);
    assert.deepEqual(
      rows.slice(0, -1).map(([name, cost]) => [name, Number(cost)]),
      Object.entries(result.by_tag.team).map(([name, { cost }]) => [name, cost]),
    );
    assert.ok(rows.some(([name, cost]) => name === "(idle)" && Number(cost) > 0));
    near(
      rows.slice(0, -1).reduce((sum, row) => sum + Number(row[1]), 0),
      Number(rows.at(-1)[1]),
    );
    await page.click("#charge-workload");
    const by = (await csv("chargeback")).slice(1);
    assert.deepEqual(
      by.map(([name]) => name),
      ["chat", "lora", "(idle)", "all"],
    );
    await visit(address(["mixed-fleet.in-order"], {}));
    assert.match(await page.textContent('[data-figure="chargeback"]'), /No workload has tags/);
  },

  async "tables sort by a column and back, and the CSV keeps the API's order"({ open, site }) {
    const { page, visit, csv } = await open();
    await visit("/?view=result&scenario=serving-70b.hybrid");
    const head = page.locator('[data-figure="ledger"] thead th').nth(5);
    const first = () => page.$$eval('[data-figure="ledger"] tbody tr', (rows) => rows.slice(0, 3).map((row) => row.textContent));
    const asItCame = await first();
    const { ledger } = await site.ask("POST", "/v1/evaluate", { scenario: "serving-70b.hybrid", ledger: true });
    const most = Math.max(...ledger.map((row) => row.cash));
    await head.locator("button").press("Enter");
    assert.equal(await head.getAttribute("aria-sort"), "descending");
    assert.match((await first())[0], new RegExp(`\\$${Math.round(most).toLocaleString("en")}$`));
    assert.deepEqual(
      (await csv("ledger")).slice(1).map((row) => Number(row[5])),
      ledger.map((row) => row.cash),
    );
    await head.locator("button").click();
    assert.equal(await head.getAttribute("aria-sort"), "ascending");
    await head.locator("button").click();
    assert.equal(await head.getAttribute("aria-sort"), null);
    assert.deepEqual(await first(), asItCame);
  },
};

export const rest = {
  async "chargeback is among the starts of a decision"({ open, site }) {
    const { page, visit, settled } = await open({ width: 1440 });
    await visit("/");
    await page.click("text=Chargeback");
    await page.waitForURL(/page=finance&charge=workload/);
    await settled();
    const first = new URL(page.url()).searchParams.getAll("scenario")[0];
    const { workloads } = await site.ask("GET", `/v1/scenarios/${first}`);
    const text = await page.textContent('[data-figure="chargeback"]');
    for (const { id } of workloads) assert.ok(text.includes(id), `${id} is not in ${text}`);
  },

  async "what servers fetch at the end has the range of the resale value"({ open, site }) {
    const { visit, csv } = await open({ width: 1440 });
    await visit(`/?view=decision&scenario=${ids[2]}&scenario=${ids[0]}`);
    const [head, ...rows] = await csv("cash");
    const column = head.findIndex((name) => name.startsWith("Owned"));
    const at = (name) => Number(rows.find(([month]) => month === name)[column]);
    for (const [name, factor] of [
      ["end, least resale value", 0.5],
      ["end, after resale", 1],
    ]) {
      const scale = { "/pools/*/server/residual_fraction": factor };
      const { result } = (await site.ask("POST", "/v1/compare", { scenarios: [ids[2]], scale })).scenarios[0];
      near(at(name), result.total.cash);
    }
    assert.ok(at("end, greatest resale value") <= at("end, after resale") + 0.01); // here the field takes no more
    assert.ok(at("end, before resale") > at("end, least resale value"));
  },

  async "by month, measure and plan are in the address, and the focus stays"({ open, site }) {
    const { page, visit, csv } = await open();
    await visit(address(ids, {}));
    await page.focus("#by-month");
    await page.keyboard.press("Enter");
    await page.click("#measure-cost");
    await page.focus("#plan-serving-70b-owned");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "plan-serving-70b-owned");
    assert.match(page.url(), /by=month&measure=cost&plan=serving-70b\.owned/);
    const { result } = (await compared(site, ids, {})).scenarios[2];
    const rows = await csv("serving-70b.owned-cost-by-month");
    const at = rows[0].findIndex((name) => name.startsWith("energy"));
    assert.deepEqual(
      rows.slice(1, -1).map((row) => Number(row[at])),
      result.by_month.map((row) => row.by_category.energy.cost),
    );
    assert.equal(Number(rows.at(-1)[at]), result.by_category.energy.cost);
    await page.goBack();
    assert.match(await page.textContent("#finance-title"), /^Hosted API/);
  },

  async "what leases owe stands by pool, with what outlasts the horizon"({ open, site }) {
    const { page, visit, csv } = await open();
    const lease = { payment_per_server_month: 7000, term_months: 48 };
    const set = { "/pools/0/purchases/0/lease": lease };
    await visit(address(["serving-70b.owned"], set));
    const { result } = (await compared(site, ["serving-70b.owned"], set)).scenarios[0];
    const [, row] = await csv("obligations");
    assert.ok(result.by_pool.owned.obligation > 0);
    assert.deepEqual(row.slice(2).map(Number), [result.by_pool.owned.lease_liability, result.by_pool.owned.obligation]);
    assert.match(await page.textContent(".cautions"), /terms of owned outlast the horizon; \$336,000/);
  },

  async "a plan that can't serve is no better for being cheaper, nor one that does other work"({ open }) {
    const { page, visit } = await open();
    await visit(
      address(["serving-70b.cloud-spot", "serving-70b.owned"], { "/workloads/0/demand/mean_per_s": 90 }, "&plan=serving-70b.owned"),
    );
    assert.match(await page.textContent(".finance-head"), /It can't serve: leaves 42\.1 % of chat undone/);
    assert.doesNotMatch(await page.textContent("#finance-title"), /than/);
    assert.match(await page.textContent('[data-figure="side-by-side"] thead'), /Owned servers in colocationcannot serve/);
    await visit(address(["serving-70b.owned", "edge-site.hybrid"], {}, "&plan=edge-site.hybrid"));
    assert.match(await page.textContent(".finance-head"), /don't do the same work/);
    assert.doesNotMatch(await page.textContent("#finance-title"), /than/);
  },

  async "the ledger is the API's, digit for digit"({ open, site }) {
    const { page, visit } = await open();
    await visit(address(ids, tax, "&plan=serving-70b.owned"));
    const [download] = await Promise.all([page.waitForEvent("download"), page.click('[data-download="ledger"]')]);
    assert.equal(download.suggestedFilename(), "serving-70b.owned-ledger.csv");
    const pieces = [];
    for await (const piece of await download.createReadStream()) pieces.push(piece);
    const { body } = await site.daemon.ask("POST", "/v1/evaluate?format=csv&table=ledger", {
      body: { scenario: "serving-70b.owned", set: tax },
    });
    assert.equal(Buffer.concat(pieces).toString(), body);
  },

  async "a plan's workbook is saved from its money and from its result"({ open }) {
    const { page, visit } = await open();
    for (const at of [address(ids, tax, "&plan=serving-70b.owned"), "/?view=result&scenario=serving-70b.owned"]) {
      await visit(at);
      const [download] = await Promise.all([page.waitForEvent("download"), page.click('[data-download="workbook"]')]);
      assert.equal(download.suggestedFilename(), "serving-70b.owned-workbook.xlsx");
      const pieces = [];
      for await (const piece of await download.createReadStream()) pieces.push(piece);
      assert.equal(Buffer.concat(pieces).subarray(0, 4).toString("latin1"), "PK\x03\x04");
    }
  },

  async "all plans are saved as one workbook"({ open }) {
    const { page, visit } = await open();
    await visit(address(ids, tax, "&plan=serving-70b.owned"));
    const [download] = await Promise.all([page.waitForEvent("download"), page.click('[data-download="workbooks"]')]);
    assert.match(download.suggestedFilename(), /-workbooks\.xlsx$/);
    const pieces = [];
    for await (const piece of await download.createReadStream()) pieces.push(piece);
    assert.equal(Buffer.concat(pieces).subarray(0, 4).toString("latin1"), "PK\x03\x04");
  },

  async "it prints on one page"({ open }) {
    const { page, visit } = await open();
    await visit(address(ids, tax, "&plan=serving-70b.owned"));
    const paper = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    assert.equal(paper.match(/\/Type \/Page\b/g).length, 1);
  },

  async "legends switch series on and off, also after another plan is chosen"({ open }) {
    const { page, visit, settled } = await open();
    await visit(address(ids, {}));
    const button = '[data-figure="finance-plans"] .legend li:nth-child(2) button';
    const paths = () => page.$$eval('[data-figure="finance-plans"] .chart path', (list) => list.length);
    const before = await paths();
    await page.focus(button);
    await page.keyboard.press("Space");
    await settled();
    assert.equal(await page.getAttribute(button, "aria-pressed"), "false");
    assert.ok((await paths()) < before);
    await page.click("#plan-serving-70b-owned");
    await settled();
    assert.equal(await page.getAttribute(button, "aria-pressed"), "false");
    await page.click(button);
    await settled();
    assert.equal(await paths(), before);
  },

  async "charts of the same months have one cross-hair"({ open }) {
    const { page, visit, settled } = await open();
    await visit("/?view=result&scenario=serving-70b.hybrid");
    const texts = () =>
      page.$$eval('[data-figure="served-chat"] .chart text', (list) => list.map((text) => text.textContent).join("\n"));
    assert.doesNotMatch(await texts(), /burst: /);
    const place = page.locator('[data-figure="monthly"] .chart');
    await place.scrollIntoViewIfNeeded();
    const box = await place.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 });
    await page.waitForFunction(() => /burst: /.test(document.querySelector('[data-figure="served-chat"] .chart svg').textContent));
    await page.mouse.move(0, 0);
    await settled();
  },
};
