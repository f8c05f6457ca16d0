import { type EventWords, type PolicyFields, policyOfType, timerWords, workspaceOfHealth } from '@tocsin/contract'
import { specOf } from '../data/chains.ts'
import { type ConditionPart, rootGroupOf } from '../forms/conditions/condition-groups.ts'
import { isObject } from '../forms/json.ts'
import { type ConditionWords, innerConditionWords, valueWords } from './condition-words.ts'
import { joinWords, type Names, type SentenceParts, textOfParts, withArticle } from './parts.ts'
import type { DeliveryFields } from './policy-words.ts'

/** What a sentence needs of a trigger: a view of the API, or a draft. */
export type SaidTrigger = {
  triggerSpec: Record<string, unknown> | null
  backend?: { trigger?: string | null | undefined; values?: unknown } | undefined
  conditions?: unknown
  activation?: unknown
  providers?: readonly Record<string, unknown>[] | undefined
  hasProviders?: boolean
  /** How often it sends, unless a subscription says it. */
  defaults?: { delivery?: DeliveryFields | undefined } | null | undefined
  sourceBindings?: readonly Record<string, unknown>[] | undefined
}

/** What a subscription adds to the clause. */
type Narrowing = {
  inputs?: Record<string, unknown> | undefined
  conditions?: unknown
  policy?: PolicyFields | null | undefined
}

/** “When a transfer exceeds 1,000 USDC on Ethereum”, “Every 5 minutes” */
export function whenParts(trigger: SaidTrigger, names: Names, narrowing: Narrowing = {}): SentenceParts {
  const awaited = awaitedOf(trigger, names)
  const source = sourcesOf(trigger)[0]
  const words = { inputs: narrowing.inputs, currency: source && names.source?.(source)?.currency }
  const conditions = [...streamConditions(trigger), ...[trigger.conditions, narrowing.conditions].flatMap(partsOf)]
  const amount = awaited.kind === 'event' ? amountIn(conditions, awaited) : undefined
  const rest = conditions.filter((part) => part !== amount)
  return [
    ...leadParts(awaited, amount, words, narrowing.policy),
    ...networkParts(trigger, names),
    ...countParts(awaited, narrowing.policy),
    ...restParts(awaited, rest, trigger, words, narrowing.policy),
  ]
}

/** The words of a policy about the number of events, if the clause of the trigger says it. A period cannot be said so. */
export function eventWordsOf(trigger: SaidTrigger, policy: PolicyFields): EventWords | undefined {
  return awaitedOf(trigger, {}).kind === 'event' ? policyOfType(policy.type)?.ofEvents : undefined
}

/** What the trigger waits for, without a sentence around it: “Transfer of USDC”, “Every 5 minutes”. */
export function sourceWords(trigger: SaidTrigger, names: Names): string {
  const awaited = awaitedOf(trigger, names)
  if (awaited.kind === 'lead') return awaited.text
  return `${awaited.noun.charAt(0).toUpperCase()}${awaited.noun.slice(1)}${textOfParts(awaited.of)}`
}

/** The networks of the trigger: “Ethereum or Base”. Empty for a timer and a stream. */
export function networkWords(trigger: SaidTrigger, names: Names): string {
  return joinWords(
    sourcesOf(trigger).map((source) => names.source?.(source)?.title ?? source),
    'or',
  )
}

function awaitedOf({ triggerSpec, backend }: SaidTrigger, names: Names): Awaited {
  if (triggerSpec?.type === 'timer')
    return { kind: 'lead', text: timerWords(String(triggerSpec.interval ?? ''), textOr(triggerSpec.timezone)) }
  if (triggerSpec) return eventWords(triggerSpec)
  const stream = backend?.trigger ?? ''
  const workspace = workspaceOfHealth(stream)
  if (workspace !== undefined) return healthWords(workspace, backend?.values)
  const isStatus = stream.endsWith('.events')
  const thing = stream.replace(/\.events$/, '')
  const name = names.trigger?.(thing) ?? names.source?.(thing)?.title ?? (thing || '…')
  return {
    kind: 'event',
    noun: isStatus ? 'change of the status' : 'alert',
    of: [' of ', { value: name }],
    verb: 'happens',
  }
}

