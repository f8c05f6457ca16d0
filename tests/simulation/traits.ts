import { makeChance } from './chance.ts'

/** What one chain and its nodes do all the time, drawn from its seed. The troubles of the moment come on top of it. */
export type Traits = {
  /** Log indexes begin at 0 in every transaction instead of in every block. */
  numbersPerTransaction: boolean
  /** A block can be read this long after it is announced as the head. */
  lateMs: number
  /** Transactions have a type that nobody knows; a trigger on transactions listens beside the one on logs. */
  hasUnreadableTransactions: boolean
  /** The trigger names its contract, so that logs may be asked for by contract. */
  namesContract: boolean
  /** What each of the two endpoints refuses in words. */
  refusals: readonly Refusal[]
}

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
  return {
    numbersPerTransaction: chance.happens(0.4),
    lateMs: chance.happens(0.4) ? 50 + chance.below(300) : 0,
    hasUnreadableTransactions: chance.happens(0.3),
    namesContract: chance.happens(0.5),
    refusals: [refusal(), refusal()],
  }
}

/** Whether an endpoint of the chain gives logs that can be checked for completeness. */
export function hasCheckableLogs({ refusals }: Traits): boolean {
  return refusals.some((refusal) => refusal !== 'logs-without-address')
}
