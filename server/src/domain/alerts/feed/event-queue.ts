import type { StreamEvent } from '@tocsin/contract'

/** Events that wait to be sent to one open stream. */
export type EventQueue = {
  push(events: readonly StreamEvent[]): void
  end(): void
  read(): AsyncGenerator<StreamEvent, void, undefined>
}

/** A reader with this many waiting events is disconnected. It opens the stream again and reads the lists. */
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
