import type { ServerEvent } from '../../answers.ts'

/**
 * Turns work that reports progress into events. Sends `progress` events, only the latest if the reader is slow, and
 * `result` at the end. If the work fails, the reader gets the error.
 */
export async function* pushedEvents<Progress>(
  work: (tell: (progress: Progress) => void) => Promise<unknown>,
): AsyncIterable<ServerEvent> {
  let latest: Progress | undefined
  let wake = Promise.withResolvers<void>()
  const working = work((progress) => {
    latest = progress
    wake.resolve()
  })
  let isOver = false
  const end = () => {
    isOver = true
    wake.resolve()
  }
  working.then(end, end)
  while (!isOver) {
    await wake.promise
    wake = Promise.withResolvers<void>()
    const data = latest
    latest = undefined
    if (data !== undefined) yield { event: 'progress', data }
  }
  yield { event: 'result', data: await working }
}
