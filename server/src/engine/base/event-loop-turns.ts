/** Spreads work over turns of the event loop, so that network input is read between the turns. */

const waiting: (() => void)[] = []

/**
 * Work that blocks for milliseconds waits here first: each event loop turn starts one such piece. Without it many pieces in
 * a row would block everything else.
 */
export function waitForTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (waiting.push(resolve) === 1) setImmediate(startOne)
  return promise
}

function startOne(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(startOne)
}

/** How long a loop over small pieces may hold the event loop. */
const pieceMs = 10

/**
 * For a loop whose pieces are usually short, and long if somebody makes them so: the returned function waits for a turn only
 * if the pieces since the last one took longer than some milliseconds.
 */
export function makePauses(): () => Promise<void> | undefined {
  let startedMs = performance.now()
  return () => {
    if (performance.now() - startedMs < pieceMs) return undefined
    return waitForTurn().then(() => {
      startedMs = performance.now()
    })
  }
}

let next: Promise<void> | undefined

/**
 * All callers that wait for the next turn continue together. Small pieces of one kind in a row find their code in the
 * processor's cache; mixed with other work they cost a seventh more.
 */
export function nextTurn(): Promise<void> {
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      next = undefined
      resolve()
    })
  })
  return next
}
