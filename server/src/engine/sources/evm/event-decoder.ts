import type { EvmItem, EvmParameter } from './abi-items.ts'
import { decoderOf, isCanonical } from './codec.ts'
import type { EvmLog } from './contents.ts'
import { hashSignature } from './keccak.ts'
import { isUsable } from './plain-value.ts'

export type DecodedEvent = { event: string; args: unknown[]; params: Record<string, unknown> }

export type EventDecoder = {
  /** Absent on an anonymous event. */
  topic0?: string
  /** Undefined when the log does not hold this event. */
  decode(log: EvmLog): DecodedEvent | undefined
}

/** Made once for each trigger, so that a log costs no look at the ABI. */
export function eventDecoder(event: EvmItem): EventDecoder {
  const topic0 = event.anonymous ? undefined : hashSignature(event.signature)
  const takeTopics = topicsDecoder(event, topic0 === undefined ? 0 : 1)
  const takeData = dataDecoder(event)
  return {
    topic0,
    decode(log) {
      if (log.topics[0] !== topic0 && topic0 !== undefined) return undefined
      try {
        const indexed = takeTopics(log.topics)
        return indexed && nameArgs(event, indexed, takeData(log.data))
      } catch {
        return undefined
      }
    },
  }
}

function topicsDecoder(event: EvmItem, first: number): (topics: readonly string[]) => unknown[] | undefined {
  const decoders = event.inputs.filter(({ indexed }) => indexed).map(topicDecoder)
  return (topics) => {
    if (topics.length !== first + decoders.length) return undefined
    return decoders.map((decode, index) => decode(topics[first + index] ?? ''))
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
  return (data) => {
    if (event.anonymous && !isCanonical(parameters, data)) throw new RangeError('not this event')
    return parameters.length === 0 ? [] : decode(data)
  }
}

function nameArgs(event: EvmItem, indexed: unknown[], unindexed: unknown[]): DecodedEvent {
  const args = event.inputs.map((input) => (input.indexed ? indexed.shift() : unindexed.shift()))
  const named = event.inputs.flatMap(({ name }, index): [string, unknown][] =>
    isUsable(name) ? [[name, args[index]]] : [],
  )
  return { event: event.name, args, params: Object.fromEntries(named) }
}
