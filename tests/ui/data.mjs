// Sources, the catalogue: search, one document with its curves; telemetry, plan against actual.
import assert from "node:assert/strict";

export const main = {
  async "search and filters find what the API finds"({ open, site }) {
    const { page, visit, settled, csv } = await open();
    await visit("/?view=data&kind=offers");
    await page.fill("#q", "h100");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=h100/);
    await settled();
    await page.selectOption("#purchase", "spot");
    await settled();
    const { items } = await site.ask("GET", "/v1/offers?q=h100&purchase=spot&limit=1000");
    assert.ok(items.length > 1);
    assert.deepEqual(
      (await csv("offers")).slice(1).map((row) => row[0]),
      items.map((item) => item.id),
    );
    await page.fill("#q", "no such thing");
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=Nothing found");
  },

  async "a device shows its power curve and what was measured on it"({ open, site }) {
    const { visit, csv } = await open();
    await visit("/?view=data&kind=devices&id=nvidia.h100-sxm5-80gb");
    const { points } = await site.ask("GET", "/v1/curves/power.nvidia-h100-sxm5.ml-energy");
    assert.deepEqual(
      (await csv("power")).slice(1).map((row) => row.map(Number)),
      points,
    );
    const throughput = await site.ask("GET", "/v1/curves/throughput.llama-3.1-70b.h100-sxm5-x4");
    const rows = (await csv("throughput")).slice(1).filter((row) => row[0] === "ml-energy.llama-3.1-70b.h100-sxm5-x4");
    assert.deepEqual(
      rows.map((row) => [Number(row[2]), Number(row[3])]),
      throughput.points,
    );
  },

  async "telemetry by the hour, and a plan against what was given"({ open, site }) {
    const { page, visit, csv } = await open();
    await visit("/?view=data&page=telemetry");
    assert.match(await page.textContent("main"), /No telemetry yet/);
    const hour = new Date(Math.floor(Date.now() / 3600000 - 3) * 3600000);
    const lines = Array.from({ length: 12 }, (_, i) =>
      JSON.stringify({
        time: new Date(hour.getTime() + i * 600000).toISOString(),
        source: "rack1/0",
        device: "nvidia.h100-sxm5-80gb",
        utilization: i < 6 ? 0.25 : 0.75,
      }),
    ).join("\n");
    await site.ask("POST", "/v1/telemetry", `${lines}\n`, { headers: { "Content-Type": "application/x-ndjson" } });
    await visit("/?view=data&page=telemetry");
    assert.deepEqual(
      (await csv("telemetry")).slice(1).map((row) => [row[1], Number(row[4])]),
      [
        ["rack1/0", 0.25],
        ["rack1/0", 0.75],
      ],
    );
    await visit("/?view=data&page=actual&scenario=serving-70b.owned&from=2027-02&basis=given&cost=40000&device_hours=20000");
    const answer = await site.ask("POST", "/v1/variances", {
      scenario: "serving-70b.owned",
      pool: "owned",
      from: "2027-02",
      to: "2027-02",
      actual: { cost: 40000, device_hours: 20000 },
    });
    assert.deepEqual(
      (await csv("variance-bridge")).slice(1).map((row) => Number(row[1])),
      [answer.predicted.cost, answer.cost_variance.price, answer.cost_variance.volume, 40000],
    );
    assert.match(await page.textContent("main"), /efficiency is not/);
    assert.match(await page.textContent("#runs"), /2027-02 is forecast as planned/);
  },
};

export const rest = {
  async "a URL written by hand that means nothing shows an error page"({ open }) {
    const { page, visit } = await open();
    await visit(`/?as_of=${encodeURIComponent("<b>")}`);
    await page.waitForSelector("[role=alert]");
    assert.match(await page.textContent("[role=alert]"), /as of is "<b>"/);
    assert.equal(await page.inputValue("#as-of"), "");
    for (const word of ["__proto__", "constructor", "toString", "no-such"]) {
      const parameters = [`view=data&page=${word}`, `view=data&kind=${word}`, `view=scenario&kind=${word}&new=1`];
      for (const query of [...parameters, `view=jobs&page=${word}`]) {
        await visit(`/?${query}`);
        assert.match(await page.textContent("main h1"), /\w/, query);
        assert.ok((await page.textContent("main")).length > 100, `${query} is a page with something on it`);
      }
    }
    await visit("/?view=__proto__");
    assert.match(await page.textContent("main h1"), /decide/);
  },

  async "a document that can't be read is named, and the others are listed"({ open }) {
    const { page, visit, csv } = await open();
    await page.route("**/v1/devices?*", async (route) => {
      const answer = await route.fetch();
      const list = await answer.json();
      const detail = "device x revision 1 can't be read";
      const problem = { type: "/problems/internal", title: "Something went wrong here", status: 500, detail, errors: [] };
      list.items.push({ id: "x", revision: 1, recorded_at: "2026-11-22T00:00:00Z", recorded_by: "local", problem });
      await route.fulfill({ response: answer, json: list });
    });
    await visit("/?view=data&kind=devices");
    assert.match(await page.textContent("#unreadable"), /x device x revision 1 can't be read/);
    assert.ok(!(await csv("devices")).some((row) => row[0] === "x"));
  },
};
