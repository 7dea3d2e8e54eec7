// Tables that follow what happens. The API has a stream of a run's progress, but none of the lists of runs, events and deliveries: those are
// asked for again every few seconds while the tab is seen.
import { h, keepFocus } from "../dom.js";
import { when } from "./parts.js";

const exactly = { second: "2-digit" };

// `load` gets, `show` draws what is another than before; `place` has a line that tells when it was last asked, and by `data-waits` that the
// next time is set.
export async function follow(load, show, { signal, place, seconds = 3 }) {
  const stamp = h("p", { class: "small", "data-refreshed": "" });
  let before = null;
  let last = null;
  let timer = 0;
  const say = (state) => (stamp.textContent = `${state} Last asked ${when(last, undefined, exactly)}.`);
  const running = `Asked again every ${seconds} s.`;
  async function look() {
    const now = await load();
    last = new Date().toISOString();
    say(running);
    const text = JSON.stringify(now);
    if (signal.aborted || text === before) return;
    const refocus = before === null ? () => {} : keepFocus();
    before = text;
    await show(now);
    refocus();
  }
  async function again() {
    clearTimeout(timer);
    delete stamp.dataset.waits;
    if (signal.aborted || document.hidden) return;
    try {
      await look();
    } catch (error) {
      if (error.name === "AbortError" || error.status === 401) return;
      say("The daemon does not answer; retrying.");
    }
    wait();
  }
  function wait() {
    timer = setTimeout(again, 1000 * seconds);
    stamp.dataset.waits = "";
  }
  await look();
  place.append(stamp);
  wait();
  const seen = () => (document.hidden ? say("Paused while the tab is hidden.") : again());
  document.addEventListener("visibilitychange", seen, { signal });
}
