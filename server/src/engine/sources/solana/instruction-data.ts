import { makePauses } from '../../base/event-loop-turns.ts'
import { decodeBase58 } from './base58.ts'
import type { Instruction, Transaction } from './transaction.ts'

/** Few instructions have data of this many letters, and each of them can take a millisecond. */
const longLetters = 1_000
const decoded = new WeakMap<Instruction, Uint8Array | undefined>()

/** The data of an instruction; undefined when the node's text is not base58. */
export function instructionData(instruction: Instruction): Uint8Array | undefined {
  return decoded.has(instruction) ? decoded.get(instruction) : decodeBase58(instruction.data)
}

/**
 * Decodes the long data of a block in turns of the event loop, before its items are listed without a pause. A program can
 * call itself a thousand times in one transaction, with 10 KiB each.
 */
export async function decodeLongData(transactions: readonly Transaction[]): Promise<void> {
  const pause = makePauses()
  for (const { error, instructions } of transactions) {
    if (error !== null) continue
    for (const instruction of instructions) {
      if (instruction.data.length < longLetters) continue
      await pause()
      decoded.set(instruction, decodeBase58(instruction.data))
    }
  }
}
