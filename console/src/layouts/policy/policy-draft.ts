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
  if (part.as !== 'alternative') return [[part.name, textOf(policy[part.name])]]
  const chosen = part.options.find(({ fields }) => fields.some(({ name }) => policy[name] !== undefined))
  if (!chosen) return []
  return [[part.name, chosen.value], ...chosen.fields.map(({ name }): [string, string] => [name, textOf(policy[name])])]
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
    const text = draft.texts[before.find((input) => input.label === label)?.name ?? '']
    return text === undefined ? [] : [[name, text] as const]
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
