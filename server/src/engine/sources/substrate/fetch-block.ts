import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { ChainBlock } from '../block.ts'
import { type Header, readBytesOrNull } from './answers.ts'
import { SubstrateContents } from './contents.ts'
import { Cursor } from './cursor.ts'
import { decodeEvents } from './decode-events.ts'
import type { Rpc } from './rpc.ts'
import { fetchHeader, type Runtimes } from './runtimes.ts'

/** Storage keys are the hashes of names, the same on every chain: `System.Events` and `Timestamp.Now`. */
const eventsKey = '0x26aa394eea5630e07c48ae0c9558cef780d41e5e16056765bc8461851072c9d7'
const nowKey = '0xf0c365c3cf59d671eb72da0e7a4113c49f1f0515f462cdcf84e0f1d6045dfcbb'
/** The extrinsics root of a block without extrinsics. */
const emptyRoot = '0x03170a2e7597b7b7e3d84c05391d139a62b157e78786d8c082f29dcf4c111314'

export async function fetchBlock(rpc: Rpc, runtimes: Runtimes, hash: string): Promise<ChainBlock> {
  const readAt = (key: string) => rpc.ask('state_getStorage', [key, hash], readBytesOrNull)
  const [header, events, timestampMs] = await Promise.all([
    fetchHeader(rpc, hash),
    readAt(eventsKey),
    readAt(nowKey).then(readTimestamp),
  ])
  requireEventsOf(header, events)
  const { number, parentHash } = header
  const runtime = await runtimes.thatMade({ hash, parentHash })
  const block = { number, hash, timestamp: timestampMs ?? null }
  const contents = new SubstrateContents(events === null ? [] : decodeEvents(events, runtime, block))
  return { number, hash, parentHash, ...(timestampMs !== undefined && { timestampMs }), contents }
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
