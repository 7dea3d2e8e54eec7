// A field for a time in words or cron, with a zone beside it; below it what it means and the next runs.
import { h, labelled, newId } from "../dom.js";
import { examples, fromWords, inWords, nextRuns } from "./cron.js";
import { when, zoneHere } from "./parts.js";

// {element, cron(), zone(), valid()}; `optional` lets it be empty.
export function cronField({ id = "when", value = "", zone = zoneHere(), optional = false, label = "When" } = {}) {
  const said = h("div", { class: "said", id: `${id}-said`, role: "status" });
  const list = newId("when");
  const text = h("input", {
    id,
    list,
    value,
    autocomplete: "off",
    placeholder: "every night at 2",
    required: !optional,
    oninput: () => show(),
  });
  const zones = newId("zones");
  const place = h("input", {
    id: `${id}-zone`,
    list: zones,
    value: zone,
    autocomplete: "off",
    required: true,
    oninput: () => show(),
  });
  const cron = () => (text.value.trim() ? fromWords(text.value) : null);
  const field = {
    element: h(
      "div",
      { class: "when" },
      h(
        "div",
        { class: "guesses" },
        labelled(label, text, `In words or as cron${optional ? "; empty: only when you run it" : ""}.`),
        labelled("Time zone", place, "IANA name, such as Europe/Berlin."),
      ),
      h(
        "div",
        { class: "suggestions", role: "group", "aria-label": "Usual times" },
        examples.map((example) =>
          h("button", { type: "button", class: "btn small-btn", onclick: () => ((text.value = example), show()) }, example),
        ),
      ),
      said,
      h(
        "datalist",
        { id: list },
        examples.map((example) => h("option", { value: example })),
      ),
      h(
        "datalist",
        { id: zones },
        (Intl.supportedValuesOf?.("timeZone") ?? []).concat("UTC").map((name) => h("option", { value: name })),
      ),
    ),
    cron,
    zone: () => place.value.trim() || "UTC",
    valid: () => (text.value.trim() ? cron() !== null : optional),
  };
  function show() {
    const found = cron();
    text.toggleAttribute("aria-invalid", false);
    if (!text.value.trim()) return said.replaceChildren();
    if (found === null) {
      text.setAttribute("aria-invalid", "true");
      return said.replaceChildren(
        h("span", { class: "bad" }, "Not understood. Say it as above, or as cron: minute hour day month weekday."),
      );
    }
    const next = nextRuns(found, field.zone());
    said.replaceChildren(
      h("span", {}, h("code", {}, found), ` · ${inWords(found)}, ${field.zone()}`),
      next.length
        ? h(
            "span",
            {},
            "Next: ",
            next.map((instant) => when(new Date(instant).toISOString(), field.zone(), { weekday: "short" })).join(" · "),
          )
        : h("span", { class: "bad" }, "It never runs, or the zone is not known."),
    );
  }
  show();
  return field;
}
