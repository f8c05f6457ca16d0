import { isObject } from '../../base/json.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { ChainBlock } from '../block.ts'
import { SolanaContents } from './contents.ts'
import type { Instruction, Transaction } from './transaction.ts'
import type { Unreadable } from './versions.ts'

type Json = Record<string, unknown>
type Raw = { programId: string; accounts: number[]; data: string; height: number | null }

/**
 * Parses the answer of `getBlock`. An incomplete block is refused, because it must not look like an empty one. Only a
 * transaction of an unknown version may be unreadable, because it must not stop the others.
 */
export function readBlock(slot: number, answer: unknown): { block: ChainBlock; unreadable: Unreadable[] } {
  const block = requireObject(answer, 'block')
  const timestamp = typeof block.blockTime === 'number' ? block.blockTime : null
  const unreadable: Unreadable[] = []
  const transactions = requireList(block.transactions, 'transactions').flatMap((sent, index) => {
    const whole = requireObject(sent, 'transaction')
    return isKnownVersion(whole) ? readTransaction(whole, index) : readForeign(whole, index, unreadable)
  })
  const read = {
    number: slot,
    hash: requireText(block.blockhash, 'blockhash'),
    parentHash: requireText(block.previousBlockhash, 'previousBlockhash'),
    ...(timestamp === null ? {} : { timestampMs: timestamp * 1000 }),
    contents: new SolanaContents(timestamp, transactions),
    bytes: bytesOf(transactions),
  }
  return { block: read, unreadable }
}

/** What a transaction, a log line, an account key and an instruction take in memory beside their text. */
const [transactionBytes, lineBytes, keyBytes, instructionBytes] = [320, 24, 72, 160]

/** An estimate of the memory that the transactions need. */
function bytesOf(transactions: readonly Transaction[]): number {
  let bytes = 0
  for (const { logs, accountKeys, instructions } of transactions) {
    bytes += transactionBytes + keyBytes * accountKeys.length
    for (const line of logs) bytes += lineBytes + line.length
    for (const { data } of instructions) bytes += instructionBytes + data.length
  }
  return bytes
}

/** A node omits the field when the call did not mention versions. */
function isKnownVersion({ version }: Json): boolean {
  return version === undefined || version === 'legacy' || version === 0
}

/** Reads a transaction in full if its format is known, else only its logs, else not at all. */
function readForeign(whole: Json, index: number, unreadable: Unreadable[]): Transaction[] {
  const transaction = attempt(() => readTransaction(whole, index))
  if (transaction) return [transaction]
  const byLogs = attempt(() => readLogged(whole, index))
  unreadable.push({ version: String(whole.version).slice(0, 20), isReadByLogs: byLogs !== undefined })
  return byLogs ? [byLogs] : []
}

/** Logs contain the logged events, whatever the format of the message is. */
function readLogged(whole: Json, index: number): Transaction {
  const { signatures } = requireObject(whole.transaction, 'transaction')
  const meta = requireObject(whole.meta, 'meta of a transaction')
  const signature = requireText(requireList(signatures, 'signatures')[0], 'signature')
  requireList(meta.logMessages, 'logMessages')
  const error = meta.err ?? null
  return { index, signature, error, accountKeys: [], signers: [], instructions: [], ...readLogs(meta) }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof UpstreamError) return undefined
    throw error
  }
}

function readTransaction(whole: Json, index: number): Transaction {
  const transaction = requireObject(whole.transaction, 'transaction')
  const message = requireObject(transaction.message, 'message')
  const meta = requireObject(whole.meta, 'meta of a transaction')
  if (!Array.isArray(meta.logMessages) && !Array.isArray(meta.innerInstructions))
    throw wrong('records neither logs nor inner instructions, so no event can be seen')
  const accountKeys = readKeys(message, meta)
  const signatures = requireList(transaction.signatures, 'signatures')
  return {
    index,
    signature: requireText(signatures[0], 'signature'),
    error: meta.err ?? null,
    accountKeys,
    // The keys of the signers come first, in the order of the signatures.
    signers: accountKeys.slice(0, signatures.length),
    instructions: readInstructions(message, meta, accountKeys),
    ...readLogs(meta),
  }
}

