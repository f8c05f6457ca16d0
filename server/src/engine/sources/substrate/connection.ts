import type { Provider } from '@tocsin/contract'
import { isObject } from '../../base/json.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { BlockRef, ChainBlock } from '../block.ts'
import type { ConnectOptions, LiveConnection } from '../connection.ts'
import { type HeadSubscription, preferAnnouncer, requireNodeKind } from '../rpc-pool/index.ts'
import { type TokenMetadata, type TokenMetadataProvider, tokenText } from '../token-metadata.ts'
import { isHash, readBytesOrNull, readExtrinsics, readHash, readHashOrNull, readHeader } from './answers.ts'
import { coerce } from './coerce.ts'
import { Cursor } from './cursor.ts'
import { fetchBlock, fetchTimestamp } from './fetch-block.ts'
import { loadLibrary } from './library.ts'
import { describePallets } from './metadata/describe-pallets.ts'
import { isSameName } from './names.ts'
import { isForgotten, openRpc, type Rpc } from './rpc.ts'
import type { Pallet, Runtime } from './runtime.ts'
import { fetchHeader, openRuntimes } from './runtimes.ts'

/** The headers of best blocks that nodes push. They contain everything but their own hash. */
const newHeads: HeadSubscription = {
  method: 'chain_subscribeNewHeads',
  params: [],
  unsubscribe: 'chain_unsubscribeNewHeads',
  read(notice) {
    const { number, parentHash } = readHeader(notice)
    return { number, parentHash }
  },
}

export function connect(endpoints: readonly string[], options: ConnectOptions): LiveConnection {
  const rpc = openRpc(endpoints, options)
  const rpcFor = preferAnnouncer(rpc, endpoints)
  const runtimes = openRuntimes(rpc, options)
  let head: BlockRef | undefined
  return {
    async head() {
      head = await requireNodeKind('Substrate', () => fetchHead(rpc, head))
      return head
    },
    block: (number, parts, options) =>
      requireNodeKind('Substrate', async () => {
        const preferred = rpcFor(number)
        const hash = await fetchHash(preferred, number)
        if (hash === undefined) return undefined
        return requireNumber(await fetchBlock(preferred, runtimes, hash, parts, options), number)
      }),
    headerFrom: (number) =>
      requireNodeKind('Substrate', async () => {
        const hash = await fetchHash(rpcFor(number), number)
        if (hash === undefined) return undefined
        const timestampMs = await fetchTimestamp(rpc, hash)
        return { number, hash, ...(timestampMs !== undefined && { timestampMs }) }
      }),
    blockOfTransaction: (hash, parts, options) =>
      requireNodeKind('Substrate', async () =>
        fetchBlock(rpc, runtimes, await findExtrinsic(rpc, hash), parts, options),
      ),
    request: (method, params) => rpc.request(method, params),
    read: (provider, at) =>
      requireNodeKind('Substrate', async () => {
        if (provider.type !== 'substrate_storage' && provider.type !== 'token_metadata')
          throw new UpstreamError('refused', `A Substrate source serves no ${provider.type} provider.`)
        const hash = await hashOf(rpc, 'block' in provider ? provider.block : undefined, at)
        const { parentHash } = await fetchHeader(rpc, hash)
        const runtime = await runtimes.thatMade({ hash, parentHash })
        return provider.type === 'token_metadata'
          ? readToken(rpc, runtime, provider, hash)
          : readStorage(rpc, runtime, provider, hash)
      }),
    readPallets: () =>
      requireNodeKind('Substrate', async () => {
        const { hash } = await fetchHead(rpc)
        const { parentHash } = await fetchHeader(rpc, hash)
        return describePallets(await runtimes.thatMade({ hash, parentHash }))
      }),
    heads: (listener, how) => rpc.heads(newHeads, listener, how),
    report: () => rpc.report(),
    close: () => rpc.close(),
  }
}

/** The best block, which a reorg may still replace. If it did not change, this costs one call. */
export async function fetchHead(rpc: Rpc, before?: BlockRef): Promise<BlockRef> {
  const hash = await rpc.ask('chain_getBlockHash', [], readHash)
  if (before?.hash === hash) return before
  const { number } = await fetchHeader(rpc, hash)
  return { number, hash }
}

