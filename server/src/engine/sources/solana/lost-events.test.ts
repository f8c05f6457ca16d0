import { base58 } from '@scure/base'
import { expect, test } from 'vitest'
import { eventTag } from './events-of-instructions.ts'
import { listLostEvents } from './lost-events.ts'
import type { Transaction } from './transaction.ts'

const [alpha, beta] = ['A', 'B'].map((letter) => letter.repeat(43)) as [string, string]
const ran = (programId: string, ends: boolean) => [
  `Program ${programId} invoke [1]`,
  ...(ends ? [`Program ${programId} success`] : []),
]
function transaction(lostLogs: Transaction['lostLogs'], logs: string[], more: Partial<Transaction> = {}): Transaction {
  const instructions = [alpha, beta].map((programId, position) => ({
    ...{ programId, position, path: String(position), accounts: [], data: '' },
  }))
  const lost = lostLogs && { lostLogs }
  return { index: 0, signature: 's', error: null, accountKeys: [], signers: [], instructions, logs, ...lost, ...more }
}
const lostOf = (sent: Transaction, program: string | undefined) => listLostEvents([sent], [program])
const cut = [{ transaction: 's', reason: 'the chain cut its logs' }]
const missing = [{ transaction: 's', reason: 'the node returned no logs of it' }]

test('a transaction whose logs were cut may have lost events of the programs that had not ended before the cut', () => {
  const logs = [...ran(alpha, true), ...ran(beta, false), 'Log truncated']
  expect(lostOf(transaction('cut', logs), alpha)).toEqual([])
  expect(lostOf(transaction('cut', logs), beta)).toEqual(cut)
  expect(lostOf(transaction('cut', logs), undefined)).toEqual(cut)
  expect(lostOf(transaction('cut', logs), 'C'.repeat(43))).toEqual([])
  expect(lostOf(transaction(undefined, [...ran(alpha, true), ...ran(beta, true)]), undefined)).toEqual([])
})

test('without logs, events of a program are lost unless it emits them as instructions to itself', () => {
  const emitted = { programId: alpha, caller: alpha, position: 2, path: '0.0', accounts: [] }
  const sent = transaction('missing', [])
  expect(lostOf(sent, alpha)).toEqual(missing)
  const data = base58.encode(Uint8Array.from([...eventTag, 1]))
  const instructions = [...sent.instructions, { ...emitted, data }]
  expect(lostOf({ ...sent, instructions }, alpha)).toEqual([])
  expect(lostOf({ ...sent, instructions }, beta)).toEqual(missing)
})

test('a failed transaction loses nothing, and one of an unknown format may lose anything', () => {
  expect(lostOf(transaction('missing', [], { error: {} }), alpha)).toEqual([])
  expect(lostOf(transaction('cut', ['Log truncated'], { instructions: [] }), alpha)).toEqual(cut)
})
