import type { SourceItem } from '../base/source-item.ts'

/** A tick of a timer, as triggers see it. */
export function timerItem(atMs: number): SourceItem {
  return { now: new Date(atMs).toISOString(), timestampMs: atMs }
}
