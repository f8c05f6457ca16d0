import type { EvmItem } from './abi-items.ts'
import { type DecodedEvent, type EventDecoder, type EventForm, eventDecoder } from './event-decoder.ts'

const topicsMax = 4

/**
 * A signature does not say which of its parameters are indexed. Where the topics leave no doubt (none of them, or all)
 * the values are decoded; elsewhere the log matches without args, because a guess would show wrong amounts.
 */
export function signatureDecoder(item: EvmItem): EventDecoder {
  const withIndexed = (indexed: boolean) => ({ ...item, inputs: item.inputs.map((input) => ({ ...input, indexed })) })
  const none = eventDecoder(withIndexed(false))
  const all = eventDecoder(withIndexed(true))
  const topic0 = none.forms[0]?.topic0
  const undecoded = (): DecodedEvent => ({ event: item.name, args: [], params: {} })
  return {
    forms: [...none.forms, ...formsBetween(topic0, item.inputs.length), ...(item.inputs.length > 0 ? all.forms : [])],
    decode(log) {
      if (log.topics[0] !== topic0) return undefined
      if (log.topics.length === 1) return none.decode(log)
      if (log.topics.length === item.inputs.length + 1) return all.decode(log)
      return log.topics.length <= item.inputs.length ? undecoded() : undefined
    },
  }
}

/** Some of the inputs are indexed, and nobody knows which. */
function formsBetween(topic0: string | undefined, inputsCount: number): EventForm[] {
  const most = Math.min(topicsMax, inputsCount)
  return Array.from({ length: Math.max(0, most - 1) }, (_, index) => ({ topic0, topicsCount: index + 2, inputs: [] }))
}
