import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { BlockRef, ChainBlock } from '../block.ts'
import type { ConnectOptions, LiveConnection } from '../connection.ts'
import { type HeadSubscription, preferAnnouncer, requireNodeKind } from '../rpc-pool/index.ts'
import { isHash, readHash, readHashOrNull, readHeader } from './answers.ts'
import { fetchBlock } from './fetch-block.ts'
import { findExtrinsic } from './find-extrinsic.ts'
import { describePallets } from './metadata/describe-pallets.ts'
import { readStorage } from './read-storage.ts'
import { readToken } from './read-token.ts'
import { openRpc, type Rpc } from './rpc.ts'
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
