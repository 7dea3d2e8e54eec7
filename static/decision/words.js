// The words of a decision: figures that rank, sentences by fixed rules, and the meaning of every term.
import { missing, month, percent } from "../format.js";

// What a decision is made by: its name, how it is said of one plan, and its unit.
export const figures = {
  npv: { name: "Present cost", of: "costs", money: true },
  npv_after_tax: { name: "Present cost after tax", of: "costs after tax", money: true },
  cost: { name: "Cost", of: "costs", money: true },
  cash: { name: "Cash", of: "pays", money: true },
  energy_kwh: { name: "Energy", of: "takes", unit: "kWh" },
  carbon_kg: { name: "Carbon", of: "emits", unit: "kg CO₂e" },
};

export const drivers = {
  utilization: (a, b) => `its devices are busy ${percent(b)} of the hours paid against ${percent(a)}`,
  "price of a device-hour": (a, b, show) => `its device-hour costs ${show(b)} against ${show(a)}`,
  "idle device-hours": (a, b, show) =>
    b === 0
      ? `no idle device-hours against ${show(a)}`
      : a
        ? `idle device-hours cost ${show(b)} against ${show(a)}`
        : `idle device-hours cost ${show(b)}`,
  "price of the work": (a, b, show) => `the work alone costs ${show(b)} against ${show(a)}`,
};

// One step of a bridge as a clause about the second plan.
export function clause({ driver, a, b }, show) {
  const said = drivers[driver];
  if (said) return said(a, b, show);
  if (b === 0) return `nothing for ${driver} against ${show(a)}`;
  return a ? `${driver} costs ${show(b)} against ${show(a)}` : `${driver} costs ${show(b)}`;
}

// "January 2027 to December 2029".
export function period({ start, months }) {
  const [year, first] = start.split("-").map(Number);
  const last = new Date(Date.UTC(year, first - 1 + months - 1, 1)).toISOString().slice(0, 7);
  return months === 1 ? month(start) : `${month(start)} to ${month(last)}`;
}
export function lasting(months) {
  const words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
  const years = months / 12;
  if (!Number.isInteger(years) || years > 10) return months === 1 ? "one month" : `${months} months`;
  return years === 1 ? "a year" : `${words[years]} years`;
}

// What a scenario lacks to be feasible, in words.
export function lack(because) {
  return because
    .map(({ code, workload, site, value, limit }) =>
      code === "unserved"
        ? `leaves ${percent(value)} of ${workload} undone${limit ? `, ${percent(limit)} is allowed` : ""}`
        : `takes more power than ${site || "its site"} has`,
    )
    .join("; ");
}
export const undone = (result) => {
  const demanded = Object.values(result.by_workload).filter((workload) => workload.units_demanded > 0);
  return demanded.length ? Math.max(...demanded.map((workload) => workload.units_unserved / workload.units_demanded)) : null;
};

const evidences = ["measured", "interpolated", "extrapolated", "estimated", "assumed"];
// The weakest evidence of a result's workloads; "hosted" where only hosted models serve.
export function weakest(result) {
  const all = Object.values(result.by_workload).map((workload) => workload.evidence);
  const known = all.filter(Boolean).sort((a, b) => evidences.indexOf(b) - evidences.indexOf(a));
  if (known.length) return known[0];
  return Object.values(result.by_pool).every((pool) => pool.kind === "api") ? "hosted" : missing;
}
export const dots = { measured: 3, hosted: 3, interpolated: 2, extrapolated: 1, estimated: 1, assumed: 0 };