function healthWords(workspace: string, values: unknown): Awaited {
  return { kind: 'event', noun: healthNoun(values), of: [' of ', { value: workspace }], verb: 'stops or recovers' }
}

/** What a trigger on the health of a workspace is told of. */
export function healthNoun(values: unknown): string {
  const type = isObject(values) ? values.type : undefined
  return typeof type === 'string' ? type : 'trigger, source or destination'
}

function leadParts(
  awaited: Awaited,
  amount: ConditionPart | undefined,
  words: ConditionWords,
  policy: Narrowing['policy'],
): SentenceParts {
  if (awaited.kind === 'lead') return [{ value: awaited.text }]
  const { noun, of, verb, contract } = awaited
  const subject = policyOfType(policy?.type)?.ofEvents?.subject?.(noun) ?? withArticle(noun)
  if (!amount) return [`When ${subject}`, ...of, ` ${verb}`]
  const isOfItself = isObject(amount.value) && sameText(amount.value.token, contract)
  return [
    `When ${subject}`,
    ...(isOfItself ? [] : of),
    ` ${bounds[String(amount.op)]} `,
    { value: valueWords(amount.value, words, amount.param) },
  ]
}

const bounds: Readonly<Record<string, string>> = {
  gt: 'exceeds',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
}
const amountParam = /(?:^|\.)(?:value|amount|wad|quantity|lamports)$/

/** The condition on the amount that the event itself has, in units that people know. */
function amountIn(
  parts: ConditionPart[],
  { noun, of }: Extract<Awaited, { kind: 'event' }>,
): ConditionPart | undefined {
  if (noun.endsWith(' event') || noun === 'block' || (noun === 'call' && of.length === 0)) return undefined
  return parts.find(
    ({ param, op, value }) => amountParam.test(String(param)) && String(op) in bounds && isObject(value),
  )
}

function sameText(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase()
}

function networkParts(trigger: SaidTrigger, names: Names): SentenceParts {
  const networks = networkWords(trigger, names)
  return networks === '' ? [] : [' on ', { value: networks }]
}

function sourcesOf({ triggerSpec, sourceBindings = [] }: SaidTrigger): string[] {
  const named = [triggerSpec?.dataSource, ...sourceBindings.map(({ dataSource }) => dataSource)]
  return [...new Set(named.filter(isGivenText))]
}

function countParts(awaited: Awaited, policy: Narrowing['policy']): SentenceParts {
  const clause = awaited.kind === 'event' && policy ? policyOfType(policy.type)?.ofEvents?.clause(policy) : undefined
  return clause === undefined ? [] : [clause]
}

/** The other conditions, and the script. */
function restParts(
  awaited: Awaited,
  rest: ConditionPart[],
  trigger: SaidTrigger,
  words: ConditionWords,
  policy: Narrowing['policy'],
): SentenceParts {
  const texts = [
    ...rest.map((part) => innerConditionWords(part, words)),
    ...(isObject(trigger.activation) ? ['its script returns true'] : []),
  ]
  if (texts.length === 0) return []
  const join = awaited.kind === 'lead' ? ' if ' : policyOfType(policy?.type)?.ofEvents ? ' for which ' : ' and '
  return [join, texts.join(' and ')]
}

/** A stream matches only items with these values. */
function streamConditions({ triggerSpec, backend }: SaidTrigger): ConditionPart[] {
  const values = triggerSpec === null && isObject(backend?.values) ? backend.values : {}
  return Object.entries(values).map(([param, value]) => ({ param, op: 'eq', value }))
}

