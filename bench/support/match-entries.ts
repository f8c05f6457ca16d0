import type { CallBlock } from './call-blocks.ts'
import { type EvmBlock, makeChance, randomHex } from './evm-blocks.ts'
import type { KnownEvent, Wanted } from './match-registry.ts'

const people = 'address indexed from, address indexed to'
const transferEvent = known(1, `event Transfer(${people}, uint256 value)`)
const otherEvents: KnownEvent[] = [
  known(1, `event Approval(${people}, uint256 value)`),
  known(
    4,
    'event Swap(address indexed from, uint256 value, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
  ),
  known(5, `event Swap(${people}, int256 value, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)`),
]

function known(words: number, abiFragment: string): KnownEvent {
  return { abiFragment, dataBytes: 32 * words }
}

/**
 * The condition of triggers on amounts. `common`: many events reach the amount. `rare`: no event of the blocks reaches it.
 * `excepting`: common, but not from one sender. `verified`: common, but not from senders whose address has a prefix; before
 * the index proved prefixes, each of its hits was checked on the decoded item. `matching`: the same with a pattern, which
 * the index cannot prove.
 */
export type Amounts = 'common' | 'rare' | 'excepting' | 'verified' | 'matching'

/**
 * More than half of the triggers name contracts of the blocks, and half of these listen to transfers. Half of those ask for
 * one receiver, which some blocks contain; all others ask for an amount. The number of hits decides the cost, so the
 * benchmark measures all kinds of amounts. With 100,000 triggers a made block has about 4,000 hits on common amounts.
 */
export function triggersFor(blocks: EvmBlock[], amounts: Amounts): (at: number) => Wanted {
  const { contracts, people, largest } = whoIsIn(blocks)
  return (at) => {
    const chance = chanceOf(at)
    const event = chance() < 0.5 ? transferEvent : of(otherEvents, chance)
    const contract = chance() < 0.55 ? of(contracts, chance) : `0x${randomHex(20, chance)}`
    const receiver = chance() < 0.05 ? of(people, chance) : `0x${randomHex(20, chance)}`
    const most = (largest.get(contract) ?? 1n) * BigInt(2 + Math.floor(chance() * 100))
    const isReceiver = event === transferEvent && chance() < 0.5
    if (isReceiver) return { event, contract, conditions: { param: 'to', op: 'eq', value: receiver } }
    const isMore = { param: 'value', op: 'gt', value: amounts === 'rare' ? String(most) : '1000000000000000' } as const
    if (amounts === 'common' || amounts === 'rare') return { event, contract, conditions: isMore }
    const isFrom = { param: 'from', ...senders(amounts, receiver) }
    return { event, contract, conditions: { all: [isMore, { not: isFrom }] } }
  }
}

function senders(amounts: Amounts, wallet: string) {
  if (amounts === 'excepting') return { op: 'eq', value: wallet } as const
  if (amounts === 'verified') return { op: 'startsWith', value: wallet.slice(0, 12) } as const
  return { op: 'matches', value: `^${wallet.slice(0, 12)}` } as const
}

const methods = [
  'transfer(address to, uint256 value)',
  'approve(address to, uint256 value)',
  'mint(address to, uint256 value)',
]

/** Half of the triggers are on logs; the other half on calls of the blocks' contracts, by receiver or by amount. */
export function mixedFor(
  blocks: CallBlock[],
  onLogs: (at: number) => Wanted,
  amounts: 'common' | 'rare',
): (at: number) => Wanted {
  const calls = blocks.flatMap(({ calls }) => calls)
  return (at) => {
    const chance = chanceOf(at)
    if (chance() < 0.5) return onLogs(at)
    const { to, person } = of(calls, chance)
    const contract = chance() < 0.55 ? to : `0x${randomHex(20, chance)}`
    const method = of(methods, chance)
    if (chance() < 0.5) {
      const value = chance() < 0.05 ? person : `0x${randomHex(20, chance)}`
      return { method, contract, conditions: { param: 'to', op: 'eq', value } }
    }
    const value = amounts === 'rare' ? String(10n ** 30n) : '1000000000000000'
    return { method, contract, conditions: { param: 'value', op: 'gt', value } }
  }
}

/** Subscriptions of one trigger to everything that a wallet sends or receives. Ten wallets are in the blocks, and one in ten thousand of the rest. */
export function walletsFor(blocks: EvmBlock[]): (at: number) => Wanted {
  const { people } = whoIsIn(blocks)
  return (at) => {
    const chance = chanceOf(at)
    const value = at < 10 || at % 10_000 === 0 ? of(people, chance) : `0x${randomHex(20, chance)}`
    const sends = { param: 'from', op: 'eq', value } as const
    const receives = { param: 'to', op: 'eq', value } as const
    return { trigger: 'wallets', event: transferEvent, conditions: { any: [sends, receives] } }
  }
}

export function firstThousand(here: (at: number) => Wanted, others: (at: number) => Wanted): (at: number) => Wanted {
  return (at) => (at < 1_000 ? here(at) : others(at))
}

function whoIsIn(blocks: EvmBlock[]) {
  const logs = blocks.flatMap((block) => block.logs)
  const people = logs.flatMap(({ topics }) => (topics.length === 3 ? topics.slice(1) : []))
  const largest = new Map<string, bigint>()
  for (const { address, data } of logs) {
    const amount = data.length < 66 ? 0n : BigInt(data.slice(0, 66))
    if (amount > (largest.get(address) ?? 0n)) largest.set(address, amount)
  }
  return {
    largest,
    contracts: [...new Set(logs.map(({ address }) => address))],
    people: [...new Set(people.map((topic) => `0x${topic.slice(26)}`))],
  }
}

/** Drops the first numbers, because neighbouring seeds begin with similar ones. */
function chanceOf(at: number): () => number {
  const chance = makeChance(Math.imul(at + 1, 2_654_435_761))
  for (let skipped = 0; skipped < 4; skipped++) chance()
  return chance
}

function of<T>(list: readonly T[], chance: () => number): T {
  const one = list[Math.floor(chance() * list.length)]
  if (one === undefined) throw new Error('The blocks hold no logs to make triggers for')
  return one
}
