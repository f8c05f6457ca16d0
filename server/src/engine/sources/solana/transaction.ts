/** The parts of a Solana transaction that triggers read, in the order of execution. */
export type Transaction = {
  index: number
  signature: string
  /** Null when the transaction succeeded. */
  error: unknown
  /** The keys of the message, then the keys from lookup tables, writable ones first. */
  accountKeys: readonly string[]
  /** The accounts that signed the transaction, the one that pays first. */
  signers: readonly string[]
  instructions: readonly Instruction[]
  logs: readonly string[]
  /** Set if log lines are missing: the chain cut the list, or the node did not record it. */
  lostLogs?: 'cut' | 'missing'
}

export type Instruction = {
  /** Its index in the transaction. Inner instructions are counted where they ran. */
  position: number
  /** `2` is the third instruction of the message, `2.1` the second one that ran inside it, at any depth. */
  path: string
  programId: string
  /** The program that invoked it. Absent for the instructions of the message itself; null when the node does not say. */
  caller?: string | null
  /** Indexes into `accountKeys`. */
  accounts: readonly number[]
  /** Base58. It is decoded only when a trigger needs it. */
  data: string
}

/** An event with the instruction that had started last before it. */
export type EmittedEvent = { position: number; programId: string; data: Uint8Array }