/** Undefined when the chain is shorter. The answer of a node that only lags behind is not accepted. */
async function fetchHash(rpc: Rpc, number: number): Promise<string | undefined> {
  const hash = await rpc.ask('chain_getBlockHash', [number], readHashOrNull)
  if (hash !== null) return hash
  const head = await fetchHead(rpc)
  if (head.number < number) return undefined
  return rpc.ask('chain_getBlockHash', [number], (answer) => {
    if (answer === null)
      throw new UpstreamError('bad_answer', `No node has block ${number}, although the head is later.`)
    return readHash(answer)
  })
}

function requireNumber(block: ChainBlock, number: number): ChainBlock {
  if (block.number === number) return block
  throw new UpstreamError('bad_answer', `The node answered block ${block.number} when asked for ${number}.`)
}

/** The block that a provider names by number or hash, else the item's block, else the head. */
async function hashOf(rpc: Rpc, block: string | number | undefined, at: BlockRef | undefined): Promise<string> {
  if (block === undefined) return at?.hash ?? (await fetchHead(rpc)).hash
  if (typeof block === 'string' && isHash(block)) return block
  if (!/^\d{1,15}$/.test(String(block)))
    throw new UpstreamError('refused', '"block" must be a block number or a block hash of 0x and 64 hex digits.')
  const hash = await fetchHash(rpc, Number(block))
  if (hash === undefined) throw new UpstreamError('refused', `The network has no block ${block} yet.`)
  return hash
}

/** Reads an asset of the assets pallet. An asset without metadata has no name, and 0 decimals as on the chain. */
async function readToken(
  rpc: Rpc,
  runtime: Runtime,
  { contract }: TokenMetadataProvider,
  hash: string,
): Promise<TokenMetadata> {
  const read = (entry: string) =>
    readStorage(rpc, runtime, { id: '', type: 'substrate_storage', module: 'Assets', entry, args: [contract] }, hash)
  const [asset, metadata] = await Promise.all([read('Asset'), read('Metadata')])
  if (asset === null) throw new UpstreamError('bad_answer', `The chain has no asset ${contract.slice(0, 80)}.`)
  if (!isObject(metadata) || typeof metadata.decimals !== 'number')
    throw new UpstreamError('bad_answer', 'The assets pallet of the chain has metadata of an unknown form.')
  const { name, symbol, decimals } = metadata
  return { address: contract, name: textOf(name), symbol: textOf(symbol), decimals, standard: 'assets' }
}

function textOf(hex: unknown): string | null {
  return typeof hex === 'string' ? tokenText(Buffer.from(hex.slice(2), 'hex')) : null
}

/** How many blocks are searched: a few minutes of the chain, a few seconds of calls. */
const blocksMax = 32

/**
 * The hash of the block that contains an extrinsic. Nodes have no index of extrinsics, so the latest blocks are searched. A
 * block hash is accepted too, because it has the same format.
 */
async function findExtrinsic(rpc: Rpc, wanted: string): Promise<string> {
  const hash = wanted.toLowerCase()
  if (!isHash(hash)) throw new UpstreamError('refused', 'An extrinsic hash is 0x and 64 hex digits.')
  if (await isBlock(rpc, hash)) return hash
  const { hashers } = await loadLibrary()
  const hashOf = (extrinsic: string) => toHex(hashers.Blake2256(Buffer.from(extrinsic.slice(2), 'hex')))
  let at: BlockRef['hash'] = await rpc.ask('chain_getBlockHash', [], readHash)
  for (let searched = 0; searched < blocksMax; searched += 1) {
    const block = await blockAt(rpc, at)
    if (!block) break
    if (block.extrinsics.some((extrinsic) => hashOf(extrinsic) === hash)) return at
    at = block.parentHash
  }
  const advice = 'Substrate nodes cannot look extrinsics up by hash: give the number of its block instead.'
  throw new UpstreamError('refused', `The extrinsic is not in the latest ${blocksMax} blocks. ${advice}`)
}

async function isBlock(rpc: Rpc, hash: string): Promise<boolean> {
  return (await blockAt(rpc, hash)) !== undefined
}

/** Undefined before the first block, and for a hash that is not a block's. */
async function blockAt(rpc: Rpc, hash: string) {
  try {
    return await rpc.ask('chain_getBlock', [hash], (answer) => (answer === null ? undefined : readExtrinsics(answer)))
  } catch (error) {
    if (isForgotten(error)) return undefined
    throw error
  }
}

function toHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`
}

type StorageProvider = Extract<Provider, { type: 'substrate_storage' }>
type Entry = NonNullable<Pallet['storage']>['items'][number]
type Key = { type: number; hasher: string }

/** The decoded value at a block. Without a value, the entry's default, or null if it has none. */
async function readStorage(rpc: Rpc, runtime: Runtime, provider: StorageProvider, hash: string): Promise<unknown> {
  const { prefix, entry } = requireEntry(runtime, provider)
  const key = storageKey(runtime, prefix, entry, provider.args ?? [])
  const stored = await rpc.ask('state_getStorage', [key, hash], readBytesOrNull)
  if (stored !== null) return decodeValue(runtime, entry, stored)
  return hasDefault(entry) ? decodeValue(runtime, entry, entry.fallback) : null
}

/** Finds pallets and entries by name; the case of the first letter does not matter. */
function requireEntry(runtime: Runtime, { module, entry: name }: Pick<StorageProvider, 'module' | 'entry'>) {
  const pallet = runtime.pallets.find((each) => isSameName(each.name, module))
  if (!pallet) throw new UpstreamError('refused', `The chain has no pallet "${module.slice(0, 64)}".`)
  const entry = pallet.storage?.items.find((each) => isSameName(each.name, name))
  if (!pallet.storage || !entry)
    throw new UpstreamError('refused', `The pallet ${pallet.name} has no storage entry "${name.slice(0, 64)}".`)
  return { prefix: pallet.storage.prefix, entry }
}

/** A pallet's prefix can differ from its name: each instance of a pallet has its own prefix. */
function storageKey(runtime: Runtime, prefix: string, entry: Entry, args: readonly unknown[]): string {
  const keys = keysOf(runtime, entry)
  if (args.length !== keys.length)
    throw new UpstreamError('refused', `${entry.name} takes ${keys.length} args, not ${args.length}.`)
  const hashed = keys.map(({ type, hasher }, index) => {
    const value = coerce(runtime.type(type), args[index], `args.${index}`, runtime.library)
    return requireHasher(runtime, hasher)(encode(runtime, type, value, `args.${index}`))
  })
  const { Twox128 } = runtime.library.hashers
  const parts = [Twox128(Buffer.from(prefix)), Twox128(Buffer.from(entry.name)), ...hashed]
  return `0x${Buffer.concat(parts).toString('hex')}`
}

function encode(runtime: Runtime, type: number, value: unknown, path: string): Uint8Array {
  try {
    return runtime.encoder(type)(value)
  } catch {
    throw new UpstreamError('refused', `${path} does not fit the type that the chain gives it.`)
  }
}

function requireHasher(runtime: Runtime, name: string): (bytes: Uint8Array) => Uint8Array {
  const hasher = Object.entries(runtime.library.hashers).find(([each]) => each === name)
  if (!hasher) throw new UpstreamError('bad_answer', `The metadata names an unknown hasher, ${name.slice(0, 64)}.`)
  return hasher[1]
}

function hasDefault({ modifier }: Entry): boolean {
  return modifier === 1
}

function keysOf(runtime: Runtime, { type }: Entry): Key[] {
  if (type.tag === 'plain') return []
  const { key, hashers } = type.value
  const [first, ...others] = hashers.map(({ tag }) => tag)
  if (first !== undefined && others.length === 0) return [{ type: key, hasher: first }]
  const several = runtime.types[key]?.def
  const types = several?.tag === 'tuple' ? several.value : []
  if (types.length !== hashers.length)
    throw new UpstreamError('bad_answer', 'The metadata gives a map another number of keys than of hashers.')
  return types.map((each, index) => ({ type: each, hasher: hashers[index]?.tag ?? '' }))
}

/** A map may have keys without values. An existing key then reads as true. */
function decodeValue(runtime: Runtime, { name, type }: Entry, hex: string): unknown {
  const id = type.tag === 'plain' ? type.value : type.value.value
  if (runtime.type(id).type === 'void') return true
  const cursor = Cursor.ofHex(hex)
  try {
    return runtime.decoder(id)(cursor)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UpstreamError('bad_answer', `The value of ${name} cannot be decoded: ${reason}.`)
  }
}
