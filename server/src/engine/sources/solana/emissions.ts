import type { Transaction } from './contents.ts'
import { eventsOfInstructions } from './events-of-instructions.ts'
import { eventsOfLogs } from './events-of-logs.ts'

/** The bytes of one event, as a program gave them out. `index` counts the events of its transaction. */
export type Emission = { transaction: Transaction; index: number; programId: string; data: Uint8Array }

/** `position` is the instruction that was the last to start when the event came. */
export type Found = { position: number; programId: string; data: Uint8Array }

/**
 * Some programs give out every event twice, as a log and as an instruction to themselves, the same bytes both times.
 * Logs can be cut short, so the instructions are believed first; a log counts only beyond as many as they are.
 */
export function emissionsOf(transaction: Transaction): Emission[] {
  const instructed = eventsOfInstructions(transaction)
  const logged = eventsOfLogs(transaction)
  const found = [...instructed, ...withoutRepeats(logged, instructed)]
  // The sort is stable: at one position the instruction itself comes first, then the logs in their order.
  found.sort((a, b) => a.position - b.position)
  return found.map(({ programId, data }, index) => ({ transaction, index, programId, data }))
}

function withoutRepeats(logged: Found[], instructed: Found[]): Found[] {
  const counts = new Map<string, number>()
  for (const event of instructed) counts.set(keyOf(event), (counts.get(keyOf(event)) ?? 0) + 1)
  return logged.filter((event) => {
    const left = counts.get(keyOf(event)) ?? 0
    counts.set(keyOf(event), left - 1)
    return left <= 0
  })
}

function keyOf({ programId, data }: Found): string {
  return `${programId} ${Buffer.from(data).toString('latin1')}`
}
