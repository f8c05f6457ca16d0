import { createHash } from 'node:crypto'
import {
  type BoundUnit,
  type Condition,
  type Finality,
  itemToken,
  type Overrides,
  type Policy,
  unitOfPolicy,
} from '@tocsin/contract'
import { formatUnits } from '../base/decimals.ts'
import { parsePath, readPath } from '../base/paths.ts'
import { compileConditions, needsItemToken, type TokenDecimals } from '../conditions/predicate.ts'
import {
  mayUseAddresses,
  type NetworkUse,
  networkUseOf,
  severityNeedsToken,
  type Templates,
  templatesOf,
} from '../message/index.ts'

/** One subscription to one trigger. A subscription through a template has one listener for each chosen rule. */
export type Listener = {
  /** `<subscription id>:<rule id>`; the rule id is empty without a template. */
  key: string
  /** Set if the inputs include the values of this binding of the trigger. */
  binding?: string
  subscriptionId: string
  ruleId: string
  triggerId: string
  accountId: string
  /** The subscription's workspace and the trigger's project. */
  workspaceId: string
  projectId: string
  inputs: Record<string, unknown>
  conditions: Condition | null
  /** The address lists that the conditions name; the conditions hold their addresses. */
  lists?: readonly string[]
  policy: Policy
  delivery: {
    mode: 'continuous' | 'once' | 'once_per_key'
    keyPath?: string | undefined
    finality?: Finality | undefined
  }
  overrides: Overrides
  /** Set while the subscription runs over past blocks; it is not live before the end. */
  history?: { source: string }
  resources: readonly { id: string; fullname: string; blueprint: string }[]
}

/** The part of a trigger that listeners need. */
export type SubscribedTrigger = {
  fullname: string
  project: string
  title: string
  /** A URL, or a text. */
  runbook?: string | null | undefined
  definition: { defaults?: unknown; filtersSchema?: Record<string, unknown> | undefined }
}

/** The part of a listener that decides which outputs it gets, and how. */
export type ListenerRules = Pick<
  Listener,
  'key' | 'binding' | 'accountId' | 'inputs' | 'conditions' | 'policy' | 'delivery' | 'overrides'
>

/** A listener with its conditions and keys compiled. */
export type CompiledListener<L extends ListenerRules = Listener> = {
  listener: L
  /** `tokens` has the decimals of the tokens below. */
  isMet(raw: unknown, item: unknown, tokens?: TokenDecimals): boolean
  /** The tokens in whose units the conditions and the policy compare amounts, as they name them. */
  tokens: readonly string[]
  templates: Templates
  usesAddresses: boolean
  networkUse: NetworkUse
  /** Without a key in the policy all outputs share the key ''. */
  policyKey(raw: unknown): string
  /** The value that the policy watches, in the unit of its bounds; undefined if it watches none. */
  policyValue(raw: unknown, tokens?: TokenDecimals): unknown
  /** Why there is no such value: the decimals of the unit are not known. */
  whyNoUnit(tokens?: TokenDecimals): string | undefined
  /** Null for continuous delivery. */
  deliveryKey(raw: unknown): string | null
}

const cache = new WeakMap<SubscribedTrigger, Map<string, CompiledListener<ListenerRules>>>()

/** Compiles a listener once. An edit of the trigger or the subscription makes new objects, so it is compiled again. */
export function compiledListener<L extends ListenerRules>(
  trigger: SubscribedTrigger,
  listener: L,
): CompiledListener<L> {
  const ofTrigger = cache.get(trigger) ?? new Map<string, CompiledListener<ListenerRules>>()
  cache.set(trigger, ofTrigger)
  const name = listener.binding === undefined ? listener.key : `${listener.key} ${listener.binding}`
  const known = ofTrigger.get(name)
  if (known && isOf(known, listener)) return known
  const compiled = compile(trigger, listener)
  ofTrigger.set(name, compiled)
  return compiled
}

function isOf<L extends ListenerRules>(
  known: CompiledListener<ListenerRules>,
  listener: L,
): known is CompiledListener<L> {
  return known.listener === listener
}

function compile<L extends ListenerRules>({ definition }: SubscribedTrigger, listener: L): CompiledListener<L> {
  const { conditions, inputs, overrides, policy, delivery } = listener
  const { filtersSchema } = definition
  const templates = templatesOf(definition.defaults, overrides)
  const policyPath = policy && 'key' in policy ? policy.key : undefined
  const valuePath = policy && 'value' in policy ? parsePath(policy.value) : undefined
  const unit = unitOfPolicy(policy)
  const { mode, keyPath } = delivery
  return {
    listener,
    isMet: compileConditions(conditions, { inputs, ...(filtersSchema && { filtersSchema }) }),
    tokens: [
      ...new Set([
        ...(needsItemToken(conditions, filtersSchema) || severityNeedsToken(templates.severity, filtersSchema)
          ? [itemToken]
          : []),
        ...(unit && 'token' in unit ? [unit.token] : []),
      ]),
    ],
    templates,
    usesAddresses: mayUseAddresses(templates),
    networkUse: networkUseOf(templates),
    policyKey: policyPath === undefined ? () => '' : keyReader(policyPath),
    policyValue: (raw, tokens) =>
      valuePath === undefined ? undefined : inUnit(readPath(raw, valuePath), unit, tokens),
    whyNoUnit: (tokens) => whyNoUnit(unit, tokens),
    deliveryKey: deliveryKeyOf(mode, keyPath),
  }
}

function inUnit(value: unknown, unit: BoundUnit | undefined, tokens: TokenDecimals | undefined): unknown {
  if (!unit) return value
  const decimals = decimalsOf(unit, tokens)
  return decimals === undefined ? undefined : formatUnits(value, decimals)
}

function decimalsOf(unit: BoundUnit, tokens: TokenDecimals | undefined): number | undefined {
  return 'decimals' in unit ? unit.decimals : (tokens?.get(unit.token) ?? undefined)
}

/** Decimals are never guessed: an alert with a wrong unit is wrong by some powers of ten. */
function whyNoUnit(unit: BoundUnit | undefined, tokens: TokenDecimals | undefined): string | undefined {
  if (!unit || decimalsOf(unit, tokens) !== undefined || 'decimals' in unit) return undefined
  const token = unit.token === itemToken ? "the item's own token" : unit.token
  return `the bound of the policy is in units of ${token}, whose decimals are not known: give decimals instead`
}

function deliveryKeyOf(
  mode: Listener['delivery']['mode'],
  keyPath: string | undefined,
): CompiledListener['deliveryKey'] {
  if (mode === 'continuous') return () => null
  if (mode === 'once' || keyPath === undefined) return () => 'once'
  const read = keyReader(keyPath)
  return (raw) => `key ${read(raw)}`
}

const keyLengthMax = 300

/** Reads a value as a key text. The case is ignored, since addresses differ in case. Missing values share one key. */
function keyReader(path: string): (raw: unknown) => string {
  const segments = parsePath(path)
  return (raw) => {
    const value = readPath(raw, segments)
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    const key = text.toLowerCase().replaceAll('\0', '').toWellFormed()
    return key.length <= keyLengthMax ? key : createHash('sha256').update(key).digest('hex')
  }
}
