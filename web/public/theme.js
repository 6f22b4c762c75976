// Runs before anything is drawn, so that a chosen theme never flashes in the other's colours.
try {
  var chosen = JSON.parse(localStorage.getItem("tengen.settings") || "{}").theme;
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage the system's theme is used.
}
