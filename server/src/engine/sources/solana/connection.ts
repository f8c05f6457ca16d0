import { base58 } from '@scure/base'
import type { ChainBlock } from '../block.ts'
import type { ConnectOptions, LiveConnection } from '../connection.ts'
import {
  type HeadSubscription,
  openRpcPool,
  preferAnnouncer,
  type RpcPool,
  requireNodeKind,
} from '../rpc-pool/index.ts'
import { readAccount } from './account.ts'
import { answerSizes } from './answer-sizes.ts'
import {
  commitment,
  getBlock,
  getHead,
  getHeaderFrom,
  getSlotOfTransaction,
  type Rpc,
  readField,
  readGenesisHash,
  requireNumber,
} from './calls.ts'
import { findIdl } from './idl/find-idl.ts'
import { readToken } from './read-token.ts'
import { Versions } from './versions.ts'

/** The slots that a node starts to process. Their blocks are confirmed about a second later. */
const newSlots: HeadSubscription = {
  method: 'slotSubscribe',
  params: [],
  unsubscribe: 'slotUnsubscribe',
  read: (notice) => ({ number: requireNumber(readField(notice, 'slot'), 'slotSubscribe') }),
}

/** A block's number is its slot. Slots without a block are common, because their leader missed its time. */
export function connect(endpoints: readonly string[], options: ConnectOptions): LiveConnection {
  const rpc = openRpc(endpoints, options)
  const rpcFor = preferAnnouncer(rpc, endpoints)
  const versions = new Versions()
  const { ask, request, heads, report, close } = rpc
  return {
    async head() {
      const { slot, blockhash } = await requireNodeKind('Solana', () => getHead(ask))
      return { number: slot, hash: blockhash }
    },
    block: (slot) => requireNodeKind('Solana', () => getBlock(rpcFor(slot), versions, slot)),
    headerFrom: (slot) => requireNodeKind('Solana', () => getHeaderFrom(ask, slot)),
    blockOfTransaction: (signature) => requireNodeKind('Solana', () => blockOfTransaction(rpc, versions, signature)),
    request,
    read: (provider, at) =>
      requireNodeKind<unknown>('Solana', () =>
        provider.type === 'token_metadata' ? readToken(ask, provider, at) : readAccount(ask, provider, at),
      ),
    findIdl: (programId) => requireNodeKind('Solana', () => findIdl(ask, programId)),
    heads: (listener, how) => heads(newSlots, listener, how),
    report,
    close,
  }
}

async function blockOfTransaction(rpc: Rpc, versions: Versions, signature: string): Promise<ChainBlock | undefined> {
  const slot = isSignature(signature) ? await getSlotOfTransaction(rpc, versions, signature) : undefined
  return slot === undefined ? undefined : getBlock(rpc, versions, slot)
}

/** A node refuses a text that is not a signature. No transaction has it, so the answer is "no block". */
function isSignature(text: string): boolean {
  if (text.length < 64 || text.length > 88) return false
  try {
    return base58.decode(text).length === 64
  } catch {
    return false
  }
}

function openRpc(endpoints: readonly string[], options: ConnectOptions): RpcPool {
  return openRpcPool(endpoints, {
    ...options,
    answerSizes,
    network: { method: 'getGenesisHash', params: [], read: readGenesisHash, expected: options.expectedNetwork },
    head: { method: 'getSlot', params: [{ commitment }], read: (answer) => requireNumber(answer, 'getSlot') },
  })
}
