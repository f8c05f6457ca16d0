import type { TriggerSpec } from '@tocsin/contract'
import { UpstreamError } from '../../world.ts'
import { abiItems, type EvmItem, namedItems } from './abi-items.ts'
import { type DecodedEvent, type EventDecoder, eventDecoder } from './event-decoder.ts'

export type EvmLogSpec = Extract<TriggerSpec, { type: 'evm_log' }>

/** The events that a spec matches; undefined when it matches any. A name may stand for several overloads. */
export async function specEvents(spec: EvmLogSpec): Promise<EventDecoder[] | undefined> {
  const { abiFragment, event } = spec
  if (abiFragment !== undefined) return (await abiEvents(abiFragment, event)).map(eventDecoder)
  if (event === undefined) return undefined
  if (!event.includes('('))
    throw new UpstreamError(
      'refused',
      `event ${event} is only a name: give its signature, or an abiFragment that holds it`,
    )
  const [item] = await abiEvents(event, undefined)
  if (!item) throw new UpstreamError('refused', `event ${event} is not the signature of an event`)
  return [/\bindexed\b/.test(event) ? eventDecoder(item) : signatureDecoder(item)]
}

async function abiEvents(fragment: unknown, name: string | undefined): Promise<EvmItem[]> {
  const all = (await abiItems(fragment, 'event')).filter(({ type }) => type === 'event')
  const events = name === undefined ? all : await namedItems(all, name)
  if (events.length === 0) throw new UpstreamError('refused', `abiFragment holds no event ${name ?? ''}`.trimEnd())
  return events
}

/**
 * A signature does not say which of its parameters are indexed. Where the topics leave no doubt (none of them, or all)
 * the values are decoded; elsewhere the log matches without args, because a guess would show wrong amounts.
 */
function signatureDecoder(item: EvmItem): EventDecoder {
  const withIndexed = (indexed: boolean) => ({ ...item, inputs: item.inputs.map((input) => ({ ...input, indexed })) })
  const none = eventDecoder(withIndexed(false))
  const all = eventDecoder(withIndexed(true))
  const undecoded = (): DecodedEvent => ({ event: item.name, args: [], params: {} })
  return {
    topic0: none.topic0,
    decode(log) {
      if (log.topics[0] !== none.topic0) return undefined
      if (log.topics.length === 1) return none.decode(log)
      if (log.topics.length === item.inputs.length + 1) return all.decode(log)
      return log.topics.length <= item.inputs.length ? undecoded() : undefined
    },
  }
}
