import type { EvmLog } from '../contents.ts'
import type { EvmItem, EvmParameter } from './abi-items.ts'
import { decoderOf, isCanonical } from './codec.ts'
import { hashSignature } from './keccak.ts'
import { paramsMaker } from './make-params.ts'
import { type StaticReader, staticReader } from './static-values.ts'

export type DecodedEvent = {
  event: string
  args: unknown[]
  params: Record<string, unknown>
  /** The reason why `args` and `params` are empty although the log has values. */
  undecoded?: string
}

/** One layout of an event in a log. */
export type EventForm = {
  /** Absent for an anonymous event. */
  topic0?: string
  topicsCount: number
  /** The inputs from which `args` and `params` are decoded; none when they stay empty. */
  inputs: readonly EvmParameter[]
}

export type EventDecoder = {
  /** A log without any of these layouts is not this event. A log with one may still not be it. */
  forms: readonly EventForm[]
  /** Undefined when the log does not contain this event. */
  decode(log: EvmLog): DecodedEvent | undefined
}

/** Built once for each event, so that decoding a log does not read the ABI. */
export function eventDecoder(event: EvmItem): EventDecoder {
  const { inputs } = event
  const topic0 = event.anonymous ? undefined : hashSignature(event.signature)
  const firstTopic = topic0 === undefined ? 0 : 1
  const topicsCount = firstTopic + inputs.filter(({ indexed }) => indexed).length
  const takeData = dataDecoder(event)
  const take = argsTaker(event, firstTopic)
  return {
    forms: [{ topic0, topicsCount, inputs }],
    decode({ topics, data }) {
      if (topics.length !== topicsCount || (topic0 !== undefined && topics[0] !== topic0)) return undefined
      try {
        return take(topics, takeData(data))
      } catch {
        return undefined
      }
    },
  }
}

type Topics = readonly string[]

/** The arguments in order, from the topics and from the data. */
function argsTaker(event: EvmItem, firstTopic: number): (topics: Topics, values: unknown[]) => DecodedEvent {
  let [topic, value] = [firstTopic, 0]
  const inputs = event.inputs.map((input) => ({
    at: input.indexed ? topic++ : value++,
    readTopic: input.indexed ? topicReader(input) : undefined,
  }))
  const makeParams = paramsMaker(event.inputs)
  return (topics, values) => {
    const args: unknown[] = []
    for (const { at, readTopic } of inputs) args.push(readTopic ? readTopic(topics[at] ?? '', 2) : values[at])
    return { event: event.name, args, params: makeParams(args) }
  }
}

/** A value that does not fit into a topic is stored there as its hash, and is shown as that hash. */
function topicReader(parameter: EvmParameter): StaticReader['read'] {
  const isHashed = parameter.components !== undefined || /^(?:string|bytes)$|\]$/.test(parameter.type)
  const read = isHashed ? undefined : staticReader(parameter)?.read
  return read ?? ((topic) => topic)
}

/** An anonymous event has no signature in the topics. It is recognised by its data, which must be exactly as encoded. */
function dataDecoder(event: EvmItem): (data: string) => unknown[] {
  const parameters = event.inputs.filter(({ indexed }) => !indexed)
  const decode = decoderOf(parameters)
  if (!event.anonymous) return decode
  return (data) => {
    if (!isCanonical(parameters, data)) throw new RangeError('not this event')
    return decode(data)
  }
}
