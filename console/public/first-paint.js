// Runs before the first paint: sets the colour scheme, and shows the frame of the console to a signed-in user.
;(function () {
  var chosen = null
  try {
    chosen = localStorage.getItem('tocsin-color-scheme')
  } catch (_) {}
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  if (/(^|;\s*)tocsin_csrf=/.test(document.cookie)) document.documentElement.setAttribute('data-session', '')
})()
