import type { StreamEvent } from '@tocsin/contract'
import type { StreamPosition } from '../../answers.ts'

export type FeedEvent = (StreamEvent & { id?: string }) | StreamPosition

/** Events that wait to be sent to one open stream. */
export type EventQueue = {
  push(events: readonly FeedEvent[]): void
  end(): void
  read(): AsyncGenerator<FeedEvent, void, undefined>
}

/** A reader with this many waiting events is disconnected. It opens the stream again and resumes it. */
const waitingMax = 5_000

export function makeEventQueue(): EventQueue {
  const waiting: FeedEvent[] = []
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
