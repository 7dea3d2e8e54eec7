// Result: tables equal the API's rows, hours of the week its profile, and any figure opens its explanation.
import assert from "node:assert/strict";

const id = "mixed-fleet.cheapest";

export const main = {
  async "the ledger's CSV is the ledger"({ open, site }) {
    const { page, visit, csv } = await open();
    await visit(`/?view=result&scenario=${id}`);
    const { ledger, by_month, currency } = await site.ask("POST", "/v1/evaluate", { scenario: id, ledger: true });
    const [head, ...rows] = await csv("ledger");
    assert.deepEqual(head, ["month", "pool", "workload", "category", "cost (USD)", "cash (USD)"]);
    assert.deepEqual(
      rows,
      ledger.map((row) => [row.month, row.pool ?? "", row.workload ?? "", row.category, String(row.cost), String(row.cash)]),
    );
    const [, ...months] = await csv("monthly");
    assert.deepEqual(
      months.map((row) => Number(row.at(-1))),
      by_month.map((month) => month.cost),
    );
    await page.click('[data-figure="monthly"] summary');
    await page.waitForSelector('[data-figure="monthly"] tbody td');
    const cells = await page.$$eval('[data-figure="monthly"] tbody td', (all) => all.map((one) => one.textContent).filter((text) => /\d/.test(text)));
    const amounts = cells.filter((text) => !/^\d{4}-\d\d$/.test(text));
    assert.ok(amounts.length > by_month.length, cells.join());
    for (const text of amounts) assert.match(text, { USD: /^−?\$/, EUR: /^−?€/ }[currency], "each amount has its currency");
  },

  async "which pool serves what, and the hours of the week"({ open, site }) {
    const { page, visit, csv, settled } = await open();
    await visit(`/?view=result&scenario=${id}&month=2027-04`);
    const profile = await site.ask("POST", "/v1/profile", { scenario: id, month: "2027-04" });
    const [head, ...rows] = await csv("served-lora");
    assert.deepEqual(head.slice(1), ["tpu-spot (tokens)", "owned (tokens)", "burst (tokens)"]);
    const units = (pool) => profile.served.find((one) => one.workload === "lora" && one.pool === pool).units;
    assert.deepEqual(
      rows.map((row) => row.slice(1).map(Number)),
      units("owned").map((value, m) => [units("tpu-spot")[m], value, units("burst")[m]]),
    );
    await page.selectOption("#week", "utilization:owned");
    await settled();
    const [, ...hours] = await csv("week");
    const { busy_devices, available_devices } = profile.pools[0];
    assert.deepEqual(
      hours.map((row) => row.slice(1).map(Number)),
      Array.from({ length: 24 }, (_, hour) =>
        Array.from({ length: 7 }, (_, day) => busy_devices[24 * day + hour] / available_devices[24 * day + hour]),
      ),
    );
    assert.deepEqual(
      await page.$$eval("#week option", (all) => all.map((one) => one.value).filter((value) => value.endsWith(":owned"))),
      ["utilization:owned", "busy:owned", "power:owned", "tariff:owned"],
    );
  },

  async "a figure opens its explanation, down to an input and its source"({ open, site }) {
    const { page, visit, settled } = await open();
    await visit(`/?view=result&scenario=${id}`);
    await page.click('[data-figure="pools"] a[href*="by_pool/owned/cost"]');
    await settled();
    assert.match(page.url(), /figure=\/by_pool\/owned\/cost/);
    const tree = await site.ask("POST", "/v1/explain", { scenario: id, figure: "/by_pool/owned/cost" });
    const explained = page.locator(".explain");
    assert.match(await explained.textContent(), /Where owned: cost comes from/);
    assert.equal(await explained.locator(".tree .tree > li").count(), tree.terms.length + tree.inputs.length);
    const sources = explained.locator("li small", { hasText: " from " });
    for (let i = 0; i < 12 && !(await sources.count()); i += 1) {
      await explained.locator("details:not([open]) > summary").first().click();
    }
    assert.match(await sources.first().textContent(), / from /);
  },
};

export const rest = {
  async "months have a category that the dashboard never heard of"({ open, site }) {
    const { visit, page, csv } = await open();
    await page.route("**/v1/evaluate", async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      for (const month of answer.by_month) month.by_category.permits = { cost: 125000, cash: 0 };
      await route.fulfill({ response, json: answer });
    });
    await visit(`/?view=result&scenario=${id}`);
    await page.waitForSelector('[data-figure="monthly"] [data-drawn]');
    const [head, ...rows] = await csv("monthly");
    const column = head.indexOf("permits (USD)");
    assert.ok(rows.length > 1 && rows.every((row) => Number(row[column]) === 125000), `${head}`);
    const legend = await page.locator('[data-figure="monthly"] .legend li').allTextContents();
    assert.equal(legend.at(-1), "permits");
    assert.ok(await page.locator('[data-figure="monthly"] svg path[fill="#7a858f"]').count(), "it is drawn");
    await visit(`/?view=result&scenario=${id}&measure=cash`);
    assert.ok(!(await csv("monthly"))[0].includes("permits (USD)"));
  },
};
