// Sets light or dark before the first paint, where the reader has chosen one; else the system decides.
try {
  const chosen = localStorage.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch {
  /* without storage the system decides */
}
