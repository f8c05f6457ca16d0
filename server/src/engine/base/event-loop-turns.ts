/** Who goes when, round by round of the event loop: what comes in is read between one round and the next. */

const waiting: (() => void)[] = []

/**
 * Work that takes milliseconds at a stretch asks for its turn before: one such piece a round. Without this a rush of it
 * would hold up all else.
 */
export function waitForTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (waiting.push(resolve) === 1) setImmediate(letOneThrough)
  return promise
}

function letOneThrough(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(letOneThrough)
}

let next: Promise<void> | undefined

/**
 * All who wait for the next round go on together. Small pieces of one kind, done one after the other, find their code in
 * the processor's cache; done in turns with all that lies between them, they cost a seventh more.
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
