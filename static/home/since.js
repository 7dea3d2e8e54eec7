// What happened since the last visit: events, the newest first. The time of the visit is kept in this browser.
import { get } from "../api.js";
import { h } from "../dom.js";
import { date } from "../format.js";
import { linkTo } from "../router.js";
import { eventNames, eventText } from "../views/event_text.js";

const name = "seen"; // in the browser's storage: when the page was last marked as seen
const mostShown = 7;
const quiet = ["recalculation_done", "ping"]; // say nothing of prices or answers

export function seenAt() {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // without storage, all is new
  }
}
function markSeen(time) {
  try {
    localStorage.setItem(name, time);
  } catch {
    /* then all is new the next time, too */
  }
}
const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;

const line = (event) =>
  h(
    "li",
    {},
    h("time", { datetime: event.recorded_at }, date(event.recorded_at).replace(/ \d{4}$/, "")),
    h("span", {}, h("b", {}, capital(eventNames[event.kind] ?? event.kind)), h("small", {}, eventText(event))),
  );

// What tells of the last event that may move an answer: its time, "" where there is none.
export async function newest(signal) {
  const { items } = await get("/v1/events", { limit: 20 }, signal);
  return items.find(({ kind }) => !quiet.includes(kind))?.recorded_at ?? "";
}

export async function happened(signal) {
  const { items } = await get("/v1/events", { limit: 100 }, signal);
  const seen = seenAt();
  const news = items.filter(({ kind, recorded_at: at }) => !quiet.includes(kind) && (!seen || at > seen));
  const list = h("ul", { class: "happen" });
  const mark = h(
    "button",
    {
      type: "button",
      class: "btn bare",
      onclick: () => {
        markSeen(new Date().toISOString());
        show([]);
      },
    },
    "Mark as seen",
  );
  function show(all) {
    mark.hidden = !all.length;
    list.replaceChildren(
      ...all.slice(0, mostShown).map(line),
      all.length ? "" : h("li", { class: "none" }, "Nothing new: no price moved, no answer changed, no feed failed."),
    );
  }
  show(news);
  return h(
    "section",
    { class: "box", "aria-labelledby": "since-title" },
    h(
      "div",
      { class: "bar" },
      h("h2", { id: "since-title" }, seen ? `Since ${date(seen)}` : "What happened"),
      h("div", { class: "end" }, mark),
    ),
    list,
    h("p", { class: "foot" }, h("a", { href: linkTo("jobs", { page: "events" }) }, "All events")),
  );
}
