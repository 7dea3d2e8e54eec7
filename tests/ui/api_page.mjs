// The API page, /docs: each operation of /openapi.json is listed, found, opened by its address and tried, and read when it opens.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// The viewer's name of an operation, in its list and in the address.
const idOf = (method, path) => `${method}-${path.replace(/[{}]/g, "-")}`;

// Playwright's selectors look into the viewer's shadow trees.
async function openApiPage(open, { site, hash = "", ...options }) {
  const opened = await open({ site, ...options });
  await opened.page.goto(`${site.daemon.url}/docs${hash}`);
  await opened.page.waitForSelector(hash ? "api-response .top-gap" : "#overview");
  return opened;
}

const listed = (page) => page.$$eval(".nav-bar-path", (rows) => rows.map((row) => row.dataset.contentId));

export const main = {
  async "every operation of the description is listed, and none is read before it is opened"({ open, site }) {
    const { paths } = await site.ask("GET", "/openapi.json");
    const operations = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map((entry) => [path, ...entry]));
    const { page } = await openApiPage(open, { site });
    const names = operations.map(([path, method]) => idOf(method, path));
    assert.deepEqual((await listed(page)).sort(), names.sort());
    const tags = [...new Set(operations.flatMap(([, , { tags }]) => tags))];
    const titles = await page.$$eval(".nav-bar-tag", (rows) => rows.map((row) => row.innerText.trim().toLowerCase()));
    assert.deepEqual(titles.sort(), tags.sort());
    const read = () =>
      page.evaluate(() =>
        document
          .querySelector("rapi-doc")
          .resolvedSpec.tags.flatMap((tag) => tag.paths)
          .filter((operation) => "value" in Object.getOwnPropertyDescriptor(operation, "responses"))
          .map((operation) => operation.elementId),
      );
    assert.deepEqual(await read(), []);
    await page.click('[data-content-id="put-/v1/offers/-id-"]');
    await page.waitForSelector("api-response .top-gap");
    assert.deepEqual(await read(), ["put-/v1/offers/-id-"]);
  },

  async "an operation's address opens it, with the fields of what it takes"({ open, site }) {
    const { page } = await openApiPage(open, { site, hash: "#put-/v1/offers/-id-" });
    const operation = page.locator('[id="put-/v1/offers/-id-"]');
    const fields = await operation.locator("api-request schema-table .key-label").allInnerTexts();
    for (const name of ["provider", "hourly_price", "purchase"]) assert.ok(fields.some((field) => field.startsWith(name)), name);
    await page.evaluate(() => (location.hash = "#get-/v1/offers"));
    await page.waitForSelector('[id="get-/v1/offers"]');
    await page.locator("#link-post-\\/v1\\/evaluate").press("Enter");
    await page.waitForSelector('[id="post-/v1/evaluate"]');
    assert.equal(new URL(page.url()).hash, "#post-/v1/evaluate");
  },

  async "a call is tried on the same origin with a key that is typed"({ open, startSite }) {
    const site = await startSite({ options: ["--require-keys"], keys: ["viewer"] });
    try {
      const { page } = await openApiPage(open, { site, hash: "#get-/v1/offers" });
      const answered = () => page.waitForResponse((response) => new URL(response.url()).pathname === "/v1/offers");
      const tryButton = '[part~="btn-try"]';
      const [refused] = await Promise.all([answered(), page.click(tryButton)]);
      assert.equal(refused.status(), 401);
      await page.click("#link-auth");
      await page.fill(".api-key-input", site.daemon.keys.viewer);
      await page.click('button:text-is("SET")');
      await page.click('[data-content-id="get-/v1/offers"]');
      await page.fill('[aria-label="limit"]', "3");
      const [answer] = await Promise.all([answered(), page.click(tryButton)]);
      assert.equal(answer.status(), 200);
      assert.equal(new URL(answer.url()).search, "?limit=3");
    } finally {
      await site.stop();
    }
  },

  async "a description that does not come is said"({ open, site }) {
    const { page } = await open({ site });
    await page.route("**/openapi.json", (route) => route.fulfill({ status: 503, body: "{}" }));
    await page.goto(`${site.daemon.url}/docs`);
    assert.match(await page.innerText('[role="alert"]'), /could not be loaded: the daemon answers 503/);
  },
};

