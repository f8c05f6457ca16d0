import type { TraceMethod } from '../nodes/evm-traces.ts'
import { type Chance, makeChance } from './chance.ts'
import { type SocketFault, socketOf } from './stale-sockets.ts'

/** The permanent traits of one chain and its nodes, drawn from its seed. Temporary faults are added to them. */
export type Traits = {
  /** Log indexes begin at 0 in every transaction instead of in every block. */
  numbersPerTransaction: boolean
  /** Milliseconds from the announcement of a head until its block can be read. */
  lateMs: number
  /** Transactions have an unknown type, and a trigger on transactions listens in addition to the one on logs. */
  hasUnreadableTransactions: boolean
  /** The trigger names its contract, so that logs can be read by contract. */
  namesContract: boolean
  /** The trigger is on the contracts that a factory creates; blocks create contracts and use them at once. */
  hasFactory: boolean
  /** The calls that each of the two endpoints refuses. */
  refusals: readonly Refusal[]
  /** The trigger listens to internal calls instead of logs: each log of the chain has a call with the same data. */
  watchesCalls: boolean
  /** The request for traces that each endpoint serves. */
  traces: readonly TraceMethod[]
  /** Milliseconds from the announcement of a head until its traces can be read. */
  lateTracesMs: number
  balancer: Balancer
  bloom: Bloom
  /** Some blocks have a log of another contract that makes their answers larger than the service accepts at first. */
  hasLargeBlocks: boolean
  /** The first endpoint is a web socket that announces heads in this way. */
  socket: SocketFault | undefined
  /** Triggers on the logs, the transactions and the calls of the same blocks, with subscriptions that come and go. */
  isMixed: boolean
}

/**
 * Each call goes to one of several nodes, which are so many milliseconds behind, about as many blocks as a tenth of a second each.
 * `unknownHash`: what a node answers to a request for the logs of a block that it does not have.
 */
export type Balancer = { lagsMs: readonly number[]; unknownHash: 'error' | 'empty' }
/** What the headers of the chain have as bloom. */
export type Bloom = 'true' | 'zero' | 'absent' | 'full'

export type Refusal = 'nothing' | 'logs-without-address' | 'logs-by-hash' | 'logs' | 'logs-and-block-receipts'

const refusals: readonly Refusal[] = [
  'nothing',
  'nothing',
  'logs-without-address',
  'logs-by-hash',
  'logs',
  'logs-and-block-receipts',
]

export function traitsOf(seed: number): Traits {
  const chance = makeChance(seed + 3e6)
  const refusal = (): Refusal => refusals[chance.below(refusals.length)] ?? 'nothing'
  const traits = {
    numbersPerTransaction: chance.happens(0.4),
    lateMs: chance.happens(0.4) ? 50 + chance.below(300) : 0,
    hasUnreadableTransactions: chance.happens(0.3),
    namesContract: chance.happens(0.5),
    refusals: [refusal(), refusal()],
    hasFactory: chance.happens(0.4),
  }
  const behind = makeChance(seed + 7e6)
  const traces = (): TraceMethod => (chance.happens(0.5) ? 'debug_traceBlockByHash' : 'trace_block')
  return {
    ...traits,
    watchesCalls: chance.happens(0.4) && !traits.hasUnreadableTransactions && !traits.hasFactory,
    traces: [traces(), traces()],
    lateTracesMs: chance.happens(0.5) ? 50 + chance.below(600) : 0,
    ...balancedBy(behind),
    hasLargeBlocks: behind.happens(0.1),
    socket: socketOf(seed),
    isMixed: makeChance(seed + 11e6).happens(0.4) && !traits.hasUnreadableTransactions,
  }
}

const blooms: readonly Bloom[] = ['true', 'zero', 'absent', 'full']

function balancedBy(chance: Chance): Pick<Traits, 'balancer' | 'bloom'> {
  const isBalanced = chance.happens(0.4)
  const lagsMs = isBalanced ? [0, chance.below(200), chance.below(600)] : [0]
  const unknownHash = chance.happens(0.5) ? 'empty' : 'error'
  const bloom = chance.happens(0.5) ? (blooms[chance.below(blooms.length)] ?? 'true') : 'true'
  return { balancer: { lagsMs, unknownHash }, bloom }
}

/** Without useful blooms nothing shows that a node left a part of the logs out, so none does: a node that lags has none of them. */
export function hasUsefulBlooms({ bloom }: Traits): boolean {
  return bloom === 'true'
}

/** Whether an endpoint of the chain serves logs that can be checked for completeness. */
export function hasCheckableLogs({ refusals }: Traits): boolean {
  return refusals.some((refusal) => refusal !== 'logs-without-address')
}
