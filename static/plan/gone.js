// The daemon does not answer: a bar above all, tried again by itself; everything that is shown stays.
import { announce, h } from "../dom.js";
import { number, time } from "../format.js";

const pause = 5; // seconds between tries

export function gonePart({ again, signal }) {
  const text = h("span", {});
  const element = h(
    "div",
    { class: "bb bad", role: "alert", hidden: true },
    text,
    h("button", { type: "button", class: "btn", onclick: () => retry() }, "Try now"),
  );
  let since = null;
  let waits = 0; // changes that were made meanwhile
  let timer = null;
  let left = 0;

  function retry() {
    clearInterval(timer);
    text.lastChild.textContent = " Trying…";
    again();
  }
  function count() {
    left -= 1;
    if (signal.aborted) clearInterval(timer);
    else if (left <= 0) retry();
    else text.lastChild.textContent = ` Trying again in ${number(left)} s.`;
  }
  return {
    element,
    // `figures` says of when those are that stay.
    show(figures) {
      clearInterval(timer);
      if (!since) announce("The daemon does not answer");
      since ??= { at: new Date().toISOString(), address: location.search };
      waits += since.address === location.search ? 0 : 1;
      since.address = location.search;
      element.hidden = false;
      const waiting = waits ? ` ${number(waits)} ${waits === 1 ? "change waits" : "changes wait"}.` : "";
      text.replaceChildren(
        h("b", {}, `The daemon has not answered since ${time(since.at)}.`),
        figures ? ` What stands here is of before: ${figures}.` : "",
        waiting,
        h("span", {}, ""),
      );
      left = pause + 1;
      count();
      timer = setInterval(count, 1000);
    },
    over() {
      clearInterval(timer);
      if (since) announce("The daemon is back");
      since = null;
      waits = 0;
      element.hidden = true;
    },
  };
}
