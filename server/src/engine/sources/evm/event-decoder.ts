import type { EvmItem, EvmParameter } from './abi-items.ts'
import { decoderOf, isCanonical } from './codec.ts'
import type { EvmLog } from './contents.ts'
import { hashSignature } from './keccak.ts'
import { isUsable } from './plain-value.ts'

export type DecodedEvent = { event: string; args: unknown[]; params: Record<string, unknown> }

/** One form in which an event stands in a log. */
export type EventForm = {
  /** Absent on an anonymous event. */
  topic0?: string
  topicsCount: number
  /** What `args` and `params` are decoded from; none when they are left empty. */
  inputs: readonly EvmParameter[]
}

export type EventDecoder = {
  /** A log that has none of these is not this event; one that has may still not be it. */
  forms: readonly EventForm[]
  /** Undefined when the log does not hold this event. */
  decode(log: EvmLog): DecodedEvent | undefined
}

/** Made once for each event, so that a log costs no look at the ABI. */
export function eventDecoder(event: EvmItem): EventDecoder {
  const { inputs } = event
  const topic0 = event.anonymous ? undefined : hashSignature(event.signature)
  const topicDecoders = inputs.filter(({ indexed }) => indexed).map(topicDecoder)
  const first = topic0 === undefined ? 0 : 1
  const topicsCount = first + topicDecoders.length
  const takeData = dataDecoder(event)
  const nameArgs = namer(event)
  return {
    forms: [{ topic0, topicsCount, inputs }],
    decode({ topics, data }) {
      if (topics.length !== topicsCount || (topic0 !== undefined && topics[0] !== topic0)) return undefined
      try {
        const indexed = topicDecoders.map((decode, index) => decode(topics[first + index] ?? ''))
        return nameArgs(indexed, takeData(data))
      } catch {
        return undefined
      }
    },
  }
}

/** What does not fit into a topic stands there as its hash, and is shown as that. */
function topicDecoder(parameter: EvmParameter): (topic: string) => unknown {
  const isHashed = parameter.components !== undefined || /^(?:string|bytes)$|\]$/.test(parameter.type)
  if (isHashed) return (topic) => topic
  const decode = decoderOf([parameter])
  return (topic) => decode(topic)[0]
}

/** With no signature in the topics, an anonymous event is known by its data alone, which must be exactly as encoded. */
function dataDecoder(event: EvmItem): (data: string) => unknown[] {
  const parameters = event.inputs.filter(({ indexed }) => !indexed)
  const decode = decoderOf(parameters)
  if (!event.anonymous) return decode
  return (data) => {
    if (!isCanonical(parameters, data)) throw new RangeError('not this event')
    return decode(data)
  }
}

function namer({ name: event, inputs }: EvmItem): (indexed: unknown[], unindexed: unknown[]) => DecodedEvent {
  return (indexed, unindexed) => {
    const args: unknown[] = []
    const params: Record<string, unknown> = {}
    let inTopics = 0
    for (const input of inputs) {
      const value = input.indexed ? indexed[inTopics++] : unindexed[args.length - inTopics]
      args.push(value)
      if (isUsable(input.name)) params[input.name] = value
    }
    return { event, args, params }
  }
}
