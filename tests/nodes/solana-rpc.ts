import { address } from '@solana/kit'
import type { LiteSVM } from 'litesvm'
import type { Ledger } from './solana-ledger.ts'

/** An error of a method with the code that Solana nodes use. */
class MethodError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

type Params = readonly unknown[]
type Method = (params: Params) => unknown
export type Call = { id: unknown; method: string; params?: Params }

export const genesisHash = 'GH7ome3EiwEr7tu9JuTh2dpYWBJK3z69Xm1ZE3MEE6JC'

/** Returns the reply to a JSON-RPC call as text. LiteSVM returns 64-bit integers, which JSON holds as plain digits. */
export function answer(methods: Record<string, Method>, { id, method, params = [] }: Call): string {
  try {
    const handle = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!handle) throw new MethodError(-32601, 'Method not found')
    return write({ jsonrpc: '2.0', id, result: handle(params) })
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error))
    return write({ jsonrpc: '2.0', id, error: { code: error instanceof MethodError ? error.code : -32602, message } })
  }
}

export function methodsOf(svm: LiteSVM, ledger: Ledger): Record<string, Method> {
  return {
    getHealth: () => 'ok',
    getVersion: () => ({ 'solana-core': '0.0.0-litesvm', 'feature-set': 0 }),
    getGenesisHash: () => genesisHash,
    getSlot: () => ledger.slot,
    getLatestBlockhash: () => ({
      context: { slot: ledger.slot },
      value: { blockhash: ledger.lastHash, lastValidBlockHeight: ledger.blocks.size + 150 },
    }),
    getBlocks: ([from, to]) =>
      [...ledger.blocks.keys()].filter((slot) => slot >= Number(from) && slot <= Number(to ?? ledger.slot)),
    getBlocksWithLimit: ([from, limit]) =>
      [...ledger.blocks.keys()].filter((slot) => slot >= Number(from)).slice(0, Number(limit)),
    getBlock: ([slot, options]) => getBlock(ledger, Number(slot), options),
    getTransaction: ([signature]) => getTransaction(ledger, String(signature)),
    getAccountInfo: ([account, options]) => getAccountInfo(svm, ledger, String(account), options),
  }
}

function getBlock(ledger: Ledger, slot: number, options: unknown): unknown {
  const block = ledger.blocks.get(slot)
  if (slot > ledger.slot) throw new MethodError(-32004, `Block not available for slot ${slot}`)
  if (!block) throw new MethodError(-32009, `Slot ${slot} was skipped, or missing in long-term storage`)
  const { transactions, ...rest } = block
  const isVersioned = transactions.some(({ version }) => version !== 'legacy')
  if (isVersioned && option(options, 'maxSupportedTransactionVersion') === undefined)
    throw new MethodError(-32015, 'Transaction version (0) is not supported by the requesting client')
  return option(options, 'transactionDetails') === 'none' ? rest : block
}

function getTransaction(ledger: Ledger, signature: string): unknown {
  const found = ledger.find(signature)
  return found ? { slot: found.slot, blockTime: found.blockTime, ...found.transaction } : null
}

function getAccountInfo(svm: LiteSVM, { slot }: Ledger, account: string, options: unknown): unknown {
  if (slot < Number(option(options, 'minContextSlot') ?? 0))
    throw new MethodError(-32016, 'Minimum context slot has not been reached')
  const found = svm.getAccount(address(account))
  if (!found.exists) return { context: { slot }, value: null }
  const { data, executable, lamports, programAddress } = found
  const base64 = [Buffer.from(data).toString('base64'), 'base64']
  const value = { data: base64, executable, lamports, owner: programAddress, rentEpoch: 2n ** 64n - 1n }
  return { context: { slot }, value: { ...value, space: data.length } }
}

function option(options: unknown, name: string): unknown {
  return typeof options === 'object' && options !== null
    ? Object.entries(options).find(([key]) => key === name)?.[1]
    : undefined
}

function write(value: unknown): string {
  const marked = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `bigint:${part}` : part))
  return marked.replaceAll(/"bigint:(\d+)"/g, '$1')
}
