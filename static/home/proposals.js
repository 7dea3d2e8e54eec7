// The first plans of the question on the page: asked of the API at each change, without draws; what is shown dims and stays till then. Their
// ranges and chances follow once nothing changes.
import { post } from "../api.js";
import { h } from "../dom.js";
import { count, messageWords, number } from "../format.js";
import { linkTo } from "../router.js";
import { nearestWords } from "../views/plan_words.js";
import { rankedTable } from "./ranked.js";

export const shownPlans = 6;
const pause = 250; // ms after the last key
const calm = 600; // ms without a change, until draws are asked for
const draws = 400;
const patience = 150; // ms before figures dim
const again = 5000; // ms until a daemon that does not answer is asked again

const namedReasons = 4;
// Why most ways are left out, where nothing holds.
export function mainReasons({ excluded }) {
  const most = [...excluded].sort((a, b) => b.count - a.count).slice(0, namedReasons);
  const said = most.map(
    ({ reason, count: ways, note }) => `${number(ways)} ${reason.replaceAll("_", " ")}${note ? ` (${note})` : ""}`,
  );
  return `Left out: ${said.join(", ")}.`;
}

const waiting = () =>
  h(
    "div",
    { class: "rows-to-come", "aria-hidden": "true" },
    Array.from({ length: shownPlans }, () => h("i", {})),
  );

// `all(params)` is the address of all plans. Returns {element, ask(request, params), wait(what)}.
export function proposals(signal, all) {
  const about = h("span", { class: "small", role: "status" });
  const content = h("div", { class: "proposal-rows" }, waiting());
  const foot = h("p", { class: "foot" });
  let leave = new AbortController();
  let soon;

  function draw(answer, seconds, params) {
    content.classList.remove("stale", "idle");
    const left = answer.excluded.reduce((sum, { count: one }) => sum + one, 0);
    const address = all(params);
    const others = [
      h("a", { href: address }, "See all plans"),
      `, their chances and what was left out: ${number(left)} of ${count(answer.considered, "way")}.`,
    ];
    if (!answer.plans.length) {
      about.textContent = "";
      const said = answer.considered
        ? [h("b", {}, "No plan holds. "), answer.nearest ? `${nearestWords(answer.nearest)} ` : "", mainReasons(answer)]
        : [h("b", {}, "Waits for prices: 0 offers. "), h("a", { href: linkTo("data", { page: "imports" }) }, "Import a price list"), "."];
      content.replaceChildren(h("p", { class: "none" }, said));
      foot.replaceChildren(...(answer.considered ? others : []));
      return;
    }
    const drawn = answer.uncertainty ? ` · ranges: 8 in 10 of ${count(answer.uncertainty.samples, "draw")}` : " · ranging…";
    about.textContent = `${answer.plans.length} of ${count(answer.considered, "way")}, found in ${number(seconds, "s", 1)}${drawn}`;
    content.replaceChildren(rankedTable(answer));
    foot.replaceChildren(
      h("span", { class: "level" }, answer.level ? `${answer.level[0].toUpperCase()}${answer.level.slice(1)}. ` : ""),
      ...others,
    );
  }
  function refused(error) {
    content.classList.remove("stale");
    about.textContent = "";
    const said = error.errors?.length ? error.errors.map(({ message }) => messageWords(message)) : [error.message];
    content.replaceChildren(
      h(
        "ul",
        { class: "none bad", role: "alert" },
        said.map((text) => h("li", {}, text)),
      ),
    );
    foot.replaceChildren();
  }
  // The same with draws: the figures of before stay without ranges where it fails.
  async function range(request, params, seconds, until) {
    await new Promise((done) => setTimeout(done, calm));
    if (until.aborted) return;
    const answer = await post("/v1/rank", { ...request, samples: draws, seed: 1, top: shownPlans }, until).catch(() => null);
    if (answer && !until.aborted) draw(answer, seconds, params);
    else if (!until.aborted) about.textContent = about.textContent.replace(" · ranging…", "");
  }
  async function send(request, params) {
    leave.abort();
    leave = new AbortController();
    const mine = leave;
    const dim = setTimeout(() => content.classList.add("stale"), patience);
    const begun = performance.now();
    const until = AbortSignal.any([mine.signal, signal]);
    try {
      const { seed, ...rest } = request;
      const answer = await post("/v1/rank", { ...rest, samples: 0, top: shownPlans }, until);
      const seconds = (performance.now() - begun) / 1000;
      draw(answer, seconds, params);
      if (answer.plans.length) range(rest, params, seconds, until);
    } catch (error) {
      if (error.title === "No connection") {
        about.textContent = "No answer from the daemon: these figures are of before. Trying again…";
        soon = setTimeout(() => signal.aborted || send(request, params), again);
      } else if (error.name !== "AbortError") refused(error);
    } finally {
      clearTimeout(dim);
    }
  }
  return {
    element: h(
      "section",
      { class: "box", "aria-labelledby": "proposals-title" },
      h("div", { class: "bar" }, h("h2", { id: "proposals-title" }, "Proposals"), about),
      content,
      foot,
    ),
    ask(request, params) {
      clearTimeout(soon);
      soon = setTimeout(() => send(request, params), pause);
    },
    // What a question lacks, in the place of its plans.
    wait(what) {
      clearTimeout(soon);
      leave.abort();
      content.classList.remove("stale");
      content.classList.add("idle");
      about.textContent = "";
      content.replaceChildren(h("div", { class: "none" }, what));
      foot.replaceChildren();
    },
  };
}
