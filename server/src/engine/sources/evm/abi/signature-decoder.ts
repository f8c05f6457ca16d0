import type { EvmItem } from './abi-items.ts'
import { type DecodedEvent, type EventDecoder, type EventForm, eventDecoder } from './event-decoder.ts'

const topicsMax = 4

/**
 * Decodes logs of an event whose signature does not say which inputs are indexed. The number of topics decides: none or
 * all inputs are indexed, or as many as in one of the `known` events with this signature. A log with any other number
 * matches without args and says why, because a guess would show wrong amounts.
 */
export function signatureDecoder(item: EvmItem, known: readonly EvmItem[]): EventDecoder {
  const decoders = new Map<number, EventDecoder>()
  for (const each of [...known, ...plainForms(item, known)]) {
    const decoder = eventDecoder(each)
    const topicsCount = decoder.forms[0]?.topicsCount ?? 0
    if (!decoders.has(topicsCount)) decoders.set(topicsCount, decoder)
  }
  const settled = [...decoders.values()].flatMap(({ forms }) => forms)
  const topic0 = settled[0]?.topic0
  const unsettled = formsBetween(topic0, item.inputs.length).filter(({ topicsCount }) => !decoders.has(topicsCount))
  return {
    forms: [...settled, ...unsettled].sort((a, b) => a.topicsCount - b.topicsCount),
    decode(log) {
      if (log.topics[0] !== topic0) return undefined
      const decoder = decoders.get(log.topics.length)
      if (decoder) return decoder.decode(log)
      return log.topics.length <= item.inputs.length ? undecoded(item, log.topics.length - 1) : undefined
    },
  }
}

/** No input is indexed, or all are. Names that the signature omits come from a known event. */
function plainForms(item: EvmItem, [known]: readonly EvmItem[]): EvmItem[] {
  const named = item.inputs.map((input, index) => (input.name ? input : { ...input, name: known?.inputs[index]?.name }))
  const withIndexed = (indexed: boolean) => ({ ...item, inputs: named.map((input) => ({ ...input, indexed })) })
  return [withIndexed(false), ...(item.inputs.length < topicsMax ? [withIndexed(true)] : [])]
}

function undecoded({ name, signature, inputs }: EvmItem, indexed: number): DecodedEvent {
  const why = `${indexed} of ${inputs.length} inputs are indexed, and the signature ${signature} does not say which.`
  return { event: name, args: [], params: {}, undecoded: why }
}

/** Some of the inputs are indexed, but it is unknown which. */
function formsBetween(topic0: string | undefined, inputsCount: number): EventForm[] {
  const most = Math.min(topicsMax, inputsCount)
  return Array.from({ length: Math.max(0, most - 1) }, (_, index) => ({ topic0, topicsCount: index + 2, inputs: [] }))
}
