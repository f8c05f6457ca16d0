/** How often each event and call happened in the latest blocks, on chains where the service has no count of its own. */
import type { BodyInput, Routes } from '@tocsin/contract'
import type { Answered, Client } from '@tocsin/sdk'
import { type Inspected, isFields, type Offer } from './offers.ts'

type Definition = NonNullable<BodyInput<Routes['backtestTrigger']>['definition']>
export type Spec = NonNullable<Definition['triggerSpec']>
type Backtest = Answered<'backtestTrigger'>['body']

/** The items that happened, by the key of their offer, in the blocks that were read whole. */
export type Activity = {
  looked: NonNullable<Inspected['looked']>
  items: Map<string, { count: number; latest: NonNullable<Offer['latest']> }>
}

/** The most samples that a backtest gives. */
const samples = 100

/** Counts what matches the specs: one for events, one for calls. Each spec names no event or call, so it matches all. */
export async function readActivity(
  api: Pick<Client, 'backtestTrigger'>,
  workspace: string,
  specs: readonly Spec[],
  options: { lastBlocks: number; signal: AbortSignal },
): Promise<Activity> {
  const { lastBlocks, signal } = options
  const backtests = await Promise.all(
    specs.map((spec) =>
      api.backtestTrigger({ body: { definition: definitionOf(workspace, spec), lastBlocks, samples }, signal }),
    ),
  )
  const looked = {
    fromBlock: Math.min(...backtests.map(({ fromBlock = 0 }) => fromBlock)),
    toBlock: Math.min(...backtests.map(lastWholeBlock)),
    ...reasonOf(backtests),
  }
  const activity: Activity = { looked, items: new Map() }
  for (const { result } of backtests)
    for (const { block, item } of result?.samples ?? [])
      if (block <= looked.toBlock) countItem(activity.items, block, item)
  return activity
}

function definitionOf(workspace: string, triggerSpec: Spec): Definition {
  const project = `${workspace}.activity`
  const names = { name: 'recent', fullname: `${project}.recent`, project, workspace }
  return { ...names, backend: { type: 'sdk' }, inputs: {}, meta: { title: 'Recent activity' }, triggerSpec }
}

/** If there are more items than samples, the block of the last sample may have further ones. */
function lastWholeBlock({ toBlock = 0, result }: Backtest): number {
  const last = result?.samples.at(-1)
  return last && result && result.fired > result.samples.length ? last.block - 1 : toBlock
}

function reasonOf(backtests: readonly Backtest[]): { reason?: string } {
  const message = backtests.flatMap(({ issues, result }) => [...issues, ...(result?.issues ?? [])]).at(0)?.message
  return message === undefined ? {} : { reason: `Some blocks could not be read: ${message}` }
}

function countItem(items: Activity['items'], block: number, item: Record<string, unknown>): void {
  const { event, call, instruction } = item
  const key = typeof event === 'string' ? `event ${event}` : `call ${call ?? instruction}`
  const { count = 0 } = items.get(key) ?? {}
  const params = [item.params, item.args].find(isFields) ?? {}
  items.set(key, { count: count + 1, latest: { block, transaction: '', params } })
}

/** The offers with their counts, the frequent ones first. */
export function withActivity(offers: readonly Offer[], activity: Activity | undefined): Offer[] {
  if (!activity) return [...offers]
  return offers
    .map((offer) => ({ ...offer, count: 0, ...activity.items.get(offer.key) }))
    .sort((one, other) => other.count - one.count)
}
