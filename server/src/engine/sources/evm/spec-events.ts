import type { TriggerSpec } from '@tocsin/contract'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { abiItems, type EvmItem, namedItems } from './abi/abi-items.ts'
import { knownEvents } from './abi/known-events.ts'

export type EvmLogSpec = Extract<TriggerSpec, { type: 'evm_log' }>

/** One event that a spec matches. For an event without `indexed` marks, `known` lists common events with its signature. */
export type SpecEvent = { item: EvmItem; known?: EvmItem[] }

/** Undefined when the spec matches any event. A name may have several overloads. */
export async function specEvents(spec: EvmLogSpec): Promise<SpecEvent[] | undefined> {
  const items = await specItems(spec)
  return items && Promise.all(items.map(withKnown))
}

async function withKnown(item: EvmItem): Promise<SpecEvent> {
  return item.isUnmarked ? { item, known: await knownItems(item) } : { item }
}

async function specItems({ abiFragment, event }: EvmLogSpec): Promise<EvmItem[] | undefined> {
  if (abiFragment !== undefined) return abiEvents(abiFragment, event)
  if (event === undefined) return undefined
  if (!event.includes('('))
    throw new UpstreamError(
      'refused',
      `event ${event} is only a name: give its signature, or an abiFragment that holds it`,
    )
  const [item] = await abiEvents(event, undefined)
  if (!item) throw new UpstreamError('refused', `event ${event} is not the signature of an event`)
  return [item]
}

/** With the names of the signature itself, if it has any. */
async function knownItems(item: EvmItem): Promise<EvmItem[]> {
  const known = await knownEvents(item.signature)
  return known.map(({ inputs }) => ({
    ...item,
    inputs: item.inputs.map((input, index) => ({
      ...input,
      indexed: inputs[index]?.indexed === true,
      name: input.name || inputs[index]?.name,
    })),
  }))
}

async function abiEvents(fragment: unknown, name: string | undefined): Promise<EvmItem[]> {
  const all = (await abiItems(fragment, 'event')).filter(({ type }) => type === 'event')
  const events = name === undefined ? all : await namedItems(all, name)
  if (events.length === 0) throw new UpstreamError('refused', `abiFragment has no event ${name ?? ''}`.trimEnd())
  return events
}
