import type { ServerEvent } from '../../answers.ts'

/**
 * Work that tells of its progress, as events to be taken one by one: `progress` now and then, the latest alone where
 * the listener is slower, and `result` at the end. Work that fails fails the listener.
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
