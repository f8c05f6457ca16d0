import { isObject } from '../../engine/base/is-object.ts'
import { referencesIn } from '../../engine/base/placeholders.ts'
import type { Listener, LiveTrigger } from '../listeners/listener.ts'

/** Listeners that share a run: they gave the same inputs, or the trigger does not look at them. */
export type Sharing = { inputs: Record<string, unknown>; listeners: Listener[] }

/**
 * A trigger whose definition never says `inputs` runs once for each item, with none: a hundred thousand subscribers with
 * a wallet each cost one run, and no script can find the inputs of one in a run that serves another.
 */
export function shareRuns(trigger: LiveTrigger, listeners: readonly Listener[]): Sharing[] {
  if (!looksAtInputs(trigger)) return listeners.length > 0 ? [{ inputs: {}, listeners: [...listeners] }] : []
  const shared = new Map<string, Sharing>()
  for (const listener of listeners) {
    const key = textOf(listener.inputs)
    const known = shared.get(key)
    if (known) known.listeners.push(listener)
    else shared.set(key, { inputs: listener.inputs, listeners: [listener] })
  }
  return [...shared.values()]
}

const known = new WeakMap<LiveTrigger['runnable'], boolean>()

export function looksAtInputs({ runnable }: Pick<LiveTrigger, 'runnable'>): boolean {
  const answer = known.get(runnable) ?? mentionsInputs([runnable.providers, runnable.activation, runnable.transform])
  known.set(runnable, answer)
  return answer
}

function mentionsInputs(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('inputs') || refersToInputs(value)
  if (Array.isArray(value)) return value.some(mentionsInputs)
  return isObject(value) && Object.values(value).some(mentionsInputs)
}

/** However a placeholder is spelled. */
function refersToInputs(text: string): boolean {
  return text.includes('{{') && referencesIn(text).some(({ segments }) => segments[0] === 'inputs')
}

const texts = new WeakMap<object, string>()

/** The order in which a subscription wrote its inputs does not matter. */
function textOf(inputs: Record<string, unknown>): string {
  const text = texts.get(inputs) ?? JSON.stringify(Object.entries(inputs).sort(([a], [b]) => (a < b ? -1 : 1)))
  texts.set(inputs, text)
  return text
}
