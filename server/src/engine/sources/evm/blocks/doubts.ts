import { createHash } from 'node:crypto'
import { UpstreamError } from '../../../outbound/upstream-error.ts'
import { UnprovenBlock } from '../../block.ts'
import type { EvmLog } from '../contents.ts'
import type { Header, Receipt } from './read-answers.ts'

/**
 * Blocks whose answers fail a check. A failed check is a bad answer: other endpoints are asked, and the block is read again,
 * because nodes are late or answer a part. But some chains break a check for good, and one such block must not stop its
 * source. So after a while the answer counts, if all endpoints and requests that answer give the same one, and gave no other
 * one since. If they go on to differ, the longest answer counts in the end. An answer counts only while nodes give it: a read
 * that fails for another reason settles nothing. Such a block is `checked: 'none'`, with the reason.
 *
 * The first block waits 25 s. Each further block that had to be taken in the same way waits half as long, and from the fifth on
 * none, because that is the chain's own way. A block that turns out to have been answered wrongly at first resets that.
 */
export type DoubtKind = 'bloom' | 'numbers' | 'root' | 'empty' | 'receipts'
/** `receipts` is absent in an answer to a request for logs. */
export type Found = { logs: readonly EvmLog[]; receipts?: Receipt[] }
export type Settled = Found & { reason: string }

/** An answer that fails a check, and the answer itself. */
export class Doubted extends UpstreamError {
  readonly doubt: DoubtKind
  readonly found: Found

  constructor(kind: DoubtKind, message: string, found: Found) {
    super('bad_answer', message)
    this.doubt = kind
    this.found = found
  }
}

/** `since`: when this answer was first given, without another one after it. `at`: when it was given last. */
type Finding = { digest: string; found: Found; message: string; since: number; at: number }
type Doubt = { since: number; kind: DoubtKind; findings: Map<string, Finding> }

const patienceMs = 25_000
/** Endpoints that go on to give different answers are waited for this many times as long. */
const differTimes = 4
/** After this many blocks that had to be taken without a wrong first answer between, no block waits. */
const usualAfter = 4
/** Another request is tried at the same endpoint if a doubt lasts, because most nodes are only late. */
const askOtherwiseMs = 2_000
/** The same for an empty list with a block on top. */
const emptyMs = 5_000
const blocksKept = 16

export class Doubts {
  readonly #now: () => number
  readonly #what: 'logs' | 'receipts'
  readonly #blocks = new Map<string, Doubt>()
  readonly #taken = new Map<DoubtKind, number>()
  #highest = 0

  /** `what` of the answers must be the same. */
  constructor(now: () => number, what: 'logs' | 'receipts') {
    this.#now = now
    this.#what = what
  }

  /** A node has shown a block of this number. */
  see(number: number): void {
    this.#highest = Math.max(this.#highest, number)
  }

  /** True if other requests for the same data should be tried, at an endpoint whose answer failed a check. */
  mustAskOtherwise({ hash }: Pick<Header, 'hash'>, kind: DoubtKind): boolean {
    const since = this.#blocks.get(hash)?.since ?? this.#now()
    return this.#now() - since >= Math.min(askOtherwiseMs, this.#patience(kind))
  }

  /** `from` names the endpoint and the request. Only the last answer to each counts. */
  note({ hash }: Pick<Header, 'hash'>, from: string, error: unknown): void {
    if (!(error instanceof Doubted)) return
    const { doubt: kind, found, message } = error
    const at = this.#now()
    const doubt = this.#blocks.get(hash) ?? { since: at, kind, findings: new Map<string, Finding>() }
    doubt.kind = kind
    const digest = digestOf(found, this.#what)
    const before = doubt.findings.get(from)
    doubt.findings.set(from, { digest, found, message, since: before?.digest === digest ? before.since : at, at })
    if (!this.#blocks.has(hash)) this.#makeRoom()
    this.#blocks.set(hash, doubt)
  }

  /** The time at which a read begins, for `settle`. */
  get now(): number {
    return this.#now()
  }

  /** An answer passed the checks. If others failed before, their nodes were late or wrong. */
  passed({ hash }: Pick<Header, 'hash'>): void {
    const doubt = this.#blocks.get(hash)
    if (!doubt) return
    this.#taken.delete(doubt.kind)
    this.#blocks.delete(hash)
  }

  /** The error of a read that must be repeated until the block counts. */
  explain({ hash }: Pick<Header, 'hash'>, error: unknown): unknown {
    return this.#blocks.has(hash) && isBadAnswer(error) ? new UnprovenBlock(error.message) : error
  }

  /** The answer that counts although it failed a check; undefined while the block should be read again. `began`: when this read began. */
  settle({ hash, number }: Pick<Header, 'hash' | 'number'>, began: number): Settled | undefined {
    const doubt = this.#blocks.get(hash)
    const findings = [...(doubt?.findings.values() ?? [])]
    const given = findings.filter(({ at }) => at >= began)
    const [first] = given
    if (!doubt || !first) return undefined
    const areSame = findings.every(({ digest }) => digest === first.digest)
    const sameSince = Math.min(...given.map(({ since }) => since))
    const isSettled = areSame && this.#now() - sameSince >= this.#waitMs(doubt, number, given.length)
    if (!isSettled && this.#now() - doubt.since < differTimes * patienceMs) return undefined
    this.#blocks.delete(hash)
    this.#taken.set(doubt.kind, (this.#taken.get(doubt.kind) ?? 0) + 1)
    const longest = findings.reduce((most, each) => (each.found.logs.length > most.found.logs.length ? each : most))
    return { ...longest.found, reason: longest.message }
  }

  /**
   * A node that lags behind gives an empty list for a block that it does not have. So an empty list that nothing proves needs a
   * block on top of its own, and two requests or endpoints that give it.
   */
  #waitMs({ kind }: Doubt, number: number, givenBy: number): number {
    if (kind !== 'empty') return this.#patience(kind)
    return this.#highest > number && givenBy > 1 ? Math.min(emptyMs, this.#patience(kind)) : patienceMs
  }

  #patience(kind: DoubtKind): number {
    const taken = this.#taken.get(kind) ?? 0
    return taken >= usualAfter ? 0 : patienceMs / 2 ** taken
  }

  #makeRoom(): void {
    for (const [oldest] of this.#blocks) if (this.#blocks.size >= blocksKept) this.#blocks.delete(oldest)
  }
}

function isBadAnswer(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && error.kind === 'bad_answer'
}

function digestOf({ logs, receipts }: Found, what: 'logs' | 'receipts'): string {
  const hash = createHash('sha256')
  const ordered = logs.toSorted((a, b) => a.transactionIndex - b.transactionIndex || a.index - b.index)
  for (const { transactionHash, address, topics, data } of ordered)
    hash.update([transactionHash, address, topics.join(), data, ''].join(' '))
  for (const { transactionHash, status } of what === 'receipts' ? (receipts ?? []) : [])
    hash.update(`${transactionHash} ${status} `)
  return hash.digest('hex')
}
