// Scenario: the form is the field tables, issues stand at their fields, what-if moves the figures, two savers come to terms.
import assert from "node:assert/strict";

const id = "serving-70b.hybrid";
const path = `/?view=scenario&scenario=${id}`;
const dollars = (value) =>
  new Intl.NumberFormat("en", { style: "currency", currency: "USD", maximumFractionDigits: 0 }).format(value);
const clean = ({ revision, recorded_at, recorded_by, ...rest }) => rest;

// Typing thousands of lines takes a browser many seconds: the whole text is put there at once.
const putText = (page, text) =>
  page.$eval(
    "textarea.json",
    (area, value) => {
      area.value = value;
      area.dispatchEvent(new Event("input", { bubbles: true }));
    },
    text,
  );

export const main = {
  async "a what-if of the address is in the figures, which are the API's, until it is applied"({ open, site }) {
    const { page, visit } = await open();
    await visit(`${path}&set=/workloads/0/demand/mean_per_s=45`);
    const { total } = await site.ask("POST", "/v1/evaluate", { scenario: id, set: { "/workloads/0/demand/mean_per_s": 45 } });
    await page.waitForFunction((text) => document.getElementById("draft-cost")?.textContent === text, dollars(total.cost));
    assert.match(await page.textContent("#what-if li"), /: 45$/);
    await page.click("#keep");
    await page.waitForFunction(() => document.getElementById("save").disabled === false);
    assert.doesNotMatch(page.url(), /set=/);
  },

  async "what is saved is what is seen: a what-if that stands is part of it"({ open, site }) {
    const { page, visit, settled } = await open();
    const set = { "/workloads/0/demand/mean_per_s": 45 };
    await visit(`${path}&set=/workloads/0/demand/mean_per_s=45`);
    const { total } = await site.ask("POST", "/v1/evaluate", { scenario: id, set });
    await page.waitForFunction((text) => document.getElementById("draft-cost")?.textContent === text, dollars(total.cost));
    await page.fill(".editor .controls input", "saved-as-seen");
    await page.click("#save");
    await page.waitForURL(/scenario=saved-as-seen/);
    await settled();
    assert.doesNotMatch(page.url(), /set=/);
    const stored = await site.ask("POST", "/v1/evaluate", { scenario: "saved-as-seen" });
    assert.equal(stored.total.cost, total.cost);
    await page.waitForFunction((text) => document.getElementById("draft-cost")?.textContent === text, dollars(total.cost));
    await site.ask("DELETE", "/v1/scenarios/saved-as-seen");
  },

  async "a draft outlasts the page, until it is discarded"({ open }) {
    const { page, visit } = await open();
    await visit(path);
    await page.fill('[data-field="/months"]', "48");
    await page.waitForFunction(() => document.getElementById("save").disabled === false);
    await visit(path);
    assert.equal(await page.inputValue('[data-field="/months"]'), "48");
    await page.click("#discard");
    await page.waitForFunction(() => document.querySelector('[data-field="/months"]').value === "36");
    await visit(path);
    assert.equal(await page.inputValue('[data-field="/months"]'), "36");
  },

  async "as of a time before the store there is nothing, and the page says so"({ open }) {
    const { page, visit } = await open();
    await visit("/?as_of=2020-01-01T00:00:00.000Z");
    assert.match(await page.textContent("main"), /Nothing was stored then/);
  },

  async "issues stand at their fields, folded ones too"({ open }) {
    const { page, visit } = await open();
    await visit(path);
    await page.fill('[data-field="/months"]', "999");
    await page.waitForFunction(() =>
      /allowed 1 to 240 months/.test(document.querySelector('[data-pointer="/months"] .issue').textContent),
    );
    assert.equal(await page.getAttribute('[data-field="/months"]', "aria-invalid"), "true");
    await page.fill('[data-field="/months"]', "36");
    await page.waitForFunction(() => document.querySelector('[data-pointer="/months"] .issue').textContent === "");
    await page.click("#toggle-Show-as-json");
    await page.waitForSelector("textarea.json");
    const text = await page.inputValue("textarea.json");
    await putText(page, "{");
    await page.waitForSelector("text=Not JSON");
    await putText(page, text.replace(/"max_instances": \d+/, '"max_instances": -1'));
    await page.waitForFunction(() => /\/pools\/1\/max_instances/.test(document.querySelector(".editor [role=alert]").textContent));
  },

  async "two savers: what both changed is chosen, the rest fits together"({ open, site }) {
    const copy = clean(await site.ask("GET", `/v1/scenarios/${id}`));
    await site.ask("PUT", "/v1/scenarios/conflict", { ...copy, id: "conflict" });
    const { page, visit, settled } = await open();
    await visit("/?view=scenario&scenario=conflict");
    await page.fill('[data-field="/name"]', "Mine");
    await page.fill('[data-field="/months"]', "24");
    await site.ask("PUT", "/v1/scenarios/conflict", { ...copy, id: "conflict", months: 12, note: "theirs" });
    await page.click("#save");
    const dialog = page.locator("dialog");
    await dialog.waitFor();
    assert.match(await dialog.textContent(), /saved revision 2 meanwhile/);
    assert.equal(await dialog.locator("tbody tr").count(), 1);
    await dialog.locator('input[value="theirs"]').check();
    await dialog.locator("button.primary").click();
    await page.waitForFunction(() => /Revision 3/.test(document.querySelector("main").textContent));
    const saved = await site.ask("GET", "/v1/scenarios/conflict");
    assert.deepEqual([saved.name, saved.months, saved.note, saved.revision], ["Mine", 12, "theirs", 3]);
    await page.click("#toggle-Show-as-revisions");
    await page.waitForSelector("#from");
    await settled();
    assert.match(await page.textContent('[aria-label="Differences"]'), /name.*Mine/s);
    await page.selectOption("#from", "1");
    await settled();
    assert.match(await page.textContent('[aria-label="Differences"]'), /months3612/);
  },

  async "a new document is made in the form"({ open, site }) {
    const { page, visit } = await open();
    await visit("/?view=scenario&kind=devices&new=1");
    await page.fill(".editor input[required]", "acme.one");
    await page.selectOption('[data-field="/kind"]', "asic");
    await page.click("#save");
    await page.waitForSelector('[data-pointer="/tdp_w"] .issue:not(:empty)');
    await page.fill('[data-field="/tdp_w"]', "350");
    await page.click("#save");
    await page.waitForFunction(() => /Revision 1/.test(document.querySelector("main").textContent));
    assert.equal((await site.ask("GET", "/v1/devices/acme.one")).tdp_w, 350);
  },

  async "what a document lost when it was saved is said on its page"({ open, site }) {
    const offer = { provider: "acme", sku: "x", device: "nvidia.h100-sxm5-80gb", devices: 1, purchase: "on_demand", currency: "USD" };
    const hourly_price = { kind: "price", axis: "date", points: [["2026-01-01", 3], ["2026-02-01", 2]] };
    await site.ask("PUT", "/v1/offers/acme.lost", { ...offer, hourly_price });
    const { page, visit } = await open();
    await visit("/?view=scenario&kind=offers&id=acme.lost&tab=json");
    await page.fill("textarea", JSON.stringify({ ...offer, hourly_price: 2 }));
    await page.click("#save");
    await page.waitForSelector("#saved-warnings li");
    assert.match(await page.textContent("#saved-warnings"), /2 dated values/);
    await page.reload();
    await page.waitForFunction(() => /Revision 2/.test(document.querySelector("main").textContent));
    assert.equal(await page.locator("#saved-warnings").count(), 0);
  },
};

