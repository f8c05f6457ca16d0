import { UpstreamError } from '../../../outbound/upstream-error.ts'
import { messageWithoutHost, RpcError } from '../../rpc-pool/index.ts'
import { describeCost, describeDoubt, type LogRequest, logRequests, requestNames } from './log-requests.ts'
import { toHex } from './quantities.ts'
import { type Header, readHashes } from './read-answers.ts'

type Ask = (method: string, params?: unknown) => Promise<unknown>

/** The requests for logs that an endpoint serves, the preferred one first, and its errors for the others. */
export type FoundRequests = {
  served: readonly LogRequest[]
  refused: readonly Refused[]
  capabilities: readonly string[]
}
type Refused = { request: LogRequest; words: string }

const wholeInOneCall = ['hash', 'range', 'receipts'] as const

/** Tries the requests on the latest block, one after the other until one works. */
export async function findLogRequests(ask: Ask, header: Header): Promise<FoundRequests> {
  const said = new Map<LogRequest, string | undefined>()
  const look = async (request: LogRequest) => void said.set(request, await probe(ask, header, request))
  const isServed = (request: LogRequest) => said.has(request) && said.get(request) === undefined
  await Promise.all([look('hash'), look('receipts')])
  for (const request of ['range', 'address'] as const) if (!isServed('hash') && !isServed('range')) await look(request)
  // If a trigger names no contract, logs by contract are not enough.
  if (!wholeInOneCall.some(isServed)) await look('receipt')
  const served = logRequests.filter(isServed)
  const refused = logRequests.flatMap((request) => {
    const words = said.get(request)
    return words === undefined ? [] : { request, words }
  })
  return { served, refused, capabilities: capabilitiesOf(served) }
}

function capabilitiesOf(served: readonly LogRequest[]): string[] {
  const byLogs = served.some((request) => request !== 'receipts' && request !== 'receipt')
  return [
    ...(byLogs ? ['eth_getLogs'] : []),
    ...(served.includes('receipts') ? ['eth_getBlockReceipts'] : []),
    ...served.slice(0, 1).map((request) => `logs:${request}`),
  ]
}

/** Undefined if the endpoint serves the request; else its error message. */
async function probe(ask: Ask, header: Header, request: LogRequest): Promise<string | undefined> {
  try {
    const answer = await ask(...callFor(header, request))
    const mayBeNull = request === 'receipt' && header.transactions.length === 0
    return Array.isArray(answer) || request === 'receipt'
      ? answer === null && !mayBeNull
        ? 'null'
        : undefined
      : 'no list'
  } catch (error) {
    if (error instanceof RpcError) return messageWithoutHost(error)
    if (error instanceof UpstreamError) return error.message
    throw error
  }
}

function callFor(header: Header, request: LogRequest): [method: string, params: unknown] {
  const number = toHex(header.number)
  const range = { fromBlock: number, toBlock: number }
  const anyContract = `0x${'0'.repeat(39)}1`
  const calls: Record<LogRequest, [string, unknown]> = {
    hash: ['eth_getLogs', [{ blockHash: header.hash }]],
    range: ['eth_getLogs', [range]],
    address: ['eth_getLogs', [{ ...range, address: [anyContract] }]],
    receipts: ['eth_getBlockReceipts', [header.hash]],
    receipt: ['eth_getTransactionReceipt', [readHashes(header)[0] ?? header.hash]],
  }
  return calls[request]
}

export function describeLogRequests({ served, refused }: FoundRequests): { level: 'info' | 'warn'; message: string }[] {
  const [used, next] = served
  const said = refused.map(({ request, words }) => `${requestNames[request]}: "${words}"`).join('; ')
  if (!used) {
    const message = `No logs and no receipts: the node refuses every request for them (${said}). Triggers on logs cannot work on this endpoint.`
    return [{ level: 'warn', message }]
  }
  const condition = used === 'address' ? ' while every trigger names its contract' : ''
  const otherwise = used === 'address' && next ? `, else by ${requestNames[next]} (${describeCost(next)})` : ''
  const message = `Logs are read by ${requestNames[used]} (${describeCost(used)})${condition}${otherwise}.${describeDoubt(used)}`
  const isFirst = used === logRequests[0]
  return [{ level: 'info', message: isFirst || said === '' ? message : `${message} Refused: ${said}` }]
}
