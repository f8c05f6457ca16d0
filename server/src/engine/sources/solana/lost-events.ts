import type { LostEvents } from '../raw-items.ts'
import { eventsOfInstructions } from './events-of-instructions.ts'
import type { Transaction } from './transaction.ts'

const ended = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) (?:success$|failed)/

/**
 * The transactions whose logs are not complete and may have lost an event of one of these programs; undefined means every
 * program. Nothing is lost if all runs of the program are in the logs up to their end, or if the program emits its events
 * as instructions to itself, which are always recorded.
 */
export function listLostEvents(
  transactions: readonly Transaction[],
  programs: readonly (string | undefined)[],
): LostEvents[] {
  return transactions.flatMap((transaction) => {
    const { signature, lostLogs, error } = transaction
    if (lostLogs === undefined || error !== null) return []
    if (!programs.some((program) => mayLose(transaction, program))) return []
    const reason = lostLogs === 'cut' ? 'the chain cut its logs' : 'the node returned no logs of it'
    return { transaction: signature, reason }
  })
}

function mayLose(transaction: Transaction, program: string | undefined): boolean {
  const { instructions, logs } = transaction
  // A transaction of an unknown format is read by its logs alone.
  if (program === undefined || instructions.length === 0) return true
  const runs = instructions.filter(({ programId }) => programId === program).length
  if (runs === 0 || eventsOfInstructions(transaction).some(({ programId }) => programId === program)) return false
  return logs.filter((line) => ended.exec(line)?.[1] === program).length < runs
}
