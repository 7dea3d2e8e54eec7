// Imports: a published file is uploaded as a dry run, its changes are reviewed, and then it is stored.
import { get, upload } from "../api.js";
import { announce, choice, h, labelled } from "../dom.js";
import { number } from "../format.js";
import { forget } from "../store.js";
import { errorState } from "../states.js";
import { tableOf } from "../table.js";

export async function imports(params, place, { signal }) {
  const description = await get("/openapi.json", {}, signal);
  const parameters = description.paths["/v1/imports"].post.parameters.filter((parameter) => parameter.in === "query");
  const formats = parameters
    .find((parameter) => parameter.name === "format")
    .schema.pattern.replace(/^\^\(|\)\$$/g, "")
    .split("|");
  const options = parameters.filter((parameter) => !["format", "dry_run", "changes"].includes(parameter.name));
  let files = [];
  const format = choice(
    [{ value: "", text: "Choose the format…" }, ...formats.map((value) => ({ value, text: value.replaceAll("_", " ") }))],
    params.get("format") ?? "",
    () => ready(),
    { id: "format", required: true },
  );
  const values = Object.fromEntries(
    options.map((option) => [option.name, h("input", { id: `import-${option.name}`, autocomplete: "off" })]),
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
    h("span", { class: "muted" }, "or choose one. A dry run comes first: nothing is stored."),
  );
  const outcome = h("div", {});
  const dry = h("button", { type: "button", class: "primary", id: "try", disabled: true, onclick: () => run(true) }, "Dry run");
  const store = h("button", { type: "button", id: "store", disabled: true, onclick: () => run(false) }, "Import");

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
    const query = {
      format: format.value,
      dry_run: isDry,
      changes: 200,
      ...Object.fromEntries(Object.entries(values).map(([name, field]) => [name, field.value])),
    };
    try {
      const summary =
        files.length === 1
          ? await upload("/v1/imports", query, files[0], "application/octet-stream", signal)
          : await several(query);
      outcome.replaceChildren(summaryOf(summary, isDry));
      store.disabled = !isDry;
      if (!isDry) forget();
      announce(isDry ? "Dry run: nothing was stored" : "Stored");
    } catch (error) {
      if (error.name !== "AbortError") outcome.replaceChildren(errorState(error));
    }
    dry.disabled = false;
  }
  // Several files are sent as multipart/form-data, with its own boundary.
  async function several(query) {
    const form = new FormData();
    for (const file of files) form.append("file", file, file.name);
    const response = new Response(form);
    return upload("/v1/imports", query, await response.blob(), response.headers.get("Content-Type"), signal);
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
        labelled("Format", format, "As published; docs/imports.md describes each format."),
        h(
          "details",
          {},
          h("summary", {}, "Details that the file lacks"),
          h(
            "div",
            { class: "fields" },
            options.map((option) => labelled(option.name.replaceAll("_", " "), values[option.name], option.description)),
          ),
        ),
        h("p", { class: "actions" }, dry, store),
      ),
      h("section", { class: "panel", "aria-label": "Changes", id: "summary" }, h("h2", {}, "Changes"), outcome),
    ),
  );
}

function summaryOf(summary, isDry) {
  const counts = ({ added, changed, unchanged }) => `${added} added, ${changed} changed, ${unchanged} unchanged`;
  const messages = (title, { count, first }) =>
    count
      ? h(
          "details",
          { open: true },
          h("summary", {}, `${count} ${title}`),
          h(
            "ul",
            {},
            first.slice(0, 50).map((row) => h("li", {}, row.row ? `row ${row.row}: ` : "", row.reason)),
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
    messages("rows were rejected", summary.rejected),
    messages("warnings", summary.warnings),
    rows.length
      ? tableOf(
          {
            caption: "Changes",
            rows,
            columns: [
              { name: "document", value: (row) => `${row.kind} ${row.id}`, text: true },
              { name: "change", value: (row) => row.what, text: true },
              {
                name: "field",
                value: (row) => row.field && `${row.field.pointer}${row.field.date ? ` ${row.field.date}` : ""}`,
                text: true,
              },
              { name: "before", value: (row) => text(row.field?.old), text: true },
              { name: "after", value: (row) => text(row.field?.new), text: true },
            ],
          },
          100,
        )
      : null,
  );
}
