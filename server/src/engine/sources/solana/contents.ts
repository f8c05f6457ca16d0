import type { ChainBlock } from '../block.ts'
import { type Emission, readEmissions } from './emissions.ts'
import { instructionData } from './instruction-data.ts'
import type { Instruction, Transaction } from './transaction.ts'

/** An executed instruction. `data` returns its decoded input; undefined when the node's text is not base58. */
export type Executed = { transaction: Transaction; instruction: Instruction; data(): Uint8Array | undefined }

/**
 * The type of `ChainBlock.contents` on Solana. A failed transaction changes only the fee payer's balance, so its logs
 * and instructions have no effect: both lists leave it out.
 */
export class SolanaContents {
  /** Unix seconds; null when the cluster made no estimate. */
  readonly timestamp: number | null
  readonly transactions: readonly Transaction[]
  #emissions: Map<string, Emission[]> | undefined
  #executed: Map<string, Executed[]> | undefined

  constructor(timestamp: number | null, transactions: readonly Transaction[]) {
    this.timestamp = timestamp
    this.transactions = transactions
  }

  /** The first call builds the list for all others. */
  emissions(programId: string | undefined): readonly Emission[] {
    this.#emissions ??= groupByProgram(this.#successful().flatMap(readEmissions), ({ programId }) => programId)
    return pick(this.#emissions, programId)
  }

  executed(programId: string | undefined): readonly Executed[] {
    this.#executed ??= groupByProgram(
      this.#successful().flatMap(executedOf),
      ({ instruction }) => instruction.programId,
    )
    return pick(this.#executed, programId)
  }

  #successful(): Transaction[] {
    return this.transactions.filter(({ error }) => error === null)
  }
}

export function requireContents(block: ChainBlock): SolanaContents {
  if (!(block.contents instanceof SolanaContents)) throw new Error('the block is not of a Solana chain')
  return block.contents
}

const everyProgram = ''

function executedOf(transaction: Transaction): Executed[] {
  return transaction.instructions.map((instruction) => ({ transaction, instruction, data: dataOf(instruction) }))
}

/** Decodes at the first call and keeps the result for other specs. */
function dataOf(instruction: Instruction): () => Uint8Array | undefined {
  let decoded: { bytes: Uint8Array | undefined } | undefined
  return () => {
    decoded ??= { bytes: instructionData(instruction) }
    return decoded.bytes
  }
}

/** The empty name holds all items, in the order of the chain. */
function groupByProgram<T>(list: T[], programOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map([[everyProgram, list]])
  for (const item of list) {
    const group = groups.get(programOf(item))
    if (group) group.push(item)
    else groups.set(programOf(item), [item])
  }
  return groups
}

function pick<T>(groups: Map<string, T[]>, programId: string | undefined): readonly T[] {
  return groups.get(programId ?? everyProgram) ?? []
}
