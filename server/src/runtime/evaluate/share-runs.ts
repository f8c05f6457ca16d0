import { isObject } from '../../engine/base/is-object.ts'
import { referencesIn } from '../../engine/base/placeholders.ts'
import type { Listener, LiveTrigger } from '../listeners/live-trigger.ts'

/** Listeners that share a run: they gave the same inputs, or the trigger does not use inputs. */
export type SharedRun = { inputs: Record<string, unknown>; listeners: Listener[] }

/**
 * A trigger whose definition never mentions `inputs` runs once for each item, without inputs: a hundred thousand
 * subscribers with a wallet each cost one run. A run never holds the inputs of one listener while it serves another.
 */
export function shareRuns(trigger: LiveTrigger, listeners: readonly Listener[]): SharedRun[] {
  if (!usesInputs(trigger)) return listeners.length > 0 ? [{ inputs: {}, listeners: [...listeners] }] : []
  const shared = new Map<string, SharedRun>()
  for (const listener of listeners) {
    const key = keyOf(listener.inputs)
    const run = shared.get(key)
    if (run) run.listeners.push(listener)
    else shared.set(key, { inputs: listener.inputs, listeners: [listener] })
  }
  return [...shared.values()]
}

const usesInputsCache = new WeakMap<LiveTrigger['runnable'], boolean>()

export function usesInputs({ runnable }: Pick<LiveTrigger, 'runnable'>): boolean {
  const answer = usesInputsCache.get(runnable) ?? mentionsInputs(partsWithInputs(runnable))
  usesInputsCache.set(runnable, answer)
  return answer
}

function partsWithInputs({ providers, activation, conditions, transform }: LiveTrigger['runnable']): unknown[] {
  return [providers, activation, conditions, transform]
}

function mentionsInputs(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('inputs') || refersToInputs(value)
  if (Array.isArray(value)) return value.some(mentionsInputs)
  return isObject(value) && Object.values(value).some(mentionsInputs)
}

/** Placeholders may be spelled in several ways, so they are parsed. */
function refersToInputs(text: string): boolean {
  return text.includes('{{') && referencesIn(text).some(({ segments }) => segments[0] === 'inputs')
}

export function hasSameInputs(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  return keyOf(a) === keyOf(b)
}

const inputKeys = new WeakMap<object, string>()

/** The same inputs in another order give the same key. */
function keyOf(inputs: Record<string, unknown>): string {
  const key = inputKeys.get(inputs) ?? JSON.stringify(Object.entries(inputs).sort(([a], [b]) => (a < b ? -1 : 1)))
  inputKeys.set(inputs, key)
  return key
}
