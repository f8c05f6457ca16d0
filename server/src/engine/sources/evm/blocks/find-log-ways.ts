import { UpstreamError } from '../../../outbound/upstream-error.ts'
import { messageWithoutHost, RpcError } from '../../rpc-pool/index.ts'
import { costOf, doubtOf, type LogWay, logWays, wayNames } from './log-ways.ts'
import { toHex } from './quantities.ts'
import { type Header, readHashes } from './read-answers.ts'

type Ask = (method: string, params?: unknown) => Promise<unknown>

/** The ways to logs that an endpoint supports, the preferred one first, and its errors for the others. */
export type FoundWays = { served: readonly LogWay[]; refused: readonly Refused[]; capabilities: readonly string[] }
type Refused = { way: LogWay; words: string }

const wholeInOneCall = ['hash', 'range', 'receipts'] as const

/** Requests the logs of the latest block, one way after the other until one works. */
export async function findLogWays(ask: Ask, header: Header): Promise<FoundWays> {
  const said = new Map<LogWay, string | undefined>()
  const look = async (way: LogWay) => void said.set(way, await probe(ask, header, way))
  const isServed = (way: LogWay) => said.has(way) && said.get(way) === undefined
  await Promise.all([look('hash'), look('receipts')])
  for (const way of ['range', 'address'] as const) if (!isServed('hash') && !isServed('range')) await look(way)
  // If a trigger names no contract, logs by contract are not enough.
  if (!wholeInOneCall.some(isServed)) await look('receipt')
  const served = logWays.filter(isServed)
  const refused = logWays.flatMap((way) => {
    const words = said.get(way)
    return words === undefined ? [] : { way, words }
  })
  return { served, refused, capabilities: capabilitiesOf(served) }
}

function capabilitiesOf(served: readonly LogWay[]): string[] {
  const byLogs = served.some((way) => way !== 'receipts' && way !== 'receipt')
  return [
    ...(byLogs ? ['eth_getLogs'] : []),
    ...(served.includes('receipts') ? ['eth_getBlockReceipts'] : []),
    ...served.slice(0, 1).map((way) => `logs:${way}`),
  ]
}

/** Undefined when the endpoint supports the way; else its error message. */
async function probe(ask: Ask, header: Header, way: LogWay): Promise<string | undefined> {
  try {
    const answer = await ask(...callFor(header, way))
    const mayBeNull = way === 'receipt' && header.transactions.length === 0
    return Array.isArray(answer) || way === 'receipt' ? (answer === null && !mayBeNull ? 'null' : undefined) : 'no list'
  } catch (error) {
    if (error instanceof RpcError) return messageWithoutHost(error)
    if (error instanceof UpstreamError) return error.message
    throw error
  }
}

function callFor(header: Header, way: LogWay): [method: string, params: unknown] {
  const number = toHex(header.number)
  const range = { fromBlock: number, toBlock: number }
  const anyContract = `0x${'0'.repeat(39)}1`
  const calls: Record<LogWay, [string, unknown]> = {
    hash: ['eth_getLogs', [{ blockHash: header.hash }]],
    range: ['eth_getLogs', [range]],
    address: ['eth_getLogs', [{ ...range, address: [anyContract] }]],
    receipts: ['eth_getBlockReceipts', [header.hash]],
    receipt: ['eth_getTransactionReceipt', [readHashes(header)[0] ?? header.hash]],
  }
  return calls[way]
}

export function notesOn({ served, refused }: FoundWays): { level: 'info' | 'warn'; message: string }[] {
  const [used, next] = served
  const said = refused.map(({ way, words }) => `${wayNames[way]}: "${words}"`).join('; ')
  if (!used) {
    const message = `No logs and no receipts: the node refuses every way to them (${said}). Triggers on logs cannot work on this endpoint.`
    return [{ level: 'warn', message }]
  }
  const condition = used === 'address' ? ' while every trigger names its contract' : ''
  const otherwise = used === 'address' && next ? `, else by ${wayNames[next]} (${costOf(next)})` : ''
  const message = `Logs are read by ${wayNames[used]} (${costOf(used)})${condition}${otherwise}.${doubtOf(used)}`
  const isFirst = used === logWays[0]
  return [{ level: 'info', message: isFirst || said === '' ? message : `${message} Refused: ${said}` }]
}
