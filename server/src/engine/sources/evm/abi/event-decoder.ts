import type { EvmLog } from '../contents.ts'
import type { EvmItem, EvmParameter } from './abi-items.ts'
import { decoderOf, isCanonical } from './codec.ts'
import { hashSignature } from './keccak.ts'
import { isUsable } from './plain-value.ts'
import { type StaticReader, staticReader } from './static-values.ts'

export type DecodedEvent = {
  event: string
  args: unknown[]
  params: Record<string, unknown>
  /** Why `args` and `params` are empty although the log holds values. */
  undecoded?: string
}

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

/** Arguments in their order, from the topics and from the values of the data. */
function argsTaker(event: EvmItem, firstTopic: number): (topics: Topics, values: unknown[]) => DecodedEvent {
  let [topic, value] = [firstTopic, 0]
  const places = event.inputs.map((input) => ({
    at: input.indexed ? topic++ : value++,
    readTopic: input.indexed ? topicReader(input) : undefined,
    name: isUsable(input.name) ? input.name : undefined,
  }))
  // What is copied has all names already, so that none is added one by one.
  const names = Object.fromEntries(places.flatMap(({ name }) => (name === undefined ? [] : [[name, null]])))
  return (topics, values) => {
    const args: unknown[] = []
    const params: Record<string, unknown> = { ...names }
    for (const { at, readTopic, name } of places) {
      const arg = readTopic ? readTopic(topics[at] ?? '', 2) : values[at]
      args.push(arg)
      if (name !== undefined) params[name] = arg
    }
    return { event: event.name, args, params }
  }
}

/** What does not fit into a topic stands there as its hash, and is shown as that. */
function topicReader(parameter: EvmParameter): StaticReader['read'] {
  const isHashed = parameter.components !== undefined || /^(?:string|bytes)$|\]$/.test(parameter.type)
  const read = isHashed ? undefined : staticReader(parameter)?.read
  return read ?? ((topic) => topic)
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
