import type { Connection } from '../../connection.ts'
import { requireAmount, requireBytes, requireList, requireNumber, requireRecord, toHex } from '../blocks/quantities.ts'
import type { EvmLog } from '../contents.ts'
import { isRefusal, readChainId } from '../rpc.ts'

/** A log with its block, and the block's time if the node adds it. */
export type FoundLog = EvmLog & { block: number; timeMs: number | undefined }
/** An answer may have ten times as many logs. An example of each event is in the newest ones. */
export const newestLogsMax = 20_000
export type FoundCall = { hash: string; to: string | null; input: string }
export type FoundBlock = { timeMs: number; calls: FoundCall[] }

/** Reads of the chain at its head, through the connection of the source. They throw an UpstreamError. */
export type ChainReads = ReturnType<typeof chainReads>

export function chainReads(request: Connection['request']) {
  return {
    chainId: async () => readChainId(await request('eth_chainId', [])),
    head: async () => requireNumber(await request('eth_blockNumber', []), 'block number'),
    code: async (address: string) => requireBytes(await request('eth_getCode', [address, 'latest']), 'code'),
    balance: async (address: string) => requireAmount(await request('eth_getBalance', [address, 'latest']), 'balance'),
    /** A word of 32 bytes. Some nodes leave out leading zeros. */
    async storage(address: string, slot: string): Promise<string> {
      const word = String(await request('eth_getStorageAt', [address, slot, 'latest']))
      return requireBytes(`0x${word.slice(2).padStart(64, '0')}`, 'storage', 32)
    },
    /**
     * Undefined if the contract has no such function: it answers nothing, or the node answers with an error. Clients word
     * these errors in many ways, and a probe that cannot be made must not stop the look-up.
     */
    async call(to: string, data: string): Promise<string | undefined> {
      try {
        const answer = requireBytes(await request('eth_call', [{ to, data }, 'latest']), 'result of the call')
        return answer === '0x' ? undefined : answer
      } catch (error) {
        if (isRefusal(error)) return undefined
        throw error
      }
    },
    /** The newest logs of these blocks, oldest first. */
    async logs(address: string, from: number, to: number): Promise<FoundLog[]> {
      const range = { address, fromBlock: toHex(from), toBlock: toHex(to) }
      return requireList(await request('eth_getLogs', [range]), 'logs')
        .slice(-newestLogsMax)
        .map(readLog)
    },
    /** Undefined if the node does not have the block. */
    async block(number: number, withCalls: boolean): Promise<FoundBlock | undefined> {
      const answer = await request('eth_getBlockByNumber', [toHex(number), withCalls])
      if (answer === null) return undefined
      const { timestamp, transactions } = requireRecord(answer, 'block')
      const calls = withCalls ? requireList(transactions, 'transactions').map(readCall) : []
      return { timeMs: requireNumber(timestamp, 'timestamp') * 1000, calls }
    },
  }
}

function readLog(answer: unknown): FoundLog {
  const log = requireRecord(answer, 'log')
  return {
    address: requireBytes(log.address, 'address of a log', 20),
    topics: requireList(log.topics, 'topics').map((topic) => requireBytes(topic, 'topic', 32)),
    data: requireBytes(log.data, 'data of a log'),
    transactionHash: requireBytes(log.transactionHash, 'transactionHash of a log', 32),
    transactionIndex: requireNumber(log.transactionIndex, 'transactionIndex'),
    index: requireNumber(log.logIndex, 'logIndex'),
    block: requireNumber(log.blockNumber, 'blockNumber of a log'),
    timeMs: typeof log.blockTimestamp === 'string' ? requireNumber(log.blockTimestamp, 'time') * 1000 : undefined,
  }
}

function readCall(answer: unknown): FoundCall {
  const { hash, to, input } = requireRecord(answer, 'transaction')
  return {
    hash: requireBytes(hash, 'hash of a transaction', 32),
    to: to == null ? null : requireBytes(to, 'to of a transaction', 20),
    input: requireBytes(input, 'input of a transaction'),
  }
}
