import {
  type Issue,
  issuesOf,
  Policy,
  type PolicyFields,
  type PolicyFormPart,
  type PolicyInput,
  policies,
  policyOfType,
} from '@tocsin/contract'
import { isObject } from '../../forms/json.ts'
import { policyWords } from '../../sentences/policy-words.ts'

export type PolicyType = NonNullable<Policy>['type']
/** A policy as a form edits it: the texts of the inputs of all types, so that another type keeps those that both have. */
export type PolicyDraft = { type: PolicyType; texts: Readonly<Record<string, string>> }

const forms = new Map<string, readonly PolicyFormPart[]>(policies.map(({ type, form }) => [type, form]))

const suggestions = Object.fromEntries(
  [...forms.values()]
    .flat()
    .flatMap(allInputs)
    .flatMap((input) =>
      'suggestion' in input && input.suggestion !== undefined ? [[input.name, input.suggestion]] : [],
    ),
)

export const everyMatch: PolicyDraft = { type: 'filter', texts: suggestions }

export const policyTypes: { value: PolicyType; label: string; about: string }[] = policies.map(
  ({ type, title, about }) => ({ value: type, label: title, about }),
)

function allInputs(part: PolicyFormPart): readonly PolicyInput[] {
  return part.as === 'alternative' ? part.options.flatMap(({ fields }) => fields) : [part]
}

/** Reads a policy that may be unfinished. */
export function readPolicy(policy: unknown): PolicyDraft {
  const type = policies.find((each) => isObject(policy) && each.type === policy.type)?.type
  if (!isObject(policy) || type === undefined) return everyMatch
  const texts = (forms.get(type) ?? []).flatMap((part) => textsOf(part, policy))
  return { type, texts: { ...suggestions, ...Object.fromEntries(texts) } }
}

/** A field that is left out stays empty, also where a new policy has a suggestion. */
function textsOf(part: PolicyFormPart, policy: PolicyFields): [string, string][] {
  if (part.as !== 'alternative') return textsOfInput(part, policy)
  const chosen = part.options.find(({ fields }) => fields.some(({ name }) => policy[name] !== undefined))
  if (!chosen) return []
  return [[part.name, chosen.value], ...chosen.fields.flatMap((input) => textsOfInput(input, policy))]
}

function textsOfInput({ name, as }: PolicyInput, policy: PolicyFields): [string, string][] {
  const value = policy[name]
  if (as !== 'amount' || !isObject(value)) return [[name, textOf(value)]]
  const { amount, ...unit } = value
  return [
    [name, textOf(amount)],
    [partOf(name, 'unit'), amountUnitOf(value)],
    ...Object.entries(unit).map(([part, text]): [string, string] => [partOf(name, part), textOf(text)]),
  ]
}

/** The name of a part of an amount among the texts of a draft. */
export function partOf(name: string, part: string): string {
  return `${name}:${part}`
}

/** In what unit an amount is given. */
export type AmountUnit = 'plain' | 'tokens' | 'units' | 'token'

function amountUnitOf(value: Record<string, unknown>): AmountUnit {
  if ('token' in value) return 'token'
  return 'decimals' in value ? 'units' : 'tokens'
}

/** The unit that a draft has chosen for an amount. */
export function chosenUnit(name: string, { texts }: PolicyDraft): AmountUnit {
  const units: readonly AmountUnit[] = ['tokens', 'units', 'token']
  return units.find((unit) => unit === texts[partOf(name, 'unit')]) ?? 'plain'
}

/** A number, or an amount in human units. A percentage has no unit. */
function amountOf(name: string, text: string, draft: PolicyDraft): unknown {
  if (text.endsWith('%')) return text
  const partText = (part: string) => (draft.texts[partOf(name, part)] ?? '').trim()
  switch (chosenUnit(name, draft)) {
    case 'tokens':
      return { amount: text }
    case 'units': {
      const decimals = partText('decimals')
      return { amount: text, decimals: /^\d+$/.test(decimals) ? Number(decimals) : decimals }
    }
    case 'token':
      return { amount: text, token: partText('token') }
    case 'plain':
      return text
  }
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value)
}

/** The inputs of a part that the form shows now. */
export function shownInputs(part: PolicyFormPart, { texts }: PolicyDraft): readonly PolicyInput[] {
  return part.as === 'alternative' ? (chosenOption(part, texts)?.fields ?? []) : [part]
}

type Alternative = Extract<PolicyFormPart, { as: 'alternative' }>

export function chosenOption({ name, options }: Alternative, texts: PolicyDraft['texts']) {
  return options.find(({ value }) => value === texts[name]) ?? options[0]
}

/** The other option takes the texts of inputs with the same label: the bound above is then the bound below. */
export function chooseOption(draft: PolicyDraft, part: Alternative, value: string): PolicyDraft {
  const before = chosenOption(part, draft.texts)?.fields ?? []
  const next = part.options.find((option) => option.value === value)?.fields ?? []
  const kept = next.flatMap(({ name, label }) => {
    const from = before.find((input) => input.label === label)?.name ?? ''
    return Object.entries(draft.texts).flatMap(([key, text]) =>
      key === from || key.startsWith(partOf(from, '')) ? [[`${name}${key.slice(from.length)}`, text] as const] : [],
    )
  })
  return { ...draft, texts: { ...draft.texts, ...Object.fromEntries(kept), [part.name]: value } }
}

export function formOf({ type }: PolicyDraft): readonly PolicyFormPart[] {
  return policyOfType(type)?.form ?? []
}

/** `checkPolicy` has checked the draft. */
export function policyOf(draft: PolicyDraft): Policy {
  return draft.type === 'filter' ? null : (Policy.safeParse(policyFields(draft)).data ?? null)
}

/** What the service gets. Empty texts are left out, but that of a chosen option tells which one is chosen. */
export function policyFields(draft: PolicyDraft): { type: PolicyType } & Record<string, unknown> {
  const fields = formOf(draft).flatMap((part) =>
    shownInputs(part, draft).flatMap((input, at): [string, unknown][] => {
      const text = (draft.texts[input.name] ?? '').trim()
      const isNeeded = part.as === 'alternative' && at === 0
      if (text === '') return isNeeded ? [[input.name, '']] : []
      if (input.as === 'choice' && text === input.options[0]?.value) return []
      if (input.as === 'amount') return [[input.name, amountOf(input.name, text, draft)]]
      return [[input.name, input.as === 'number' ? Number(text) : text]]
    }),
  )
  return { type: draft.type, ...Object.fromEntries(fields) }
}

/** Checks by the schema of the contract, so that the form accepts what the service accepts. */
export function checkPolicy(draft: PolicyDraft): Issue[] {
  const parsed = Policy.safeParse(policyFields(draft))
  return parsed.success ? [] : issuesOf(parsed.error)
}

/** Says in one sentence what will happen. */
export function describePolicy(draft: PolicyDraft): string {
  return `Send ${policyWords(policyFields(draft))}`
}
