// What a view shows while there is nothing to see: loading, empty, wrong.
import { h, say } from "./dom.js";

export function loading(text = "Loading…") {
  return h("div", { class: "state loading" }, h("span", { class: "spinner", "aria-hidden": "true" }), h("p", {}, text));
}

export function empty(title, text, ...actions) {
  return h("div", { class: "state" }, h("h2", {}, title), h("p", { class: "muted" }, text), actions);
}

// A refusal with all its issues, or a daemon that does not answer.
export function wrong(error, again = null) {
  const issues = error.errors ?? [];
  say(`Error: ${error.message}`);
  return h(
    "div",
    { class: "state wrong", role: "alert" },
    h("h2", {}, error.title ?? "Something went wrong"),
    h("p", {}, error.message),
    issues.length
      ? h(
          "ul",
          {},
          issues.map((issue) =>
            h("li", {}, issue.pointer ? h("code", {}, issue.pointer) : null, issue.pointer ? " " : "", issue.message),
          ),
        )
      : null,
    error.request ? h("p", { class: "muted" }, `Request ${error.request}`) : null,
    again ? h("button", { type: "button", onclick: again }, "Try again") : null,
  );
}

// Shows what `work` answers in `place`, with loading before and the error instead; nothing where the view was left meanwhile.
export async function fill(place, work, text) {
  place.replaceChildren(loading(text));
  try {
    const content = await work();
    place.replaceChildren(...[content].flat(Infinity).filter(Boolean));
  } catch (error) {
    if (error.name !== "AbortError") place.replaceChildren(wrong(error, () => fill(place, work, text)));
  }
}
