// Runs before the first paint, so that a page never flashes in the other scheme.
;(function () {
  var wanted = null
  try {
    wanted = localStorage.getItem('tocsin-color-scheme')
  } catch (_) {}
  var dark = wanted === 'dark' || (wanted !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