export const rest = {
  async "every operation has its parameters, bodies and answers; one of each tag shows them"({ open, site }) {
    const { paths } = await site.ask("GET", "/openapi.json");
    const { page } = await openApiPage(open, { site });
    const seen = new Set();
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { tags, parameters = [], requestBody, responses }] of Object.entries(methods)) {
        const id = idOf(method, path);
        const known = await page.evaluate((name) => {
          const { tags } = document.querySelector("rapi-doc").resolvedSpec;
          const operation = tags.flatMap((tag) => tag.paths).find((one) => one.elementId === name);
          const text = JSON.stringify([operation.parameters, operation.requestBody, operation.responses]);
          return {
            parameters: operation.parameters.map((one) => one.name),
            bodies: Object.keys(operation.requestBody?.content ?? {}),
            statuses: Object.keys(operation.responses),
            references: [...new Set(text.match(/"\$ref":"[^"]*"/g))],
          };
        }, id);
        assert.deepEqual(known.parameters, parameters.map((one) => one.name), id);
        assert.deepEqual(known.bodies, Object.keys(requestBody?.content ?? {}), id);
        assert.deepEqual(known.statuses, Object.keys(responses), id);
        // What is left is what contains itself.
        for (const reference of known.references) assert.match(reference, /schemas\/(term|field)"$/, id);
        if (seen.has(tags[0])) continue;
        seen.add(tags[0]);
        await page.locator(`[data-content-id="${id}"]`).dispatchEvent("click");
        const shown = await page.locator(`[id="${id}"]`).evaluate(async (element) => {
          const request = element.querySelector("api-request");
          const response = element.querySelector("api-response");
          await Promise.all([request.updateComplete, response.updateComplete]);
          return {
            fields: [...request.shadowRoot.querySelectorAll("[data-pname]")].map((field) => field.ariaLabel),
            statuses: response.shadowRoot.querySelectorAll(".m-btn.small").length,
          };
        });
        for (const name of known.parameters) assert.ok(shown.fields.includes(name), `${id}: no field for ${name}`);
        assert.equal(shown.statuses, known.statuses.length, id);
      }
    }
  },

  async "a search finds operations by a path, a word and a field of what they take"({ open, site }) {
    const { page } = await openApiPage(open, { site });
    await page.fill("#nav-bar-search", "webhooks");
    await page.keyboard.press("Tab");
    await page.waitForFunction(() => document.querySelector("rapi-doc").searchVal === "webhooks");
    const found = await listed(page);
    assert.ok(found.length > 1 && found.every((id) => id.includes("webhooks") || id === "get-/v1/deliveries"), found.join(" "));
    await page.click('[part~="btn-clear-filter"]');
    await page.click('[part~="btn-search"]');
    await page.check("#search-api-request-body");
    await page.fill("#input-advanced-search-dialog", "hourly_price");
    await page.waitForSelector('[data-content-id="put-/v1/offers/-id-"][tabindex="0"]');
  },

  async "both themes, narrow and wide: the list is there, nothing too wide, nothing serious for axe-core"({ open, site }) {
    const { page } = await openApiPage(open, { site, hash: "#put-/v1/offers/-id-" });
    await page.evaluate(axe);
    // A colour on its way to another has the contrast of neither.
    await page.evaluate(() => {
      const still = new CSSStyleSheet();
      still.replaceSync("* { transition: none !important; }");
      const viewer = document.querySelector("rapi-doc").shadowRoot;
      for (const root of [viewer, viewer.querySelector("api-request").shadowRoot, viewer.querySelector("api-response").shadowRoot])
        root.adoptedStyleSheets.push(still);
    });
    const found = [];
    for (const id of ["put-/v1/offers/-id-", "auth", "overview"]) {
      await page.evaluate((hash) => (location.hash = hash), id);
      await page.waitForSelector(`main [id="${id}"]`);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        await page.waitForSelector(`rapi-doc[theme="${colorScheme}"]`);
        for (const width of [400, 1400]) {
          await page.setViewportSize({ width, height: 900 });
          await page.evaluate(() => document.querySelector("rapi-doc").updateComplete);
          const at = `${id}, ${colorScheme}, ${width} px`;
          if (!(await page.isVisible("#link-auth"))) found.push(`${at}: no list`);
          if (id.startsWith("put") && !(await page.isVisible("api-request schema-table .key-descr >> text=who sells it")))
            found.push(`${at}: no description of a field`);
          const beyond = await page.$eval("rapi-doc main", (main) => main.scrollWidth - main.clientWidth);
          if (beyond > 0) found.push(`${at}: ${beyond} px too wide`);
          const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
          found.push(
            ...violations
              .filter((one) => ["serious", "critical"].includes(one.impact))
              .map((one) => `${at}: ${one.id} ${one.nodes[0].target} ${one.nodes[0].any[0]?.message}`),
          );
        }
      }
    }
    assert.deepEqual(found, []);
  },
};
