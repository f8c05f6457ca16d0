import { UpstreamError } from '../../outbound/upstream-error.ts'
import { withinSourceTime } from '../deadline.ts'
import { readBytes, readHash, readHeader, readVersion } from './answers.ts'
import type { Rpc } from './rpc.ts'
import { type OldMetadata, versionOf } from './runtime.ts'

const versionMin = 14

/**
 * Finds the first readable block of a chain for a caller that asked for an earlier one. It uses bisection: about 24 steps on
 * a long chain, each with one call for the runtime's version, and the metadata once for each version.
 */
export class FirstReadable {
  readonly #rpc: Rpc
  readonly #timeoutMs: number
  readonly #versions = new Map<string, number>()
  #found: Promise<number | undefined> | undefined

  constructor(rpc: Rpc, timeoutMs: number) {
    this.#rpc = rpc
    this.#timeoutMs = timeoutMs
  }

  /** A search that takes too long continues, so that the next caller gets the result. */
  async explain(error: OldMetadata, hash: string): Promise<UpstreamError> {
    this.#found ??= this.#find(hash).catch((reason) => {
      this.#found = undefined
      throw reason
    })
    try {
      const first = await withinSourceTime(this.#found, this.#timeoutMs)
      if (first === undefined) return error
      const since = `Blocks of this chain can be read since block ${first}`
      return new UpstreamError('bad_answer', `${since}: earlier ones use metadata version ${error.version}.`)
    } catch (reason) {
      if (reason instanceof UpstreamError) return error
      throw reason
    }
  }

  /** Undefined when not even the head can be read. */
  async #find(unreadable: string): Promise<number | undefined> {
    const head = await this.#rpc.ask('chain_getHeader', [], readHeader)
    let low = (await this.#rpc.ask('chain_getHeader', [unreadable], readHeader)).number
    let high = head.number
    if (!(await this.#isReadable(high))) return undefined
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (await this.#isReadable(middle)) high = middle
      else low = middle
    }
    return high
  }

  /** The runtime that the parent block left executes a block. */
  async #isReadable(number: number): Promise<boolean> {
    const parent = await this.#rpc.ask('chain_getBlockHash', [Math.max(0, number - 1)], readHash)
    const runtime = await this.#rpc.ask('state_getRuntimeVersion', [parent], readVersion)
    const version =
      this.#versions.get(runtime) ?? (await this.#rpc.ask('state_getMetadata', [parent], readMetadataVersion))
    this.#versions.set(runtime, version)
    return version >= versionMin
  }
}

function readMetadataVersion(answer: unknown): number {
  const version = versionOf(readBytes(answer))
  if (version === undefined) throw new UpstreamError('bad_answer', 'The node returned metadata that cannot be read.')
  return version
}
