// Sources: files that are recognised, feeds with their runs, ages of prices, axes of curves.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const head = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\n";
const row = (amount, region = "us-south-1") =>
  `gpu_8x_h100_sxm5,H100,8.0,208.0,1800.0,${amount},${region},"{'Gpus': [{'Name': 'H100', 'Count': 8}]}",\n`;
const list = (amount) => head + row(amount) + row(amount, "us-west-1");
const file = (name, text) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
const offer = "lambda.gpu_8x_h100_sxm5.us-south-1.on-demand";

// Offers a list over http while `work` runs.
async function published(text, work) {
  const server = createServer((request, response) => response.end(text)).listen(0, "127.0.0.1");
  await new Promise((ready) => server.once("listening", ready));
  try {
    await work(`http://127.0.0.1:${server.address().port}/lambda_vms_2026-10-05.csv`);
  } finally {
    server.close();
  }
}

export const main = {
  async "a dropped file is recognised and tried at once, and stored when told so"({ open, startSite }) {
    const site = await startSite();
    try {
      const { page, visit, csv } = await open({ site });
      const times = [];
      for (const [date, amount] of [
        ["2026-10-02", 20],
        ["2026-11-03", 25],
      ]) {
        await visit("/?view=data&page=imports");
        await page.setInputFiles("#file", file(`lambda_vms_${date}.csv`, list(amount)));
        await page.waitForSelector("text=Nothing is stored yet");
        assert.match(await page.textContent("#recognised"), /Recognised as SkyPilot.*lambda/);
        assert.deepEqual(
          [await page.inputValue("#format"), await page.inputValue("#import-provider"), await page.inputValue("#import-date")],
          ["skypilot", "lambda", date],
        );
        await page.waitForFunction(() => /touched/.test(document.getElementById("touched")?.textContent));
        const stored = await site.daemon.ask("GET", `/v1/offers/${offer}`);
        assert.equal(stored.status, times.length ? 200 : 404, "nothing is stored before");
        if (times.length) {
          const move = (await csv("import-moves")).slice(1).find((cells) => cells[0].includes("on_demand"));
          assert.equal(Number(move[2]), 25);
          const change = (await csv("import-changes")).slice(1).find((cells) => cells[0] === offer);
          assert.deepEqual(change.slice(-3).map(Number), [20, 25, 25]);
        }
        await page.click("#store");
        await page.waitForSelector("#summary >> text=Stored.");
        times.push((await site.ask("GET", `/v1/offers/${offer}`)).recorded_at);
      }
      await visit(`/?view=data&kind=offers&id=${offer}`);
      const points = [
        ["2026-10-02", "20"],
        ["2026-11-03", "25"],
      ];
      assert.deepEqual((await csv("price-by-date")).slice(1), points);
      assert.match(await page.textContent('[data-figure="price-by-date"] .chart'), /Oct 2026|2 Oct|Nov 2026/);
      await visit(`/?view=data&kind=offers&id=${offer}&as_of=${times[0]}`);
      assert.deepEqual((await csv("price-by-date")).slice(1), points.slice(0, 1));
    } finally {
      await site.stop();
    }
  },

  async "ages of prices are those of the offers"({ open, site }) {
    const { visit, csv } = await open();
    await visit("/?view=data&page=feeds");
    const { items } = await site.ask("GET", "/v1/offers?provider=vastai&limit=1000");
    const newest = items
      .flatMap((one) => one.hourly_price.points ?? [])
      .map(([date]) => date)
      .sort()
      .at(-1);
    const found = (await csv("price-ages")).slice(1).find(([provider]) => provider === "vastai");
    assert.equal(found[4], newest);
    assert.equal(Number(found[1]), items.length);
    assert.equal(Number(found[5]), Math.round((Date.parse(new Date().toISOString().slice(0, 10)) - Date.parse(newest)) / 86400000));
  },

  async "a feed is tried, run, enabled; its runs are listed"({ open, startSite }) {
    const folder = mkdtempSync(join(tmpdir(), "costcurve-ui-"));
    mkdirSync(join(folder, "in"));
    writeFileSync(join(folder, "in", "lambda_vms_2026-10-05.csv"), list(44));
    const site = await startSite({ options: ["--feed-directory", folder] });
    try {
      const from = { directory: "in", pattern: "*.csv" };
      await site.ask("PUT", "/v1/feeds/mine", { format: "skypilot", provider: "lambda", cron: "0 2 * * *", enabled: false, from });
      const { page, visit } = await open({ site });
      await visit("/?view=data&page=feeds");
      const state = (id) => page.textContent(`[data-figure="feeds"] tr:has(#turn-${id}) .tag`);
      assert.equal(await state("mine"), "disabled");
      await page.click("#turn-mine");
      await page.waitForFunction(() => /never run/.test(document.querySelector("tr:has(#turn-mine)")?.textContent));
      assert.equal((await site.ask("GET", "/v1/feeds/mine")).enabled, true);
      await visit("/?view=data&page=feeds&feed=mine");
      await page.click("#run-dry");
      await page.waitForSelector("#run-live >> text=Tried: nothing is stored.");
      assert.equal((await site.daemon.ask("GET", `/v1/offers/${offer}`)).status, 404);
      await page.click("#run-now");
      await page.waitForSelector("#run-live >> text=Landed.");
      await page.waitForFunction(() => document.querySelectorAll('[data-figure="feed-runs"] tbody tr').length === 2);
      assert.equal((await site.ask("GET", `/v1/offers/${offer}`)).hourly_price.points.at(-1)[1], 44);
      rmSync(join(folder, "in", "lambda_vms_2026-10-05.csv"));
      await page.click("#run-now");
      await page.waitForSelector("#run-live [role=alert]");
      await visit("/?view=data&page=feeds");
      assert.equal(await state("mine"), "failed");
      assert.match(await page.textContent("h1"), /1 of \d+ feeds failed/);
    } finally {
      await site.stop();
      rmSync(folder, { recursive: true });
    }
  },

  async "what a run holds back stands with its reasons, and is accepted, rejected and undone by a button"({ open, startSite }) {
    const folder = mkdtempSync(join(tmpdir(), "costcurve-ui-"));
    mkdirSync(join(folder, "in"));
    const others = ["us-east-1", "us-west-1", "us-west-2"].map((region) => row(44, region)).join("");
    const publish = (day, amount) => writeFileSync(join(folder, "in", `lambda_vms_2026-10-0${day}.csv`), head + row(amount) + others);
    const site = await startSite({ options: ["--feed-directory", folder] });
    try {
      const from = { directory: "in", pattern: "*.csv" };
      await site.ask("PUT", "/v1/feeds/mine", { format: "skypilot", provider: "lambda", cron: "0 2 * * *", enabled: false, from });
      const { page, visit } = await open({ site });
      const amounts = async () => (await site.ask("GET", `/v1/offers/${offer}`)).hourly_price.points.map(([, amount]) => amount);
      const ran = async (state) => {
        await page.click("#run-now");
        await page.waitForFunction((text) => document.querySelector("#run-live .note")?.textContent.includes(text), state);
      };
      const answered = async (verb, run) => {
        await page.click(`#${verb}-${run}`);
        await page.click("dialog [data-do=confirm]");
        await page.waitForSelector("dialog", { state: "detached" });
        await page.waitForSelector(`#${verb}-${run}`, { state: "detached" });
        await page.waitForSelector(`#run-live >> text=Run ${run} is ${{ accept: "accepted", reject: "rejected", undo: "undone" }[verb]}`);
      };
      const before = (await site.ask("GET", "/v1/imports")).items.length; // runs
      publish(1, 44);
      await visit("/?view=data&page=feeds&feed=mine");
      await ran("Landed");
      publish(2, 132);
      await ran("Landed");
      const held = await page.textContent(`[data-figure="held-${before + 2}"]`);
      assert.match(held, /1 document waits/);
      const { held_offers: reasons } = (await site.ask("GET", "/v1/feeds/mine/runs")).items[0].summary;
      assert.deepEqual(
        reasons.map((one) => one.offer),
        [offer],
      );
      for (const text of [offer, "132", reasons[0].reason]) assert.ok(held.includes(text), `${held} lacks ${text}`);
      assert.deepEqual(await amounts(), [44]);
      await answered("reject", before + 2);
      assert.deepEqual(await amounts(), [44]);
      publish(3, 133);
      await ran("Landed");
      await answered("accept", before + 3);
      assert.equal((await amounts()).at(-1), 133);
      await answered("undo", before + 3);
      assert.deepEqual(await amounts(), [44]);
      writeFileSync(join(folder, "in", "lambda_vms_2026-10-04.csv"), head + row(4400) + others.replaceAll(",44,", ",4400,"));
      await ran("is held, and nothing is stored");
      assert.match(await page.textContent(`[data-figure="held-${before + 4}"]`), /documents wait/);
      await answered("reject", before + 4);
    } finally {
      await site.stop();
      rmSync(folder, { recursive: true });
    }
  },

  async "what an import holds back waits among its runs, and is accepted, rejected and undone by a button"({ open, startSite }) {
    const site = await startSite();
    try {
      const { page, visit } = await open({ site });
      const others = ["us-east-1", "us-west-1", "us-west-2"];
      const listOf = (amount, rest) => head + row(amount) + others.map((region) => row(rest, region)).join("");
      const amounts = async () => (await site.ask("GET", `/v1/offers/${offer}`)).hourly_price.points.map(([, amount]) => amount);
      const imported = async (day, text, said) => {
        await visit("/?view=data&page=imports");
        await page.setInputFiles("#file", file(`lambda_vms_2026-10-0${day}.csv`, text));
        await page.waitForSelector("#store:enabled");
        const dry = await page.textContent("#summary");
        await page.click("#store");
        await page.waitForFunction((words) => document.getElementById("summary").textContent.includes(words), said);
        return dry;
      };
      const runs = async () => (await site.ask("GET", "/v1/imports")).items;
      const answered = async (verb, run) => {
        await page.click(`#${verb}-${run}`);
        await page.click("dialog [data-do=confirm]");
        await page.waitForSelector("dialog", { state: "detached" });
        await page.waitForSelector(`#${verb}-${run}`, { state: "detached" });
        const words = { accept: "accepted", reject: "rejected", undo: "undone" };
        await page.waitForSelector(`#run-said >> text=Run ${run} is ${words[verb]}`);
      };
      await imported(1, listOf(44, 44), "Stored.");
      assert.doesNotMatch(await imported(2, listOf(44, 44), "Stored."), /held back/);
      assert.match(await imported(3, listOf(132, 44), "Stored."), /What would be held back.*1 document.*3 times its last price, 44/s);
      const [{ run: first, summary }] = await runs();
      await page.waitForSelector(`[data-figure="held-${first}"]`);
      const held = await page.textContent(`[data-figure="held-${first}"]`);
      for (const text of ["1 document waits", offer, "132", summary.held_offers[0].reason]) assert.ok(held.includes(text), `${held} lacks ${text}`);
      assert.deepEqual(await amounts(), [44, 44]);
      await answered("accept", first);
      assert.deepEqual(await amounts(), [44, 44, 132]);
      await answered("undo", first);
      assert.deepEqual(await amounts(), [44, 44]);
      await imported(4, listOf(4400, 4400), "is held, and nothing is stored");
      const [{ run: second, held: waits }] = await runs();
      await page.waitForSelector(`[data-figure="held-${second}"] >> text=${waits} documents wait`);
      await answered("reject", second);
      assert.deepEqual([(await runs())[0].state, await amounts()], ["failed", [44, 44]]);
      const again = await site.ask("POST", "/v1/imports?format=skypilot&provider=lambda&date=2026-10-02&name=lambda_vms_2026-10-02.csv", listOf(44, 44));
      await visit("/?view=data&page=imports");
      assert.equal((await runs())[0].state, "unchanged");
      await answered("undo", again.run);
      assert.deepEqual([(await runs())[0].state, await amounts()], ["undone", [44, 44]]);
    } finally {
      await site.stop();
    }
  },

  async "a feed is added by a few fields, and tried at once"({ open, startSite }) {
    const site = await startSite({ options: ["--allow-private-feeds"] });
    try {
      await published(list(45), async (url) => {
        const { page, visit } = await open({ site });
        await visit("/?view=data&page=feeds");
        await page.click("#add-feed");
        await page.fill("#feed-url", url);
        await page.selectOption("#feed-format", "skypilot");
        await page.fill("#feed-provider", "lambda");
        await page.fill("#feed-id", "by-form");
        await page.fill("#feed-when", "every Monday at 6");
        await page.fill("#feed-when-zone", "Europe/Berlin");
        await page.click("#save-feed");
        await page.waitForSelector("#run-live >> text=Tried: nothing is stored.");
        const feed = await site.ask("GET", "/v1/feeds/by-form");
        assert.deepEqual([feed.cron, feed.time_zone, feed.from.url, feed.enabled], ["0 6 * * 1", "Europe/Berlin", url, true]);
        await page.click("#delete");
        await page.click("[data-do=confirm]");
        await page.waitForSelector('[data-figure="feeds"]');
        assert.equal((await site.daemon.ask("GET", "/v1/feeds/by-form")).status, 404);
      });
    } finally {
      await site.stop();
    }
  },
};

