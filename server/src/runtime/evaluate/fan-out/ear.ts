import { createHash } from 'node:crypto'
import { parsePath, readPath } from '../../../engine/base/paths.ts'
import { compileConditions } from '../../../engine/conditions/index.ts'
import { mayUseAddresses, type Templates, templatesOf } from '../../../engine/message/index.ts'
import type { Listener, LiveTrigger } from '../../listeners/listener.ts'

/** A listener made ready to judge outputs. */
export type Ear = {
  listener: Listener
  isMet(raw: unknown, item: unknown): boolean
  templates: Templates
  usesAddresses: boolean
  /** Without a key in the policy all outputs share one. */
  policyKey(raw: unknown): string
  /** Null for continuous delivery. */
  deliveryKey(raw: unknown): string | null
}

const kept = new WeakMap<LiveTrigger, Map<string, Ear>>()

/** Made once for each listener of a trigger as it stands; an edit brings other objects. */
export function earOf(trigger: LiveTrigger, listener: Listener): Ear {
  const ears = kept.get(trigger) ?? new Map<string, Ear>()
  kept.set(trigger, ears)
  const known = ears.get(listener.key)
  if (known?.listener === listener) return known
  const made = makeEar(trigger, listener)
  ears.set(listener.key, made)
  return made
}

function makeEar({ definition }: LiveTrigger, listener: Listener): Ear {
  const { conditions, inputs, overrides, policy, delivery } = listener
  const { filtersSchema } = definition
  const templates = templatesOf(definition.defaults, overrides)
  const policyPath = policy && 'key' in policy ? policy.key : undefined
  const { mode, keyPath } = delivery
  return {
    listener,
    isMet: compileConditions(conditions, { inputs, ...(filtersSchema && { filtersSchema }) }),
    templates,
    usesAddresses: mayUseAddresses(templates),
    policyKey: policyPath === undefined ? () => '' : keyReader(policyPath),
    deliveryKey: deliveryKeyOf(mode, keyPath),
  }
}

function deliveryKeyOf(mode: Listener['delivery']['mode'], keyPath: string | undefined): Ear['deliveryKey'] {
  if (mode === 'continuous') return () => null
  if (mode === 'once' || keyPath === undefined) return () => 'once'
  const read = keyReader(keyPath)
  return (raw) => `key ${read(raw)}`
}

const keyLengthMax = 300

/** The value as text that can be stored and compared; addresses are the same whatever their case. What is missing is one key. */
function keyReader(path: string): (raw: unknown) => string {
  const segments = parsePath(path)
  return (raw) => {
    const value = readPath(raw, segments)
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    const key = text.toLowerCase().replaceAll('\0', '').toWellFormed()
    return key.length <= keyLengthMax ? key : createHash('sha256').update(key).digest('hex')
  }
}
