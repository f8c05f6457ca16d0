import type { Call, Fault } from './faulty-endpoint.ts'
import type { Scenario } from './misbehaving-node.ts'
import { type AskNode, absent, headAt, numberIn, readNumber, toldHead } from './node-heads.ts'

/** Faults of nodes and their providers, one name each. Those about heads and limits work on every chain. */
export const scenarios = {
  /** Logs are numbered from 0 in each transaction. */
  logNumbersPerTransaction: () => changing(/getLogs|Receipt/, (truth) => eachLog(truth, numberedPerTransaction)),
  /** Logs without an address are refused. */
  needsAddress,
  /** Logs without an address are refused; of those with one, the last of each answer is left out. */
  leavesOutByContract: () => ({
    ...needsAddress(),
    ...changing(/getLogs/, (truth) => eachLog(truth, (logs) => logs.slice(0, -1))),
  }),
  refusesBlockHash: () => refusing(asksByBlockHash, -32602, 'blockHash is not supported'),
  limitsResults: () => refusing(asksByBlockHash, -32005, 'query returned more than 10000 results'),
  lacksMethod: (method: RegExp) =>
    refusing((call) => method.test(call.method), -32601, 'the method does not exist or is not available'),
  /** A head is announced at once; its block can be read this many milliseconds later. */
  lateBlocks,
  /** The head of the first call stays the head. */
  frozenHead,
  fullBloom: () => changing(/getBlockBy/, (truth) => ({ ...asObject(truth), logsBloom: `0x${'ff'.repeat(256)}` })),
  nullBloom: () => changing(/getBlockBy/, (truth) => ({ ...asObject(truth), logsBloom: null })),
  bloom: (logsBloom: string) => changing(/getBlockBy/, (truth) => ({ ...asObject(truth), logsBloom })),
  behindBalancer,
  /** Several scenarios at once: the first that refuses a call does, and each changes what the ones before it leave. */
  together,
  /** The first log of every block is left out, in logs and in receipts alike. */
  oneLogMissing: () => changing(/getLogs|Receipt/, (truth) => eachLog(truth, (logs) => logs.filter(isNotFirst))),
  /** Every transaction is of a type of which only the hash can be read. */
  unknownTransactionTypes: () => changing(/getBlockBy/, (truth) => eachTransaction(truth, asUnknown)),
  /** The first transaction of every block lacks fields, or has them in another form. */
  oddTransactions: (change: Json) =>
    changing(/getBlockBy/, (truth) => eachTransaction(truth, (each, at) => (at === 0 ? { ...each, ...change } : each))),
  /** The receipts root is computed by other rules than Ethereum's. */
  otherReceiptsRoots: (receiptsRoot: string | null = otherRoot) =>
    changing(/getBlockBy/, (truth) => ({ ...asObject(truth), receiptsRoot })),
  callsPerSecond,
  /** HTTP 429 with Retry-After on every fifth call. */
  everyFifthCallRefused,
  anyRefuses,
} satisfies Record<string, (...given: never[]) => Scenario>

type Json = Record<string, unknown>
const otherRoot = `0x${'5e'.repeat(32)}`
const asObject = (value: unknown) => value as Json

/** Null and errors stay as they are. */
function changing(method: RegExp, change: (truth: unknown) => unknown): Scenario {
  return {
    change: (call, truth) => (method.test(call.method) && truth !== null ? { result: change(truth) } : undefined),
  }
}

function refusing(isMeant: (call: Call) => boolean, code: number, message: string): Scenario {
  return { refuse: (call) => (isMeant(call) ? { error: { code, message } } : undefined) }
}

function needsAddress(): Scenario {
  return refusing(asksForAllLogs, -32701, 'Please specify an address in your request')
}

const asksByBlockHash = ({ method, params }: Call) =>
  method === 'eth_getLogs' && asObject(params[0]).blockHash !== undefined
const asksForAllLogs = ({ method, params }: Call) =>
  method === 'eth_getLogs' && [asObject(params[0]).address ?? []].flat().length === 0

/** A list of logs, a receipt with its logs, or a list of receipts. */
function eachLog(truth: unknown, change: (logs: Json[]) => Json[]): unknown {
  if (!Array.isArray(truth)) return { ...asObject(truth), logs: change(asObject(truth).logs as Json[]) }
  const areReceipts = truth.some((each) => 'logs' in each)
  return areReceipts ? truth.map((each) => eachLog(each, change)) : change(truth)
}

