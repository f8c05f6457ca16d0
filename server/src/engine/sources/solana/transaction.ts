/** The parts of a Solana transaction that matchers read, in the order of execution. */
export type Transaction = {
  index: number
  signature: string
  /** Null when the transaction succeeded. */
  error: unknown
  /** The keys of the message, then the keys from lookup tables, writable ones first. */
  accountKeys: readonly string[]
  instructions: readonly Instruction[]
  logs: readonly string[]
}

export type Instruction = {
  /** Its index in the transaction. Inner instructions are counted where they ran. */
  position: number
  programId: string
  /** The program that invoked it. Absent for the instructions of the message itself; null when the node does not say. */
  caller?: string | null
  /** Indexes into `accountKeys`. */
  accounts: readonly number[]
  /** Base58. It is decoded only when a matcher needs it. */
  data: string
}

/** An event with the instruction that had started last before it. */
export type EmittedEvent = { position: number; programId: string; data: Uint8Array }
