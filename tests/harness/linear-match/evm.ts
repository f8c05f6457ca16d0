import type { TriggerSpec } from '@tocsin/contract'
import type { SourceItem } from '../../../server/src/engine/base/source-item.ts'
import type { ChainBlock } from '../../../server/src/engine/sources/block.ts'
import { callDecoder } from '../../../server/src/engine/sources/evm/calls/call-decoder.ts'
import { methodIdOf, ownCall, ownType } from '../../../server/src/engine/sources/evm/calls/call-items.ts'
import { EvmContents, type EvmLog } from '../../../server/src/engine/sources/evm/contents.ts'
import { logDecoder } from '../../../server/src/engine/sources/evm/log-decoder.ts'
import type { LinearMatch } from './index.ts'

type EvmLogSpec = Extract<TriggerSpec, { type: 'evm_log' }>
type EvmCallSpec = Extract<TriggerSpec, { type: 'evm_call' }>

export async function linearLogs(spec: EvmLogSpec): Promise<LinearMatch> {
  const match = await linearLog(spec)
  return (block) => {
    const { timestamp, logs } = requireContents(block)
    if (!logs) throw new Error('the block was fetched without its logs')
    return logs.map((log) => match(block, timestamp, log)).filter((item) => item !== undefined)
  }
}

type MatchLog = (block: ChainBlock, timestamp: number, log: EvmLog) => SourceItem | undefined

/** The item of a log; undefined when the log does not match. */
export async function linearLog(spec: EvmLogSpec): Promise<MatchLog> {
  const decoder = await logDecoder(spec)
  const contracts = contractsOf(spec)
  return (block, timestamp, log) => {
    if (contracts && !contracts.has(log.address)) return undefined
    if (spec.topicsCount !== undefined && log.topics.length !== spec.topicsCount) return undefined
    if (spec.dataBytes !== undefined && log.data.length !== 2 + 2 * spec.dataBytes) return undefined
    return decoder.itemOf(block, timestamp, log)
  }
}

export const linearTransactions: LinearMatch = (block) => {
  const { timestamp, transactions } = requireContents(block)
  if (!transactions) throw new Error('the block was fetched without its transactions')
  const { number, hash } = block
  return transactions.map((transaction) => {
    const methodId = methodIdOf({ type: ownType(transaction), input: transaction.input })
    return { block: { number, hash, timestamp }, ...transaction, methodId }
  })
}

export async function linearCalls(spec: EvmCallSpec): Promise<LinearMatch> {
  const decoder = await callDecoder(spec)
  const contracts = contractsOf(spec)
  const { success = true, internal = false } = spec
  return (block) => {
    const { timestamp, transactions, calls } = requireContents(block)
    if (!transactions) throw new Error('the block was fetched without its transactions')
    if (internal === true && !calls) throw new Error('the block was fetched without its traces')
    return (calls ?? transactions.map(ownCall))
      .filter(({ depth }) => internal || depth === 0)
      .filter((call) => success === 'any' || call.success === success)
      .filter(({ to }) => !contracts || contracts.has(to ?? ''))
      .map((call) => decoder.itemOf(block, timestamp, call))
      .filter((item) => item !== undefined)
  }
}

/** The contracts of a spec without a factory; undefined means every contract. */
function contractsOf({ contract }: EvmLogSpec | EvmCallSpec): Set<string> | undefined {
  if (contract === undefined) return undefined
  if (typeof contract === 'object' && !Array.isArray(contract)) throw new Error('a factory is not compared')
  return new Set([contract].flat().map((address) => address.toLowerCase()))
}

function requireContents({ contents }: ChainBlock): EvmContents {
  if (contents instanceof EvmContents) return contents
  throw new Error('the block is not of an EVM chain')
}
