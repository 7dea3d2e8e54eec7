// How well the rate of a plan is known: its interval, and what it was made of.
import { post } from "../api.js";
import { h } from "../dom.js";
import { number, quantity } from "../format.js";
import { icon } from "../icons.js";
import { movedBy } from "../views/rate_points.js";
import { replicaLink } from "../views/rate_question.js";
import { meanOf } from "./detail.js";
import { deviceShort } from "./names.js";
import { worthKnowing } from "./rows.js";
import { rateAxis, rateBox, rateHead, rounded, runLine, runsOf } from "./rate_card.js";

// A point that the rate was made of.
function pointLine({ point, weight }, i) {
  const { measurement: run, input, output, output_per_s: rate } = point;
  const tokens = input === undefined ? "" : `${rounded(input)} + ${rounded(output)} tokens, `;
  return runLine({ i, run, text: `${tokens}${number(run.devices)} × ${deviceShort(run.device)}`, rate, weight });
}

// The measurements that moved the rate, each once, with its weightiest point.
async function pointsOf(rate, signal) {
  const { ids, runs } = await runsOf(rate, signal);
  const moved = movedBy(rate, runs.filter(Boolean));
  return ids.map((id) => moved.find((one) => one.id === id && one.point)).filter(Boolean);
}

export function evidencePart() {
  const element = rateBox();
  let shown = "";
  return {
    element,
    async show(view, signal) {
      const row = view.pair[0];
      const replica = row?.plan.replicas.find((one) => Number.isInteger(one.devices) && one.concurrency);
      element.hidden = !replica;
      if (!replica) return;
      const workload = view.request.workloads.find(({ id }) => id === replica.workload) ?? view.request.workloads[0];
      const { input, output } = meanOf(workload);
      const question = {
        model: workload.model,
        device: replica.device,
        devices: replica.devices,
        precision: replica.precision,
        input,
        output,
        concurrency: replica.concurrency,
      };
      const key = JSON.stringify([question, view.answer.would_decide, row.key]);
      if (key === shown) return;
      const rate = await post("/v1/rates", { ...question, ...(view.request.as_of && { as_of: view.request.as_of }) }, signal);
      const points = await pointsOf(rate, signal);
      if (signal.aborted) return;
      shown = key;
      const known = worthKnowing(view.answer);
      const decides = known.find(({ measurement }) => measurement.includes(replica.device));
      const device = `${replica.devices === 1 ? "a" : number(replica.devices)} ${deviceShort(replica.device)}`;
      element.replaceChildren(
        rateHead(rate.evidence),
        h(
          "p",
          { class: "because" },
          h("b", {}, `${rounded(rate.output_per_s)} tokens/s out of ${device}`),
          ` at ${number(replica.concurrency)} requests at a time`,
          rate.low ? `, 8 in 10: ${rounded(rate.low)} to ${rounded(rate.high)}.` : ".",
        ),
        rateAxis({ ...rate, rate: rate.output_per_s, measured: points.map(({ point }) => point.output_per_s ?? 0), unit: "tokens/s" }),
        points.length
          ? h("ul", { class: "rows from" }, points.map(pointLine))
          : h("p", { class: "small" }, "No measurement is near: the rate is of the step model, from the device's data."),
        h(
          "p",
          { class: "small" },
          replicaLink({ ...replica, model: workload.model }, { input, output }, "All loads, measurements and the step model"),
        ),
        decides
          ? h(
              "div",
              { class: "decides" },
              icon("flag"),
              h(
                "span",
                {},
                h("b", {}, decides === known[0] ? "Measuring it would decide. " : "Measuring it would help to decide. "),
                `Knowing it is worth ${quantity(decides.value, view.answer.unit, { brief: true })} on average.`,
              ),
            )
          : "",
      );
    },
  };
}
