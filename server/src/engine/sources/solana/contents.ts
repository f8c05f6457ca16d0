import type { ChainBlock } from '../block.ts'
import { decodeBase58 } from './base58.ts'
import { type Emission, emissionsOf } from './emissions.ts'

/** A transaction as matchers see it: what was executed, in the order of execution. */
export type Transaction = {
  index: number
  signature: string
  /** Null when it succeeded. */
  error: unknown
  /** Those of the message, then those that it loaded from lookup tables, writable ones first. */
  accountKeys: readonly string[]
  instructions: readonly Instruction[]
  logs: readonly string[]
}

export type Instruction = {
  /** Its place in the transaction, inner instructions counted where they ran. */
  position: number
  programId: string
  /** The program that invoked it; absent for the instructions of the message itself, null where the node does not say. */
  caller?: string | null
  /** Indexes into `accountKeys`. */
  accounts: readonly number[]
  /** Base58, left so until a matcher wants it. */
  data: string
}

/** `data` is what the instruction was given; undefined where the node wrote nonsense. */
export type Executed = { transaction: Transaction; instruction: Instruction; data(): Uint8Array | undefined }

/**
 * What `ChainBlock.contents` is on Solana. Failed transactions changed nothing but the fee payer's balance, so what
 * they logged did not happen: they are kept out of both lists.
 */
export class SolanaContents {
  /** Unix seconds; null where the cluster made no estimate. */
  readonly timestamp: number | null
  readonly transactions: readonly Transaction[]
  #emissions: Map<string, Emission[]> | undefined
  #executed: Map<string, Executed[]> | undefined

  constructor(timestamp: number | null, transactions: readonly Transaction[]) {
    this.timestamp = timestamp
    this.transactions = transactions
  }

  /** Made by the first matcher that asks, for all that follow. */
  emissions(programId: string | undefined): readonly Emission[] {
    this.#emissions ??= groupByProgram(this.#successful().flatMap(emissionsOf), ({ programId }) => programId)
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

/** Decoded for the first matcher that wants it, and kept for the others. */
function dataOf({ data }: Instruction): () => Uint8Array | undefined {
  let decoded: { bytes: Uint8Array | undefined } | undefined
  return () => {
    decoded ??= { bytes: decodeBase58(data) }
    return decoded.bytes
  }
}

/** All of them stand under the empty name, in the order of the chain. */
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
