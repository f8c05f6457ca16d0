import type { StreamEvent } from '@tocsin/contract'

/** Events on their way to one open stream. */
export type EventQueue = {
  push(events: readonly StreamEvent[]): void
  end(): void
  read(): AsyncGenerator<StreamEvent, void, undefined>
}

/** A reader so far behind is cut off; the lists hold what it missed, and it opens the stream again. */
const waitingMax = 5_000

export function makeEventQueue(): EventQueue {
  const waiting: StreamEvent[] = []
  let isOver = false
  let wake = () => {}
  const end = () => {
    isOver = true
    wake()
  }
  return {
    push(events) {
      waiting.push(...events)
      if (waiting.length > waitingMax) end()
      wake()
    },
    end,
    async *read() {
      while (!isOver) {
        yield* waiting.splice(0)
        if (isOver || waiting.length > 0) continue
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
