// Numbers as people read them: always with unit or currency; missing is a dash, never 0.

export const missing = "—";

export function money(value, currency) {
  if (value === null || value === undefined) return missing;
  const size = Math.abs(value);
  const options = { style: "currency", currency };
  if (size >= 1000 || size === 0) options.maximumFractionDigits = 0;
  else if (size < 1) options.maximumSignificantDigits = 4;
  return new Intl.NumberFormat("en", options).format(value);
}

export function number(value, unit = "", digits = 0) {
  if (value === null || value === undefined) return missing;
  const text = new Intl.NumberFormat("en", { maximumFractionDigits: digits }).format(value);
  return unit ? `${text} ${unit}` : text;
}

export function percent(fraction) {
  if (fraction === null || fraction === undefined) return missing;
  return `${(100 * fraction).toFixed(1)} %`;
}
