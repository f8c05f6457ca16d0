/** Runs in the page before anything else. A task blocks for what it takes beyond 50 ms. */
const seen = { paintMs: 0, blockedMs: 0 }
globalThis.seenFigures = seen
new PerformanceObserver((list) => {
  for (const { startTime } of list.getEntries()) seen.paintMs = startTime
}).observe({ type: 'largest-contentful-paint', buffered: true })
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) seen.blockedMs += Math.max(0, duration - 50)
}).observe({ type: 'longtask', buffered: true })
