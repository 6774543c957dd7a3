// Sets the look that the reader chose, before anything is drawn. Without a
// choice the system's wish holds.
try {
  const theme = localStorage.getItem("evergreen:theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // no storage: the system's wish
}