function partsOf(condition: unknown): ConditionPart[] {
  if (!isObject(condition)) return []
  const { join, parts } = rootGroupOf(condition, '')
  return join === 'all' ? parts.map((part) => part.condition) : [condition]
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

type Fields = Record<string, unknown>

/**
 * What a trigger waits for. `event`: “When a transfer of USDC happens”, which can also be said of “no transfer”. `lead`: a
 * period, such as “Every 5 minutes”.
 */
type Awaited =
  | { kind: 'event'; noun: string; of: SentenceParts; verb: string; contract?: string | undefined }
  | { kind: 'lead'; text: string }

/** Events whose names are words that people use. */
const knownEvents = new Set(['transfer', 'approval', 'swap', 'deposit', 'withdrawal', 'vote', 'trade', 'mint', 'burn'])

/** The items that a triggerSpec matches. */
function eventWords(spec: Fields): Awaited {
  const sentence = specOf(String(spec.type))?.spec.sentence
  if (!sentence) return { kind: 'event', noun: 'item', of: [], verb: 'happens' }
  const { noun, names, place, verb = 'happens' } = sentence
  if (noun === 'block') return blockWords(spec.every)
  const name = names.map((field) => nameOf(spec[field])).filter(isGivenText)
  const named = name.join('.') || nameInFragment(spec.abiFragment)
  const item =
    noun === 'event' ? eventOf(named) : noun === 'call' ? callOf(named, spec.success) : itemOf(named, noun, verb)
  const where = place && placeWords(spec[place.field], place.words)
  return where ? { ...item, ...where, of: [...item.of, ...where.of] } : item
}

function blockWords(every: unknown): Awaited {
  if (typeof every === 'number' && every > 1)
    return { kind: 'lead', text: `Every ${every.toLocaleString('en')} blocks` }
  return { kind: 'event', noun: 'block', of: [], verb: 'arrives' }
}

type Event = Extract<Awaited, { kind: 'event' }>

/** `Transfer` → “transfer”, `Paid` → “Paid event” */
function eventOf(name: string): Event {
  const last = name.split('.').at(-1)?.toLowerCase() ?? ''
  const noun = knownEvents.has(last) ? last : [name, 'event'].filter(Boolean).join(' ')
  return { kind: 'event', noun, of: [], verb: 'happens' }
}

function callOf(name: string, success: unknown): Event {
  const verb = success === false ? 'fails' : success === 'any' ? 'happens' : 'succeeds'
  return { kind: 'event', noun: 'call', of: name === '' ? [] : [' of ', { value: name }], verb }
}

function itemOf(name: string, noun: string, verb: string): Event {
  return { kind: 'event', noun: [name, noun].filter(Boolean).join(' '), of: [], verb }
}

/** The name in a fragment of an ABI that is written as text. */
function nameInFragment(fragment: unknown): string {
  return typeof fragment === 'string' && /^\s*(?:event|function)\s/.test(fragment) ? nameOf(fragment) : ''
}

/** `Transfer(address,address,uint256)` → `Transfer` */
function nameOf(signature: unknown): string {
  return typeof signature === 'string'
    ? signature
        .replace(/^\s*(?:event|function)\s+/, '')
        .replace(/\(.*/s, '')
        .trim()
    : ''
}

/** “ of 0x…”, “ of the program …”: one contract or program, several, or those of a factory. */
function placeWords(contract: unknown, words: string): { of: SentenceParts; contract?: string } | undefined {
  if (isObject(contract) && isObject(contract.factory))
    return { of: [` ${words} contracts of the factory `, { value: String(contract.factory.contract) }] }
  const contracts = [contract].flat().filter(isGivenText)
  const [first] = contracts
  if (first === undefined) return undefined
  if (contracts.length === 1) return { of: [` ${words} `, { value: first }], contract: first }
  const shown = contracts.length > 3 ? `${contracts.length.toLocaleString('en')} contracts` : joinWords(contracts, 'or')
  return { of: [` ${words} `, { value: shown }] }
}

/** True for a text that is not empty. */
function isGivenText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
