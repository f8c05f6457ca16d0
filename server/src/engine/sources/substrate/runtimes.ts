import { type LruCache, makeLruCache } from '../../base/lru-cache.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { ConnectOptions } from '../connection.ts'
import { withinSourceTime } from '../deadline.ts'
import { isUnknownMethod, RpcError } from '../rpc-pool/index.ts'
import { readBytes, readHash, readHeader, readRecord, readVersion } from './answers.ts'
import { Cursor } from './cursor.ts'
import type { Rpc } from './rpc.ts'
import { OldMetadata, type Runtime, readRuntime, versionOf } from './runtime.ts'

/** The runtimes of one network. */
export type Runtimes = {
  /** The runtime that executed a block. It wrote the block's events and state. */
  thatMade(block: { hash: string; parentHash: string }): Promise<Runtime>
}

const runtimesMax = 12
const blocksMax = 256
const zeroHash = `0x${'0'.repeat(64)}`

/**
 * Metadata is large and slow to read, so all connections to the same endpoints share it. Other connections do not share it,
 * even with the same genesis: a lying node could otherwise decide how other tenants' chains are decoded.
 */
const shared = makeLruCache<Promise<Runtime>>(runtimesMax)

export function openRuntimes(rpc: Rpc, options: Pick<ConnectOptions, 'extensions' | 'timeoutMs'>): Runtimes {
  const chosen = chosenPrefix(options.extensions)
  const firstReadable = new FirstReadable(rpc, options.timeoutMs)
  const byBlock = makeLruCache<Promise<Runtime>>(blocksMax)
  let genesis: Promise<string> | undefined

  async function runtimeOf(stateHash: string): Promise<Runtime> {
    genesis ??= rpc.ask('chain_getBlockHash', [0], readHash).catch((error) => {
      genesis = undefined
      throw error
    })
    const [hash, version] = await Promise.all([genesis, rpc.ask('state_getRuntimeVersion', [stateHash], readVersion)])
    const key = JSON.stringify([rpc.endpoints, chosen, hash, version])
    return remember(shared, key, () => fetchRuntime(rpc, stateHash, chosen))
  }
  return {
    async thatMade({ hash, parentHash }) {
      try {
        // The runtime that the parent block left executes a block, even if the block itself sets new code.
        return await remember(byBlock, hash, () => runtimeOf(parentHash === zeroHash ? hash : parentHash))
      } catch (error) {
        throw error instanceof OldMetadata ? await firstReadable.explain(error, hash) : error
      }
    },
  }
}

/** Failures are not cached, so that the next call tries again. */
function remember<T>(known: LruCache<Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  return known.get(key, () => {
    const made = make()
    made.catch(() => known.delete(key))
    return made
  })
}

/** `substrate.extensions.ss58Format` (or `ss58Prefix`), for chains whose runtime reports a wrong prefix. */
export function chosenPrefix(extensions: Record<string, unknown> | undefined): number | undefined {
  return readPrefix(extensions?.ss58Format ?? extensions?.ss58Prefix)
}

function readPrefix(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 16384 ? value : undefined
}

async function fetchRuntime(rpc: Rpc, stateHash: string, chosen: number | undefined): Promise<Runtime> {
  const [metadata, reported] = await Promise.all([fetchMetadata(rpc, stateHash), fetchReportedPrefix(rpc)])
  return readRuntime(metadata, { chosen, reported })
}

/** The highest readable version. Old runtimes, which offer no choice, have one. */
async function fetchMetadata(rpc: Rpc, stateHash: string): Promise<string> {
  const version = await highestVersion(rpc, stateHash)
  if (version === undefined) return rpc.ask('state_getMetadata', [stateHash], readBytes)
  const argument = `0x${Buffer.from([version, 0, 0, 0]).toString('hex')}`
  return rpc.ask('state_call', ['Metadata_metadata_at_version', argument, stateHash], readBytes)
}

const readable = [16, 15, 14]

async function highestVersion(rpc: Rpc, stateHash: string): Promise<number | undefined> {
  try {
    const answer = await rpc.ask('state_call', ['Metadata_metadata_versions', '0x', stateHash], readBytes)
    const cursor = Cursor.ofHex(answer)
    const offered = Array.from({ length: cursor.length() }, () => cursor.small(4, false))
    return readable.find((version) => offered.includes(version))
  } catch (error) {
    if (error instanceof RpcError || error instanceof RangeError) return undefined
    throw error
  }
}

async function fetchReportedPrefix(rpc: Rpc): Promise<number | undefined> {
  try {
    const { ss58Format } = await rpc.ask('system_properties', [], (answer) => readRecord(answer, 'properties'))
    return readPrefix(Array.isArray(ss58Format) ? ss58Format[0] : ss58Format)
  } catch (error) {
    if (isUnknownMethod(error)) return undefined
    throw error
  }
}

export async function fetchHeader(rpc: Rpc, hash: string) {
  return rpc.ask('chain_getHeader', [hash], (answer) => {
    if (answer === null) throw new UpstreamError('bad_answer', `The node has no header of the block ${hash}.`)
    return readHeader(answer)
  })
}

const versionMin = 14

/**
 * Finds the first readable block of a chain for a caller that asked for an earlier one. It uses bisection: about 24 steps on
 * a long chain, each with one call for the runtime's version, and the metadata once for each version.
 */
class FirstReadable {
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
