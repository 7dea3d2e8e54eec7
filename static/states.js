// States of a view without content: loading, empty, error.
import { announce, h } from "./dom.js";

export function loading(text = "Loading…") {
  return h("div", { class: "state loading" }, h("span", { class: "spinner", "aria-hidden": "true" }), h("p", {}, text));
}

export function empty(title, text, ...actions) {
  return h("div", { class: "state" }, h("h2", {}, title), h("p", { class: "muted" }, text), actions);
}

// An error response with all its issues, or a daemon that does not answer.
export function errorState(error, retry = null) {
  const issues = error.errors ?? [];
  announce(`Error: ${error.message}`);
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
    retry ? h("button", { type: "button", onclick: retry }, "Try again") : null,
  );
}

// Shows the content that `work` returns in `place`: a loading state before, an error state if it fails; nothing if the view was left.
export async function fill(place, work, text) {
  place.replaceChildren(loading(text));
  try {
    const content = await work();
    place.replaceChildren(...[content].flat(Infinity).filter(Boolean));
  } catch (error) {
    if (error.name !== "AbortError") place.replaceChildren(errorState(error, () => fill(place, work, text)));
  }
}
