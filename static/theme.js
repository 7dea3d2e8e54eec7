// Sets light or dark before the first paint, if the user has chosen one; else the system setting applies.
try {
  const chosen = localStorage.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch {
  /* without storage the system setting applies */
}
