/** Runs in the page. The time of a key is from the event to the task after the frame that shows it. */
globalThis.keyTimesMs = []
addEventListener(
  'keydown',
  (event) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => globalThis.keyTimesMs.push(performance.now() - event.timeStamp)
      port2.postMessage(undefined)
    })
  },
  true,
)