export const rest = {
  async "no head of a table is empty, of columns of buttons or links neither"({ open }) {
    const { page, visit } = await open();
    for (const address of ["/?view=scenario&scenario=serving-70b.hybrid&tab=revisions", "/?view=data&page=feeds"]) {
      await visit(address);
      const heads = await page.$$eval("main thead th", (all) => all.map((one) => one.textContent.trim()));
      assert.ok(heads.length && heads.every(Boolean), `${address}: ${heads.join(" | ")}`);
    }
  },

  async "a what-if of a stored document is kept: the scenario gets a copy of its own"({ open, site }) {
    const { page, visit } = await open({ width: 1440 });
    const { revision, recorded_at, recorded_by, ...copy } = await site.ask("GET", "/v1/scenarios/serving-70b.owned");
    const { server } = copy.pools[0];
    const stored = await site.ask("GET", `/v1/servers/${server}`);
    await site.ask("PUT", "/v1/scenarios/slider.referring", { ...copy, id: "slider.referring" });
    try {
      const moved = 450000;
      await visit(`/?view=scenario&scenario=slider.referring&set=/pools/0/server/price=${moved}`);
      await page.waitForFunction(() => document.getElementById("draft-cost")?.textContent);
      await page.click("#duplicate");
      await page.waitForURL(/scenario=slider.referring-copy/);
      const kept = (await site.ask("GET", "/v1/scenarios/slider.referring-copy")).pools[0].server;
      assert.ok(Math.abs(kept.price / moved - 1) < 1e-6, `${kept.price} for ${moved}`);
      assert.equal(kept.devices, stored.devices);
      assert.equal((await site.ask("GET", `/v1/servers/${server}`)).price, stored.price, "the catalogue keeps its own");
      assert.equal((await site.ask("GET", "/v1/scenarios/slider.referring")).pools[0].server, server);
    } finally {
      for (const id of ["slider.referring", "slider.referring-copy"]) await site.ask("DELETE", `/v1/scenarios/${id}`).catch(() => {});
    }
  },

  async "a plan that is changed from a decision is shown as the decision has it: its links keep the what-if"({ open, site }) {
    const { page, visit } = await open({ width: 1440 });
    const a = "serving-70b.owned";
    const scale = { "/workloads/*/demand/mean_per_s": 0.5, "/pools/*/server/price": 0.8 };
    const parameters = new URLSearchParams([["view", "decision"], ["scenario", a], ["scenario", "serving-70b.cloud-on-demand"], ["a", a]]);
    for (const [pointer, factor] of Object.entries(scale)) parameters.append("scale", `${pointer}=${factor}`);
    await visit(`/?${parameters}`);
    await page.click("text=Change this plan");
    await page.waitForSelector("#draft-cost");
    const { total } = await site.ask("POST", "/v1/evaluate", { scenario: a, scale });
    const shown = new Intl.NumberFormat("en", { style: "currency", currency: "USD", maximumFractionDigits: 0 }).format(total.cost);
    await page.waitForFunction((text) => document.getElementById("draft-cost").textContent === text, shown);
    assert.match(page.url(), /set=\/workloads\/0\/demand\/mean_per_s/);
  },

  async "a what-if in a stored document that the scenario refers to is saved in the scenario, not in that document"({ open, site }) {
    const { page, visit } = await open();
    await visit(`${path}&set=/pools/0/server/price=300000`);
    await page.waitForFunction(() => document.getElementById("draft-cost")?.textContent);
    await page.fill(".editor .controls input", "saved-with-a-copy");
    await page.click("#save");
    await page.waitForURL(/scenario=saved-with-a-copy/);
    const { pools } = await site.ask("GET", "/v1/scenarios/saved-with-a-copy");
    assert.equal(pools[0].server.price, 300000);
    assert.notEqual((await site.ask("GET", `/v1/servers/${pools[0].server.id}`)).price, 300000);
    await site.ask("DELETE", "/v1/scenarios/saved-with-a-copy");
  },

  async "a scenario is duplicated and deleted"({ open, site }) {
    const { page, visit, settled } = await open();
    page.on("dialog", (dialog) => dialog.accept());
    await visit(path);
    await page.click("#duplicate");
    await page.waitForURL(new RegExp(`scenario=${id}-copy`));
    await settled();
    const { name } = await site.ask("GET", `/v1/scenarios/${id}-copy`);
    assert.match(name, / \(copy\)$/);
    await page.click("#delete");
    await page.waitForFunction((gone) => !location.search.includes(gone), `${id}-copy`);
    const { items } = await site.ask("GET", "/v1/scenarios?limit=1000");
    assert.ok(!items.some((one) => one.id === `${id}-copy`));
  },

  async "a draft that changes while its cost is asked for is asked for again"({ open, site }) {
    const { page, visit } = await open({ clock: true });
    let answered; // ends the wait of the first request
    const held = new Promise((resolve) => (answered = resolve));
    await page.route(
      "**/v1/evaluate",
      async (route) => {
        await held;
        await route.continue();
      },
      { times: 1 },
    );
    const asked = page.waitForRequest("**/v1/evaluate");
    await visit(path);
    await asked;
    await page.fill('[data-field="/months"]', "12");
    await page.clock.fastForward(500); // longer than typing is waited for
    answered();
    const changed = { ...clean(await site.ask("GET", `/v1/scenarios/${id}`)), months: 12 };
    const { total } = await site.ask("POST", "/v1/evaluate", { scenario: changed });
    await page.waitForFunction((text) => document.getElementById("draft-cost")?.textContent === text, dollars(total.cost));
  },

  async "an issue opens what is folded around its field"({ open }) {
    const { page, visit } = await open();
    await visit(`${path}&tab=json`);
    await putText(page, (await page.inputValue("textarea.json")).replace(/"max_instances": \d+/, '"max_instances": -1'));
    await page.click("#toggle-Show-as-form");
    await page.waitForFunction(() =>
      /allowed 0/.test(document.querySelector('[data-pointer="/pools/1/max_instances"] .issue')?.textContent),
    );
    assert.ok(await page.isVisible('[data-pointer="/pools/1/max_instances"]'));
    await page.click("#discard");
    await page.waitForFunction(() => document.querySelector(".editor [role=status]")?.textContent === "No changes");
  },

  async "points of a curve are drawn as they are typed"({ open }) {
    const { page, visit } = await open();
    await visit("/?view=scenario&kind=curves&id=pue.colo-by-load");
    const chart = page.locator(".curve-editor .chart");
    const before = await chart.locator("path").evaluateAll((all) => all.map((one) => one.getAttribute("d")).join());
    await page.fill('[data-field="/points"]', "0 3\n0.5 1.5\n1 1.2");
    await page.waitForFunction(
      (old) => [...document.querySelectorAll(".curve-editor .chart path")].map((one) => one.getAttribute("d")).join() !== old,
      before,
    );
  },

  async "tags and exchange rates are typed a line each"({ open, site }) {
    const copy = clean(await site.ask("GET", `/v1/scenarios/${id}`));
    await site.ask("PUT", "/v1/scenarios/tagged", { ...copy, id: "tagged", tags: { team: "red" }, exchange_rates: { EUR: 1.1 } });
    const { page, visit } = await open();
    await visit("/?view=scenario&scenario=tagged");
    assert.equal(await page.inputValue('[data-field="/tags"]'), "team=red");
    assert.equal(await page.inputValue('[data-field="/exchange_rates"]'), "EUR 1.1");
    await page.fill('[data-field="/tags"]', "team=blue\ncost center=a = b");
    await page.fill('[data-field="/exchange_rates"]', "EUR 1.2\nGBP 1.3");
    await page.click("#save");
    await page.waitForFunction(() => /Revision 2/.test(document.querySelector("main").textContent));
    const saved = await site.ask("GET", "/v1/scenarios/tagged");
    assert.deepEqual(saved.tags, { team: "blue", "cost center": "a = b" });
    assert.deepEqual(saved.exchange_rates, { EUR: 1.2, GBP: 1.3 });
  },
};
