import { isObject } from '../../../base/json.ts'
import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { BlockCheck } from '../../block.ts'
import type { OneEndpoint } from '../../rpc-pool/index.ts'
import { bytesOf, type EvmLog } from '../contents.ts'
import type { BlockReader } from './block-reader.ts'
import { BloomBits, isZero } from './bloom.ts'
import { Doubted, type Found } from './doubts.ts'
import { requireRecord } from './quantities.ts'
import { type Header, type Receipt, readLog, readLogBlock, readReceiptWith } from './read-answers.ts'

type RpcCall = [method: string, params: unknown[]]
/** `large` is set if the answer was read as a stream, in which the logs that cannot match were dropped. */
export type LargeAnswer = { answer: unknown; large: LargeLogs | undefined }

/**
 * Makes a call that answers logs, or receipts with logs. If the answer exceeds the limit of an answer, the call is made again
 * and read as a stream: of each log only what checks need is taken, and the logs of `addresses` are kept. Several answers about
 * one block are taken by the same `large`.
 */
export async function askLarge(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  [method, params]: RpcCall,
  addresses: readonly string[] | undefined,
  large = new LargeLogs(reader, header, addresses),
): Promise<LargeAnswer> {
  const memory = reader.memoryOf(at)
  const call = `${method} ${JSON.stringify(params)}`
  if (!memory.isLarge(call))
    try {
      return { answer: await at.request(method, params), large: undefined }
    } catch (error) {
      if (!(error instanceof UpstreamError) || error.kind !== 'too_large') throw error
      memory.noteLarge(call)
    }
  return { answer: await at.requestLarge(method, params, large.take), large }
}

/** Takes the logs of a block one by one. */
export class LargeLogs {
  readonly #reader: BlockReader
  readonly #header: Header
  readonly #wanted: ReadonlySet<string> | undefined
  readonly #bits: BloomBits | undefined
  readonly #counts = new Map<string, number>()
  #previous: EvmLog | undefined
  #count = 0
  #keptBytes = 0
  #leftOut = 0

  constructor(reader: BlockReader, header: Header, addresses: readonly string[] | undefined) {
    this.#reader = reader
    this.#header = header
    this.#wanted = addresses && addresses.length > 0 ? new Set(addresses) : undefined
    this.#bits = header.logsBloom === undefined ? undefined : new BloomBits(header.logsBloom)
  }

  /** An element of a list of the answer: a log, or a receipt with logs that were taken before. Undefined drops it. */
  readonly take = (raw: unknown): unknown => {
    if (!isObject(raw) || !('topics' in raw)) return raw
    if (readLogBlock(raw) !== this.#header.hash)
      throw new UpstreamError('bad_answer', `The node answered with logs of another block than ${this.#header.number}.`)
    const log = readLog(raw, this.#previous)
    this.#previous = log
    this.#count += 1
    this.#counts.set(log.transactionHash, (this.#counts.get(log.transactionHash) ?? 0) + 1)
    this.#bits?.take(log)
    if (!(this.#wanted?.has(log.address) ?? true)) return undefined
    const bytes = bytesOf(log)
    if (this.#keptBytes + bytes > this.#reader.keptBytesMax) {
      this.#leftOut += 1
      return undefined
    }
    this.#keptBytes += bytes
    return log
  }

  /** The logs of a receipt that was not read as a stream are taken now. */
  readonly readReceipt = (answer: unknown): Receipt => {
    const receipt = requireRecord(answer, 'receipt')
    const given: unknown[] = Array.isArray(receipt.logs) ? receipt.logs : []
    const logs = given.map((log) => (isLog(log) ? log : this.take(log))).filter(isLog)
    return readReceiptWith(receipt, logs, this.#counts.get(String(receipt.transactionHash).toLowerCase()) ?? 0)
  }

  logsIn(answer: unknown): EvmLog[] {
    return Array.isArray(answer) ? answer.filter(isLog) : []
  }

  /** Refuses an answer that does not explain every bit of the bloom. */
  requireFilled(found: Found): { checked: BlockCheck; doubt?: string } {
    const { logsBloom } = this.#header
    const isUseful = logsBloom !== undefined && !isZero(logsBloom)
    if (this.#bits && !this.#bits.isFilled) throw new Doubted('bloom', missingLogs(this.#header, this.#count), found)
    if (this.#bits && logsBloom !== undefined) this.#reader.blooms.note(logsBloom, this.#bits)
    return { ...this.result(), ...(isUseful && this.#leftOut === 0 && { checked: 'bloom' }) }
  }

  /** For an answer that is not about all logs of the block. */
  result(): { checked: BlockCheck; doubt?: string } {
    const { number } = this.#header
    if (this.#leftOut === 0) return { checked: 'none' }
    const doubt = `It has ${this.#count} logs, and those that triggers can match are too large: ${this.#leftOut} logs of block ${number} were left out.`
    return { checked: 'none', doubt }
  }
}

export function missingLogs({ number }: Pick<Header, 'number'>, count: number): string {
  return `The node gave ${count} logs of block ${number}, and the bloom of the block says that some are missing.`
}

/** What `take` kept. */
function isLog(value: unknown): value is EvmLog {
  return isObject(value) && typeof value.address === 'string' && typeof value.index === 'number' && 'topics' in value
}