/** What the runtime writes in place of the lines beyond its limit. A program cannot write this line. */
const cutLine = 'Log truncated'

function readLogs({ logMessages }: Json): Pick<Transaction, 'logs' | 'lostLogs'> {
  if (!Array.isArray(logMessages)) return { logs: [], lostLogs: 'missing' }
  const logs = logMessages.map((line) => requireText(line, 'log message'))
  return logs.at(-1) === cutLine ? { logs, lostLogs: 'cut' } : { logs }
}

/** A versioned transaction loads accounts from lookup tables. Instructions refer to all accounts by index. */
function readKeys(message: Json, meta: Json): string[] {
  const loaded = requireObject(meta.loadedAddresses ?? {}, 'loadedAddresses')
  const lists = [message.accountKeys, loaded.writable ?? [], loaded.readonly ?? []]
  return lists.flatMap((list) => requireList(list, 'accountKeys').map((key) => requireText(key, 'account key')))
}

/** Each instruction of the message, followed by its inner instructions. */
function readInstructions(message: Json, meta: Json, keys: readonly string[]): Instruction[] {
  const groups = new Map<unknown, unknown[]>()
  for (const sent of requireList(meta.innerInstructions ?? [], 'innerInstructions')) {
    const group = requireObject(sent, 'inner instructions')
    groups.set(group.index, requireList(group.instructions, 'inner instructions'))
  }
  const instructions: Instruction[] = []
  for (const [index, sent] of requireList(message.instructions, 'instructions').entries()) {
    const outer = readInstruction(sent, keys)
    instructions.push({ ...pickInstruction(outer), path: String(index), position: instructions.length })
    const running = [outer.programId]
    for (const [at, each] of (groups.get(index) ?? []).entries()) {
      const inner = readInstruction(each, keys)
      const caller = callerOf(inner, running)
      const path = `${index}.${at}`
      instructions.push({ ...pickInstruction(inner), caller, path, position: instructions.length })
    }
  }
  return instructions
}

function readInstruction(sent: unknown, keys: readonly string[]): Raw {
  const { programIdIndex, accounts, data, stackHeight } = requireObject(sent, 'instruction')
  const programId = typeof programIdIndex === 'number' ? keys[programIdIndex] : undefined
  if (programId === undefined) throw wrong('has an instruction of a program that is not among its accounts')
  return {
    programId,
    accounts: requireList(accounts, 'accounts').map((account) => requireIndex(account, keys)),
    data: requireText(data, 'data'),
    height: typeof stackHeight === 'number' ? stackHeight : null,
  }
}

function pickInstruction({ programId, accounts, data }: Raw): Omit<Instruction, 'position' | 'path'> {
  return { programId, accounts, data }
}

/** Instructions of the message have height 1. Nodes before version 1.15 do not report the height of inner ones. */
function callerOf({ height, programId }: Raw, running: string[]): string | null {
  if (height === null) return null
  const caller = running[height - 2]
  running.splice(height - 1, Number.POSITIVE_INFINITY, programId)
  return caller ?? null
}

function requireIndex(index: unknown, keys: readonly string[]): number {
  if (typeof index === 'number' && index in keys) return index
  throw wrong('has an instruction that points past its accounts')
}

function requireObject(value: unknown, what: string): Json {
  if (isObject(value)) return value
  throw wrong(`has no ${what}`)
}

function requireList(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value
  throw wrong(`has no list of ${what}`)
}

function requireText(value: unknown, what: string): string {
  if (typeof value === 'string') return value
  throw wrong(`has no ${what}`)
}

function wrong(what: string): UpstreamError {
  return new UpstreamError('bad_answer', `The node's answer to getBlock ${what}.`)
}
