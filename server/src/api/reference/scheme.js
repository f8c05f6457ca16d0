// Runs before the first paint of /api/docs and /docs: sets the colours that the reader chose there or in the console.

try {
  const chosen = localStorage.getItem('tocsin-color-scheme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.scheme = chosen
} catch {
  // A browser that blocks storage has the colours of the system.
}
