// Imports: a published file is dropped, tried without storing anything, looked at, and then stored.
import { get, upload } from "../api.js";
import { choice, h, labelled, say } from "../dom.js";
import { number } from "../format.js";
import { forget } from "../store.js";
import { wrong } from "../states.js";
import { tableOf } from "../table.js";

export async function imports(params, place, { signal }) {
  const description = await get("/openapi.json", {}, signal);
  const parameters = description.paths["/v1/imports"].post.parameters.filter((one) => one.in === "query");
  const formats = parameters
    .find((one) => one.name === "format")
    .schema.pattern.replace(/^\^\(|\)\$$/g, "")
    .split("|");
  const options = parameters.filter((one) => !["format", "dry_run", "changes"].includes(one.name));
  let files = [];
  const format = choice(
    [{ value: "", text: "Choose the format…" }, ...formats.map((value) => ({ value, text: value.replaceAll("_", " ") }))],
    params.get("format") ?? "",
    () => ready(),
    { id: "format", required: true },
  );
  const values = Object.fromEntries(
    options.map((one) => [one.name, h("input", { id: `import-${one.name}`, autocomplete: "off" })]),
  );
  const chosen = h("p", { class: "muted" }, "No file yet.");
  const input = h("input", { type: "file", multiple: true, id: "file", class: "unseen", onchange: () => take(input.files) });
  const zone = h(
    "label",
    {
      class: "drop",
      for: "file",
      ondragover: (event) => {
        event.preventDefault();
        zone.classList.add("over");
      },
      ondragleave: () => zone.classList.remove("over"),
      ondrop: (event) => {
        event.preventDefault();
        zone.classList.remove("over");
        take(event.dataTransfer.files);
      },
    },
    h("strong", {}, "Drop a published file here"),
    h("span", { class: "muted" }, "or choose one. It is only tried at first: nothing is stored."),
  );
  const tried = h("div", {});
  const dry = h("button", { type: "button", class: "primary", id: "try", disabled: true, onclick: () => run(true) }, "Try it");
  const store = h("button", { type: "button", id: "store", disabled: true, onclick: () => run(false) }, "Store it");

  function take(list) {
    files = [...list];
    chosen.textContent = files.map((file) => `${file.name} (${number(file.size, "bytes")})`).join(", ");
    ready();
    if (format.value) run(true);
  }
  function ready() {
    dry.disabled = !files.length || !format.value;
    store.disabled = true;
  }
  async function run(isDry) {
    dry.disabled = store.disabled = true;
    const question = {
      format: format.value,
      dry_run: isDry,
      changes: 200,
      ...Object.fromEntries(Object.entries(values).map(([name, field]) => [name, field.value])),
    };
    try {
      const summary =
        files.length === 1
          ? await upload("/v1/imports", question, files[0], "application/octet-stream", signal)
          : await several(question);
      tried.replaceChildren(summaryOf(summary, isDry));
      store.disabled = !isDry;
      if (!isDry) forget();
      say(isDry ? "Tried: nothing was stored" : "Stored");
    } catch (error) {
      if (error.name !== "AbortError") tried.replaceChildren(wrong(error));
    }
    dry.disabled = false;
  }
  // A set of files goes as multipart/form-data, which names its own boundary.
  async function several(question) {
    const form = new FormData();
    for (const file of files) form.append("file", file, file.name);
    const response = new Response(form);
    return upload("/v1/imports", question, await response.blob(), response.headers.get("Content-Type"), signal);
  }
  place.append(
    h(
      "div",
      { class: "panels" },
      h(
        "section",
        { class: "panel", "aria-label": "File" },
        zone,
        input,
        chosen,
        labelled("Format", format, "As the publisher has it; docs/imports.md says what becomes of each."),
        h(
          "details",
          {},
          h("summary", {}, "What the file does not say itself"),
          h(
            "div",
            { class: "fields" },
            options.map((one) => labelled(one.name.replaceAll("_", " "), values[one.name], one.description)),
          ),
        ),
        h("p", { class: "actions" }, dry, store),
      ),
      h(
        "section",
        { class: "panel", "aria-label": "What it would change", id: "summary" },
        h("h2", {}, "What it would change"),
        tried,
      ),
    ),
  );
}

function summaryOf(summary, isDry) {
  const counts = ({ added, changed, unchanged }) => `${added} added, ${changed} changed, ${unchanged} unchanged`;
  const complaints = (title, { count, first }) =>
    count
      ? h(
          "details",
          { open: true },
          h("summary", {}, `${count} ${title}`),
          h(
            "ul",
            {},
            first.slice(0, 50).map((one) => h("li", {}, one.row ? `row ${one.row}: ` : "", one.reason)),
          ),
        )
      : null;
  const rows = summary.changes.flatMap((change) =>
    change.fields.length ? change.fields.map((field) => ({ ...change, field })) : [{ ...change, field: null }],
  );
  const text = (value) =>
    value === null || value === undefined ? null : typeof value === "object" ? JSON.stringify(value).slice(0, 120) : String(value);
  return h(
    "div",
    { class: "fields" },
    h(
      "p",
      {},
      h("strong", {}, isDry ? "Nothing is stored yet. " : "Stored. "),
      `${summary.rows} rows read, ${summary.skipped} skipped; documents: ${counts(summary.documents)}`,
      summary.bill.added + summary.bill.changed + summary.bill.unchanged ? `; bill: ${counts(summary.bill)}` : "",
      ".",
    ),
    complaints("rows were rejected", summary.rejected),
    complaints("warnings", summary.warnings),
    rows.length
      ? tableOf(
          {
            caption: "Changes",
            rows,
            columns: [
              { name: "document", of: (row) => `${row.kind} ${row.id}`, text: true },
              { name: "what", of: (row) => row.what, text: true },
              {
                name: "field",
                of: (row) => row.field && `${row.field.pointer}${row.field.date ? ` ${row.field.date}` : ""}`,
                text: true,
              },
              { name: "before", of: (row) => text(row.field?.old), text: true },
              { name: "after", of: (row) => text(row.field?.new), text: true },
            ],
          },
          100,
        )
      : null,
  );
}
