// A break-even search that widens its range until the cheaper of the two changes.

const widenings = 5; // each four times as far

const isChanging = (answer) => answer.cost.relation === "crosses";

// The greatest or least value that a refusal says is allowed; null where it says none.
function allowed(error, side) {
  const words = side === "low" ? /at least (-?[\d.e+-]*\d)/ : /at most (-?[\d.e+-]*\d)/;
  const found = (error.errors ?? []).map(({ message }) => words.exec(message)).find(Boolean);
  return found ? Number(found[1]) : null;
}

// The search with one end moved, or, where a field does not take that, moved as far as it goes; null where it goes no farther.
async function moved(ask, range, side, to) {
  try {
    const next = { ...range, [side]: to };
    return { ...next, answer: await ask(next.low, next.high) };
  } catch (error) {
    if (error.status !== 422) throw error;
    const limit = allowed(error, side);
    if (limit === null || limit === range[side] || limit === to) return null;
    const next = { ...range, [side]: limit };
    return ask(next.low, next.high).then(
      (answer) => ({ ...next, answer, isEnd: true }),
      (failure) => {
        if (failure.status !== 422) throw failure;
        return null;
      },
    );
  }
}

const margin = 0.25; // of a crossing, beyond it

// The given range with the crossings that were found, and a margin.
async function around(ask, given, { low, high, answer }) {
  const least = Math.max(low, Math.min(given.low, ...answer.cost.crossings.map((at) => at * (1 - margin))));
  const most = Math.min(high, Math.max(given.high, ...answer.cost.crossings.map((at) => at * (1 + margin))));
  const near = await ask(least, most);
  return isChanging(near)
    ? { low: least, high: most, answer: near, given: given.answer, isWider: true }
    : { low, high, answer, given: given.answer, isWider: true };
}

// Widens a range until the cheapest scenario changes within it. `ask(low, high)` runs the search on a range. Gives {low, high, answer,
// isWider}: the first range in which it changes, or the given one where it changes in none.
export async function widened(ask, low, high) {
  const answer = await ask(low, high);
  const given = { low, high, answer, isWider: false };
  if (isChanging(answer) || answer.cost.relation === "none") return given;
  let range = { low, high };
  const open = new Set(["high", "low"]);
  for (let n = 0; n < widenings && open.size; ++n) {
    for (const side of [...open]) {
      const next = await moved(ask, range, side, side === "high" ? range.high * 4 : n + 1 < widenings ? range.low / 4 : 0);
      if (!next) {
        open.delete(side);
        continue;
      }
      range = { low: next.low, high: next.high };
      if (next.isEnd) open.delete(side);
      if (isChanging(next.answer)) return around(ask, given, next);
    }
  }
  return { ...given, searched: range };
}
