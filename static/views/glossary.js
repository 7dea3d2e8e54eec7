// The glossary: every term with its meaning, searched as one types; and what the fields of documents are called.
import { get } from "../api.js";
import { h, labelled } from "../dom.js";
import { heading } from "../parts.js";
import { go } from "../router.js";
import { section } from "../table.js";
import { capital, glossary, words } from "../terms.js";

export async function glossaryPage(params, place, { signal }) {
  const tables = await get("/v1/fields", {}, signal);
  const wanted = (params.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const has = (row) => wanted.every((word) => Object.values(row).join(" ").toLowerCase().includes(word));
  const terms = Object.entries(glossary)
    .map(([name, meaning]) => ({ name, meaning }))
    .filter(has)
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
  const fields = tables
    .flatMap(({ document, request, fields: rows }) =>
      rows
        .filter(({ name }) => !["id", "source", "note"].includes(name))
        .map(({ name, help = "" }) => ({ document: capital(words(document ?? request)), called: capital(words(name)), name, help })),
    )
    .filter(has);
  const text = (name, member) => ({ name, value: (row) => row[member], text: true });
  place.append(
    heading("Glossary", "What the terms of costcurve mean. They stand behind the dotted words of each page, too."),
    h(
      "form",
      { class: "controls", role: "search", onsubmit: (event) => event.preventDefault() },
      labelled(
        "Search",
        h("input", {
          id: "glossary-search",
          type: "search",
          value: params.get("q") ?? "",
          onchange: (event) => go({ q: event.target.value }, { replace: true }),
        }),
      ),
    ),
    section("Terms", { caption: "Terms", rows: terms, columns: [text("term", "name"), text("meaning", "meaning")] }, "terms"),
    section(
      "Fields",
      {
        caption: "Fields of documents and requests",
        rows: fields,
        columns: [text("of", "document"), text("field", "called"), text("in the API", "name"), text("meaning", "help")],
      },
      "fields",
      "What a form calls a field, and the API's name of it.",
      100,
    ),
  );
}