function numberedPerTransaction(logs: Json[]): Json[] {
  const counts = new Map<unknown, number>()
  return logs.map((log) => {
    const index = counts.get(log.transactionHash) ?? 0
    counts.set(log.transactionHash, index + 1)
    return { ...log, logIndex: `0x${index.toString(16)}` }
  })
}

const isNotFirst = ({ logIndex }: Json) => Number(logIndex) !== 0

/** A header with hashes alone stays as it is. */
function eachTransaction(truth: unknown, change: (transaction: Json, at: number) => Json): unknown {
  const block = asObject(truth)
  const transactions = block.transactions as unknown[]
  const changed = transactions.map((each, at) => (typeof each === 'string' ? each : change(asObject(each), at)))
  return { ...block, transactions: changed }
}

function asUnknown({ hash, transactionIndex }: Json): Json {
  return { hash, transactionIndex, type: '0x7f', payload: { sealed: '0x' } }
}

/** Blocks that `isReadable` refuses are absent. */
async function withoutBlocks(call: Call, truth: unknown, ask: AskNode, isReadable: (number: number) => boolean) {
  const number = await readNumber(call, truth, ask)
  return number === undefined || isReadable(number) ? undefined : absent(call)
}

function lateBlocks(lateMs: number, now = () => performance.now()): Scenario {
  const toldAt = new Map<number, number>()
  const see = (number: number | undefined) => {
    if (number !== undefined && !toldAt.has(number)) toldAt.set(number, now())
  }
  // Blocks that were never announced are old, so they can be read.
  const isReadable = (number: number) => now() - (toldAt.get(number) ?? Number.NEGATIVE_INFINITY) >= lateMs
  return {
    async change(call, truth, ask) {
      see(await toldHead(call, truth, ask))
      return withoutBlocks(call, truth, ask, isReadable)
    },
    announce(result) {
      see(numberIn(result))
      return result
    },
  }
}

/**
 * Calls about logs and receipts go to one node after the other. The ones that lag do not have the block: they answer with an empty
 * list of logs, and with null for receipts.
 */
function behindBalancer(lagging: readonly boolean[]): Scenario {
  let calls = 0
  return {
    refuse({ method }) {
      if (!/getLogs|Receipt/.test(method) || !lagging[calls++ % lagging.length]) return undefined
      return { result: method === 'eth_getLogs' ? [] : null }
    },
  }
}

function together(...all: Scenario[]): Scenario {
  return {
    refuse: (call) => all.map((each) => each.refuse?.(call)).find((fault) => fault !== undefined),
    async change(call, truth, ask) {
      let result = truth
      for (const { change } of all) {
        const fault = await change?.(call, result, ask)
        if (fault && !('result' in fault)) return fault
        if (fault) result = fault.result
      }
      return { result }
    },
  }
}

function frozenHead(): Scenario {
  let frozen: number | undefined
  return {
    async change(call, truth, ask) {
      const head = await toldHead(call, truth, ask)
      frozen ??= head
      if (head !== undefined) return { result: await headAt(call, frozen ?? head, ask) }
      return withoutBlocks(call, truth, ask, (number) => number <= (frozen ?? number))
    },
    announce: () => undefined,
  }
}

/** Calls above the limit are refused with HTTP 429 and Retry-After until the second is over. Each call of a batch counts. */
function callsPerSecond(most: number, now = () => performance.now()): Scenario {
  let second = { startedAt: Number.NEGATIVE_INFINITY, calls: 0 }
  return {
    refuse() {
      if (now() - second.startedAt >= 1000) second = { startedAt: now(), calls: 0 }
      second.calls += 1
      return second.calls > most ? tooMany : undefined
    },
  }
}

function everyFifthCallRefused(): Scenario {
  let calls = 0
  return {
    refuse() {
      calls += 1
      return calls % 5 === 0 ? tooMany : undefined
    },
  }
}

/** Refuses a call if any of the scenarios refuses it. All of them see every call, so their counts stay right. */
function anyRefuses(...all: Scenario[]): Scenario {
  return { refuse: (call) => all.map((each) => each.refuse?.(call)).find((fault) => fault !== undefined) }
}

const tooMany: Fault = (response) => void response.writeHead(429, { 'retry-after': '1' }).end()
