// Runs before the first paint: a page never flashes in the other scheme, and somebody who is signed in sees the frame at once.
;(function () {
  var wanted = null
  try {
    wanted = localStorage.getItem('tocsin-color-scheme')
  } catch (_) {}
  var dark = wanted === 'dark' || (wanted !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  if (/(^|;\s*)tocsin_csrf=/.test(document.cookie)) document.documentElement.setAttribute('data-session', '')
})()
