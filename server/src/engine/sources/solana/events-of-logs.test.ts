import { expect, test } from 'vitest'
import { eventsOfLogs } from './events-of-logs.ts'
import type { Instruction, Transaction } from './transaction.ts'

const [token, other] = ['T'.repeat(40), 'U'.repeat(40)]

function transaction(logs: string[], programs: string[]): Transaction {
  const instructions = programs.map(
    (programId, position): Instruction => ({ position, path: `${position}`, programId, accounts: [], data: '' }),
  )
  return { index: 0, signature: 's', error: null, accountKeys: [], signers: [], instructions, logs }
}

const positions = (logs: string[], programs: string[]) =>
  eventsOfLogs(transaction(logs, programs)).map(({ position, programId }) => [position, programId])

test('an event belongs to the instruction that had started last, also after programs that write no lines', () => {
  const run = (program: string) => [`Program ${program} invoke [1]`, 'Program data: AA==', `Program ${program} success`]
  expect(positions([...run(token), ...run(other), ...run(token)], [other, token, other, 'quiet', token])).toEqual([
    [1, token],
    [2, other],
    [4, token],
  ])
  expect(positions([...run(token), ...run(token)], [token])).toEqual([
    [0, token],
    [0, token],
  ])
})

test('the lines and the instructions of a transaction are each read once', () => {
  const work = (count: number) => {
    let reads = 0
    const logs = Array<string>(count).fill(`Program ${token} invoke [1]`)
    const whole = transaction(['Program data: AA==', ...logs], Array<string>(count).fill(other).concat(token))
    const instructions = whole.instructions.map((instruction) =>
      Object.defineProperty({ ...instruction }, 'programId', { get: () => ++reads && instruction.programId }),
    )
    eventsOfLogs({ ...whole, instructions })
    return reads
  }
  expect(work(4_000) / work(1_000)).toBeLessThan(5)
})
