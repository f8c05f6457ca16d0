import { eventsOfInstructions } from './events-of-instructions.ts'
import { eventsOfLogs } from './events-of-logs.ts'
import type { EmittedEvent, Transaction } from './transaction.ts'

/** The bytes of one emitted event. `index` counts the events of its transaction. */
export type Emission = { transaction: Transaction; index: number; programId: string; data: Uint8Array }

/**
 * Some programs emit every event twice with the same bytes: as a log and as an instruction to themselves. Logs can be
 * truncated, so instructions have priority. A log counts only when it has no equal instruction left.
 */
export function readEmissions(transaction: Transaction): Emission[] {
  const instructed = eventsOfInstructions(transaction)
  const logged = eventsOfLogs(transaction)
  const events = [...instructed, ...withoutDuplicates(logged, instructed)]
  // The sort is stable: at one position the instruction comes first, then the logs in their order.
  events.sort((a, b) => a.position - b.position)
  return events.map(({ programId, data }, index) => ({ transaction, index, programId, data }))
}

function withoutDuplicates(logged: EmittedEvent[], instructed: EmittedEvent[]): EmittedEvent[] {
  const counts = new Map<string, number>()
  for (const event of instructed) counts.set(keyOf(event), (counts.get(keyOf(event)) ?? 0) + 1)
  return logged.filter((event) => {
    const left = counts.get(keyOf(event)) ?? 0
    counts.set(keyOf(event), left - 1)
    return left <= 0
  })
}

function keyOf({ programId, data }: EmittedEvent): string {
  return `${programId} ${Buffer.from(data).toString('latin1')}`
}
