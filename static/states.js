// States of a view without content: loading, empty, error.
import { announce, h } from "./dom.js";
import { messageWords, pointerWords } from "./format.js";

export function loading(text = "Loading…") {
  return h("div", { class: "state loading" }, h("span", { class: "spinner", "aria-hidden": "true" }), h("p", {}, text));
}

export function empty(title, text, ...actions) {
  return h("div", { class: "state" }, h("h2", {}, title), h("p", { class: "muted" }, text), actions);
}

const signedOut = { title: "Not signed in", message: "This daemon asks for an API key. Try again to give one." };

// A document that the address names and the store does not have.
const absent = /^no \w+ has the id (\S+?)(;| as of|$)/;
const absentIn = (issues) => (issues.length === 1 ? absent.exec(issues[0].message)?.[1] : null);

// An error response with all its issues, a document that is not there, or a daemon that does not answer.
export function errorState(error, retry = null) {
  const issues = error.errors ?? [];
  const id = absentIn(issues);
  if (id) {
    announce(`${id} is not there`);
    const home = h("a", { class: "button", href: "/" }, "All decisions");
    return h(
      "div",
      { role: "alert" },
      empty("Not there", `The store has no ${id}: it was deleted, or the address is mistyped.`, home),
    );
  }
  const { title, message } = error.status === 401 ? signedOut : error;
  const isCount = issues.length && /^\d+ issues?; see errors$/.test(message); // they stand below
  announce(`Error: ${isCount ? messageWords(issues[0].message) : message}`);
  return h(
    "div",
    { class: "state wrong", role: "alert" },
    h("h2", {}, title ?? "Something went wrong"),
    isCount ? null : h("p", {}, message),
    issues.length
      ? h(
          "ul",
          {},
          issues.map((issue) =>
            h("li", { title: issue.pointer || null }, issue.pointer ? `${pointerWords(issue.pointer)}: ` : "", messageWords(issue.message)),
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