export const rest = {
  async "an import names the scenarios that read what it changes, and recomputes them"({ open, startSite }) {
    const site = await startSite();
    try {
      const { page, visit } = await open({ site });
      await visit("/?view=data&page=imports");
      await page.setInputFiles("#file", file("lambda_vms_2026-11-01.csv", list(41)));
      await page.waitForSelector("#touched details");
      const links = await page.$$eval("#touched a", (all) => all.map((one) => new URL(one.href).searchParams.get("scenario")));
      const { items } = await site.ask("GET", "/v1/scenarios?limit=1000");
      const expected = items
        .filter((one) => JSON.stringify(one.pools).includes('"lambda.gpu_8x_h100_sxm5.on-demand"'))
        .map((one) => one.id);
      assert.ok(expected.length > 1);
      assert.deepEqual(links.sort(), expected.sort());
      await page.click("#store");
      await page.click("#recompute");
      await page.waitForFunction(() => /done: (\d+) of \1 scenarios/.test(document.getElementById("live")?.textContent));
      assert.equal((await site.ask("GET", "/v1/recalculations")).items[0].total, expected.length);
    } finally {
      await site.stop();
    }
  },

  async "a date against the file's own is asked about, and can be forced"({ open }) {
    const { page, visit } = await open();
    await visit("/?view=data&page=imports");
    await page.setInputFiles("#file", file("lambda_vms_2026-11-01.csv", list(41)));
    await page.waitForSelector("text=Nothing is stored yet");
    await page.fill("#import-date", "2026-10-30");
    await page.press("#import-date", "Enter");
    await page.waitForSelector("#other-date");
    assert.match(await page.textContent("#other-date"), /name says 1 Nov 2026, and you gave 30 Oct 2026/);
    assert.ok(await page.isDisabled("#store"));
    await page.click("#use-given");
    await page.waitForSelector("text=Nothing is stored yet");
    assert.equal(await page.inputValue("#import-date"), "2026-10-30");
    assert.ok(await page.isEnabled("#store"));
    await page.setInputFiles("#file", file("lambda_vms_2026-11-02.csv", list(41)));
    await page.waitForFunction(() => document.getElementById("import-date").value === "2026-11-02", null, { timeout: 5000 });
  },

  async "what is not recognised, or lacks something, says so in words"({ open }) {
    const { page, visit } = await open();
    await visit("/?view=data&page=imports");
    await page.setInputFiles("#file", file("prices.csv", list(41)));
    await page.waitForSelector("text=Neither the file nor its name says");
    assert.match(await page.textContent("#summary"), /date and provider/);
    assert.equal(await page.getAttribute("#import-provider", "aria-invalid"), "true");
    await page.setInputFiles("#file", file("x.csv", "nothing"));
    await page.waitForSelector("#picks");
    assert.match(await page.textContent("#recognised"), /Not recognised/);
    await page.click('[data-format="hourly_prices"]');
    await page.waitForSelector("#summary [role=alert]");
    assert.ok(await page.isDisabled("#store"));
  },

  async "rejected rows are grouped by reason and folded"({ open }) {
    const { page, visit } = await open();
    await visit("/?view=data&page=imports");
    const bad = (name) => row(30).replace("gpu_8x_h100_sxm5,H100", `${name},Nothing${name}`);
    await page.setInputFiles("#file", file("lambda_vms_2026-11-01.csv", list(41) + bad("a1") + bad("a2") + bad("a3")));
    await page.waitForSelector("#rejected-rows");
    assert.equal(await page.getAttribute("#rejected-rows", "open"), null);
    assert.match(await page.textContent("#rejected-rows > summary"), /3 rejected rows/);
    await page.click("#rejected-rows > summary");
    assert.ok((await page.$$("#rejected-rows .reason")).length >= 1);
  },

  async "a table sorts by its heads, by keys too"({ open }) {
    const { page, visit } = await open();
    await visit("/?view=data&page=feeds");
    const ages = () =>
      page.$$eval('[data-figure="price-ages"] tbody tr', (rows) => rows.map((one) => one.cells[5].textContent.replaceAll(",", "")));
    const head = '[data-figure="price-ages"] thead th:nth-child(6)';
    const before = (await ages()).map(Number);
    assert.deepEqual(
      before,
      [...before].sort((a, b) => a - b),
      "the youngest first",
    );
    await page.focus(`${head} button`);
    await page.keyboard.press("Enter");
    assert.equal(await page.getAttribute(head, "aria-sort"), "descending");
    assert.ok(Number((await ages())[0]) > before[0]);
  },

  async "drift by device and purchase over a chosen time is that of the offers' prices"({ open, site }) {
    const { page, visit, settled, csv } = await open({ width: 1440 });
    const { items } = await site.ask("GET", "/v1/offers?limit=1000");
    const expected = (device, days) => {
      const from = new Date(Date.now() - days * 86400000).toISOString().slice(0, 10);
      const fractions = items
        .filter((one) => one.device === device && one.purchase === "on_demand" && one.hourly_price.points)
        .map((one) => one.hourly_price.points)
        .filter((points) => points.length > 1 && points.at(-1)[0] > from)
        .map((points) => points.at(-1)[1] / (points.findLast(([date]) => date <= from) ?? points[0])[1] - 1)
        .sort((a, b) => a - b);
      const middle = (fractions[Math.floor((fractions.length - 1) / 2)] + fractions[Math.ceil((fractions.length - 1) / 2)]) / 2;
      return [fractions.length, 100 * middle];
    };
    const shown = async (device) =>
      Number((await csv("price-drift")).slice(1).find(([what]) => what.startsWith(device) && what.endsWith("on_demand"))[2]);
    for (const [since, days] of [
      ["", 180],
      ["&since=365", 365],
    ]) {
      await visit(`/?view=data&page=feeds${since}`);
      for (const device of ["nvidia.h100-sxm5-80gb", "nvidia.l40s"]) {
        const [seen, median] = expected(device, days);
        assert.ok(seen > 1);
        assert.equal(await shown(device), median);
        const cells = page.locator('[data-figure="price-drift"] tbody tr', {
          hasText: device === "nvidia.l40s" ? "L40S" : "H100 SXM5 80 GB",
        });
        assert.match(await cells.first().locator("td").first().textContent(), new RegExp(`of ${seen}$`));
      }
    }
    assert.match(await page.textContent("#drift-said"), /on demand [+−][\d.]+ %, \d+ offers/);
    await page.selectOption("#since", "90");
    await settled();
    assert.match(page.url(), /since=90/);
  },

  async "curves over the week have its days, over the day its hours"({ open }) {
    const { page, visit } = await open();
    await visit("/?view=data&kind=curves&id=demand.office-hours");
    const week = await page.textContent(".chart");
    for (const day of ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]) assert.ok(week.includes(day), day);
    await visit("/?view=data&kind=curves&id=tariff.nrel-lcgs.hour-of-day");
    assert.match(await page.textContent(".chart"), /06:00.*12:00.*18:00/);
  },
};
