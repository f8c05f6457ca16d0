import type { TriggerSpec } from '@tocsin/contract'
import { UpstreamError } from '../../world.ts'
import { abiItems, type EvmItem, namedItems } from './abi-items.ts'

export type EvmLogSpec = Extract<TriggerSpec, { type: 'evm_log' }>

/** The events that a spec matches. Of a bare signature it is not known which parameters are indexed. */
export type SpecEvents = { items: EvmItem[]; isBareSignature: boolean }

/** Undefined when it matches any. A name may stand for several overloads. */
export async function specEvents({ abiFragment, event }: EvmLogSpec): Promise<SpecEvents | undefined> {
  if (abiFragment !== undefined) return { items: await abiEvents(abiFragment, event), isBareSignature: false }
  if (event === undefined) return undefined
  if (!event.includes('('))
    throw new UpstreamError(
      'refused',
      `event ${event} is only a name: give its signature, or an abiFragment that holds it`,
    )
  const [item] = await abiEvents(event, undefined)
  if (!item) throw new UpstreamError('refused', `event ${event} is not the signature of an event`)
  return { items: [item], isBareSignature: !/\bindexed\b/.test(event) }
}

async function abiEvents(fragment: unknown, name: string | undefined): Promise<EvmItem[]> {
  const all = (await abiItems(fragment, 'event')).filter(({ type }) => type === 'event')
  const events = name === undefined ? all : await namedItems(all, name)
  if (events.length === 0) throw new UpstreamError('refused', `abiFragment holds no event ${name ?? ''}`.trimEnd())
  return events
}
