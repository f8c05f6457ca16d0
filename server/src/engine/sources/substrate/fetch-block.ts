import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { BlockOptions, BlockPart, ChainBlock } from '../block.ts'
import { type Header, readBytesOrNull, readExtrinsics } from './answers.ts'
import { countResults, listCalls } from './calls/list-calls.ts'
import { type SubstrateCall, SubstrateContents } from './contents.ts'
import { Cursor } from './cursor.ts'
import { decodeEvents } from './decode-events.ts'
import { findAuthor } from './find-author.ts'
import type { Rpc } from './rpc.ts'
import { fetchHeader, type Runtimes } from './runtimes.ts'

/** Storage keys are the hashes of names, the same on every chain: `System.Events` and `Timestamp.Now`. */
const eventsKey = '0x26aa394eea5630e07c48ae0c9558cef780d41e5e16056765bc8461851072c9d7'
const nowKey = '0xf0c365c3cf59d671eb72da0e7a4113c49f1f0515f462cdcf84e0f1d6045dfcbb'
/** The extrinsics root of a block without extrinsics. */
const emptyRoot = '0x03170a2e7597b7b7e3d84c05391d139a62b157e78786d8c082f29dcf4c111314'

/** What a digit of the node's hex takes in memory when it is decoded. */
const bytesPerDigit = 1.5

const everything: readonly BlockPart[] = ['transactions', 'author']

/**
 * The extrinsics are the part `transactions`, the account that made the block is the part `author`. Header and events are
 * always read: the events also say how calls ended.
 */
export async function fetchBlock(
  rpc: Rpc,
  runtimes: Runtimes,
  hash: string,
  parts: readonly BlockPart[] = everything,
  options: BlockOptions = {},
): Promise<ChainBlock> {
  const readAt = (key: string) => rpc.ask('state_getStorage', [key, hash], readBytesOrNull)
  const [{ header, runtime, author }, stored, timestampMs, extrinsics] = await Promise.all([
    readHeaderAndRuntime(rpc, runtimes, hash, parts),
    readAt(eventsKey),
    fetchTimestamp(rpc, hash),
    parts.includes('transactions') ? askExtrinsics(rpc, hash) : undefined,
  ])
  requireEventsOf(header, stored)
  const { number, parentHash, stateRoot, extrinsicsRoot } = header
  const block = { number, hash, timestamp: timestampMs ?? null }
  const events = stored === null ? [] : await decodeEvents(stored, runtime, block)
  const seen = { stateRoot, extrinsicsRoot, ...(author !== undefined && { author }) }
  const contentsWith: ContentsWith = (calls) =>
    new SubstrateContents(events, { header: seen, runtime, ...(calls && { calls }) })
  const all = extrinsics && (await completeExtrinsics(rpc, hash, extrinsics, countResults(events)))
  const bytes = estimateBytes([stored ?? '', ...(all ?? [])])
  const read = { number, hash, parentHash, bytes, ...(timestampMs !== undefined && { timestampMs }) }
  if (!all) return { ...read, contents: contentsWith() }
  return { ...read, ...(await readCalls(() => listCalls(all, events, runtime, block), contentsWith, options)) }
}

function estimateBytes(hexes: readonly string[]): number {
  return bytesPerDigit * hexes.reduce((sum, { length }) => sum + length, 0)
}

type ContentsWith = (calls?: SubstrateCall[]) => SubstrateContents

async function readHeaderAndRuntime(rpc: Rpc, runtimes: Runtimes, hash: string, parts: readonly BlockPart[]) {
  const header = await fetchHeader(rpc, hash)
  const runtime = await runtimes.thatMade({ hash, parentHash: header.parentHash })
  return { header, runtime, author: parts.includes('author') ? await findAuthor(rpc, runtime, header) : undefined }
}

function askExtrinsics(rpc: Rpc, hash: string, countMin = 0): Promise<string[]> {
  return rpc.ask('chain_getBlock', [hash], (answer) => {
    if (answer === null) throw new UpstreamError('bad_answer', `The node has no extrinsics of the block ${hash}.`)
    const { extrinsics } = readExtrinsics(answer)
    if (extrinsics.length >= countMin) return extrinsics
    throw new UpstreamError('bad_answer', `The node has ${extrinsics.length} of the ${countMin} extrinsics of ${hash}.`)
  })
}

/** Every extrinsic has a result among the events. If a node left extrinsics out, another node is asked. */
async function completeExtrinsics(rpc: Rpc, hash: string, extrinsics: string[], count: number): Promise<string[]> {
  return extrinsics.length >= count ? extrinsics : askExtrinsics(rpc, hash, count)
}

/** Extrinsics that cannot be decoded break triggers on calls. They do not stop triggers on events, if the caller allows it. */
async function readCalls(
  list: () => Promise<SubstrateCall[]>,
  contentsWith: ContentsWith,
  { mayLack }: BlockOptions,
): Promise<Pick<ChainBlock, 'contents' | 'unreadable'>> {
  try {
    return { contents: contentsWith(await list()) }
  } catch (error) {
    if (!mayLack || !(error instanceof UpstreamError)) throw error
    const unreadable = [{ part: 'transactions' as const, reason: error.message, specTypes: ['substrate_call'] }]
    return { contents: contentsWith(), unreadable }
  }
}

/** The time of a block. The first block has none. */
export function fetchTimestamp(rpc: Rpc, hash: string): Promise<number | undefined> {
  return rpc.ask('state_getStorage', [nowKey, hash], readBytesOrNull).then(readTimestamp)
}

/** Milliseconds since 1970, as stored on the chain. */
function readTimestamp(hex: string | null): number | undefined {
  if (hex === null) return undefined
  const cursor = Cursor.ofHex(hex)
  return cursor.left === 8 ? Number(cursor.integer(8, false)) : undefined
}

/** Every extrinsic emits an event, so a block with extrinsics and without events is incomplete. */
function requireEventsOf({ number, extrinsicsRoot }: Header, events: string | null): void {
  if (events !== null || number === 0 || extrinsicsRoot === emptyRoot) return
  throw new UpstreamError('bad_answer', `The node has block ${number}, but not its events.`)
}
