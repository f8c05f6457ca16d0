import { isObject } from '../../base/json.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'

export type Header = {
  number: number
  parentHash: string
  stateRoot: string
  extrinsicsRoot: string
  /** The items of the digest in hex. */
  digest: readonly string[]
}

export function readHash(answer: unknown): string {
  if (typeof answer === 'string' && isHash(answer)) return answer.toLowerCase()
  throw wrong('a block hash')
}

export function readHashOrNull(answer: unknown): string | null {
  return answer === null ? null : readHash(answer)
}

export function isHash(text: string): boolean {
  return /^0x[0-9a-f]{64}$/i.test(text)
}

export function readHeader(answer: unknown): Header {
  const { number, parentHash, stateRoot, extrinsicsRoot, digest } = readRecord(answer, 'a header')
  return {
    number: readBlockNumber(number),
    parentHash: readHash(parentHash),
    stateRoot: readHash(stateRoot),
    extrinsicsRoot: readHash(extrinsicsRoot),
    digest: isObject(digest) && Array.isArray(digest.logs) ? digest.logs.map(readBytes) : [],
  }
}

function readBlockNumber(value: unknown): number {
  const number = typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
  throw wrong('a block number')
}

/** Bytes as hex. */
export function readBytes(answer: unknown): string {
  if (typeof answer === 'string' && answer.length % 2 === 0 && /^0x[0-9a-f]*$/i.test(answer)) return answer
  throw wrong('bytes in hex')
}

export function readBytesOrNull(answer: unknown): string | null {
  return answer === null ? null : readBytes(answer)
}

export function readText(answer: unknown): string {
  if (typeof answer === 'string' && answer.length <= 200) return answer
  throw wrong('a name')
}

export function readVersion(answer: unknown): string {
  const { specName, specVersion } = readRecord(answer, 'a runtime version')
  if (typeof specName === 'string' && typeof specVersion === 'number') return `${specName.slice(0, 100)}/${specVersion}`
  throw wrong('a runtime version')
}

export function readExtrinsics(answer: unknown): { parentHash: string; extrinsics: string[] } {
  const { header, extrinsics } = readRecord(readRecord(answer, 'a block').block, 'a block')
  if (!Array.isArray(extrinsics)) throw wrong('a block')
  return { parentHash: readHeader(header).parentHash, extrinsics: extrinsics.map(readBytes) }
}

export function readRecord(answer: unknown, what: string): Record<string, unknown> {
  if (!isObject(answer)) throw wrong(what)
  return answer
}

function wrong(what: string): UpstreamError {
  return new UpstreamError('bad_answer', `The node answered something that is not ${what}.`)
}
