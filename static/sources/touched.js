// Which stored scenarios read what an import changes: by the provenance of their results, so that curves and devices count too.
import { getAll, postLines } from "../api.js";
import { h } from "../dom.js";
import { count } from "../format.js";
import { linkTo } from "../router.js";
import { note } from "./parts.js";

const most = 1000; // scenarios that are looked at
const inBatch = 100;
const reads = 3; // documents that are named

async function touchedBy(changes, signal) {
  const changed = new Set(changes.filter((change) => change.what === "changed").map((change) => `${change.kind} ${change.id}`));
  const scenarios = await getAll("/v1/scenarios", {}, signal, most);
  const found = [];
  for (let i = 0; changed.size && i < scenarios.length; i += inBatch) {
    const part = scenarios.slice(i, i + inBatch);
    const results = await postLines("/v1/evaluate/batch", { scenarios: part.map((scenario) => scenario.id) }, signal);
    results.forEach((result, j) => {
      const documents = (result.provenance?.documents ?? []).filter((one) => changed.has(`${one.kind} ${one.id}`));
      if (documents.length)
        found.push({ id: part[j].id, name: part[j].name ?? part[j].id, documents: documents.map((one) => one.id) });
    });
  }
  return { found, looked: scenarios.length, isAll: scenarios.length < most };
}

// A box that says which; `then` gets their ids.
export function touched(summary, signal, then = () => {}) {
  const place = h("div", { id: "touched", role: "status" }, note("calm", "Looking which stored scenarios read what changes…"));
  const partly = summary.documents.changed > summary.changes.filter((change) => change.what === "changed").length;
  touchedBy(summary.changes, signal).then(
    ({ found, looked, isAll }) => {
      const among = `${isAll ? "" : "the first "}${count(looked, "stored scenario")}`;
      place.replaceChildren(
        found.length
          ? h(
              "details",
              { class: "note calm", open: found.length <= 6 },
              h(
                "summary",
                {},
                h("b", {}, `${partly ? "At least " : ""}${count(found.length, "scenario")} touched`),
                ` of ${among}.`,
              ),
              h(
                "ul",
                { class: "plain" },
                found.map((one) =>
                  h(
                    "li",
                    {},
                    h("a", { href: linkTo("result", { scenario: one.id }) }, one.name),
                    h("small", {}, ` reads ${one.documents.slice(0, reads).join(", ")}${one.documents.length > reads ? " …" : ""}`),
                  ),
                ),
              ),
            )
          : note(
              "calm",
              h("b", {}, "No scenario touched."),
              ` None of ${among} reads what ${partly ? "is listed here" : "changes"}.`,
            ),
      );
      then(found.map((one) => one.id));
    },
    (error) => {
      if (error.name !== "AbortError")
        place.replaceChildren(note("warn", `Which scenarios are touched is not known: ${error.message}`));
    },
  );
  return place;
}
