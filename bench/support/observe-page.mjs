/** Runs in the page before all other scripts. The blocking time of a task is its time beyond 50 ms. */
const seen = { firstMs: 0, paintMs: 0, blockedMs: 0, shift: 0 }
let changedAt = 0
new PerformanceObserver((list) => {
  for (const { startTime } of list.getEntries()) seen.paintMs = startTime
  changedAt = performance.now()
}).observe({ type: 'largest-contentful-paint', buffered: true })
new PerformanceObserver((list) => {
  for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') seen.firstMs = startTime
}).observe({ type: 'paint', buffered: true })
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) seen.shift += value
}).observe({ type: 'layout-shift', buffered: true })
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) seen.blockedMs += Math.max(0, duration - 50)
  changedAt = performance.now()
}).observe({ type: 'longtask', buffered: true })

/** Resolves with the figures when there was a paint and no new one for `quietMs`, or after half a minute. */
globalThis.seenWhenQuiet = (quietMs) =>
  new Promise((done) => {
    const look = () => {
      const now = performance.now()
      const isQuiet = seen.paintMs > 0 && now - changedAt > quietMs
      if (isQuiet || now > 30_000) done(seen)
      else setTimeout(look, 100)
    }
    look()
  })
