import type { Condition, Issue, Provider, TriggerSpec } from '@tocsin/contract'
import { isObject } from '../base/is-object.ts'
import { parsePath } from '../base/paths.ts'
import { splitPlaceholders } from '../base/placeholders.ts'
import { bindingFields } from '../sources/bindings.ts'
import { checkPlaceholders } from './check-placeholders.ts'
import { itemFields } from './unknown-params.ts'

/** The names that the conditions of a trigger may use. Without `inputs` any input may be named. */
type Names = {
  providers: readonly Pick<Provider, 'id'>[]
  inputs?: readonly string[]
  triggerSpec?: TriggerSpec | null
}

/** Checks the names in the conditions of a trigger. An unknown name would never hold, and nobody would learn why. */
export function checkConditions(condition: Condition, path: string, names: Names): Issue[] {
  return partsOf(condition, path).flatMap(({ part, path }) => {
    const message = explainParam(part.param, names)
    const unknown = message === undefined ? [] : [{ path: `${path}.param`, message }]
    return [...unknown, ...checkValues(part, path, names)]
  })
}

/** Finds fields of `source.` that an item of the spec does not have: probable typing errors. */
export function checkConditionFields(
  condition: Condition,
  path: string,
  { triggerSpec: spec, sourceBindings }: { triggerSpec: TriggerSpec | null; sourceBindings?: unknown },
): Issue[] {
  const fields = spec ? itemFields(spec.type) : []
  if (!spec || fields.length === 0) return []
  const isKnown = (field: string) =>
    fields.includes(field) || (sourceBindings !== undefined && bindingFields.has(field))
  return partsOf(condition, path).flatMap(({ part, path }) => {
    const [root, field = ''] = parsePath(part.param)
    if (root !== 'source' || isKnown(field)) return []
    return [{ path: `${path}.param`, message: `an item of ${spec.type} has no field "${field}"` }]
  })
}

type Part = Extract<Condition, { param: string }>

/** Comparisons and `contains`, each with its path. Inside `contains` a param is a path in an element. */
function partsOf(condition: Condition, path: string): { part: Part; path: string }[] {
  if ('not' in condition) return partsOf(condition.not, `${path}.not`)
  if ('all' in condition) return condition.all.flatMap((part, at) => partsOf(part, `${path}.all.${at}`))
  if ('any' in condition) return condition.any.flatMap((part, at) => partsOf(part, `${path}.any.${at}`))
  return [{ part: condition, path }]
}

function explainParam(param: string, { providers, inputs }: Names): string | undefined {
  const [root, name = ''] = parsePath(param)
  if (root === 'providers' && !providers.some(({ id }) => id === name)) return `no provider has the id "${name}"`
  if (root === 'inputs' && inputs && !inputs.includes(name)) return `there is no input "${name}"`
  return undefined
}

function checkValues(part: Part, path: string, names: Names): Issue[] {
  if ('contains' in part)
    return partsOf(part.contains, `${path}.contains`).flatMap((inner) => checkValues(inner.part, inner.path, names))
  const { token, ...rest }: Record<string, unknown> = isObject(part.value) ? part.value : { value: part.value }
  return [
    ...(typeof token === 'string' ? checkToken(token, `${path}.value.token`, names) : []),
    ...textsIn(rest).flatMap((text) => checkText(text, `${path}.value`, names)),
  ]
}

function checkText(text: string, path: string, names: Names): Issue[] {
  return splitPlaceholders(text).flatMap((piece) => {
    if (piece.kind === 'text') return []
    const reference = piece.kind === 'placeholder' ? piece.reference : undefined
    const message = explainPlaceholder(reference?.segments, names)
    return message === undefined ? [] : [{ path, message }]
  })
}

/** A token is an address or a placeholder, as the contract of a `token_metadata` provider. */
function checkToken(token: string, path: string, { providers, inputs, triggerSpec }: Names): Issue[] {
  if (triggerSpec?.type === 'timer') return [{ path, message: 'a timer has no source to read the token from' }]
  const ids = new Set(providers.map(({ id }) => id))
  return checkPlaceholders(token, path, { providers: ids, ...(inputs && { inputs: new Set(inputs) }) })
}

function explainPlaceholder(segments: readonly string[] | undefined, { inputs }: Names): string | undefined {
  const [root, name = ''] = segments ?? []
  if (root !== 'inputs') return 'a placeholder in a value must be {{inputs.x}}'
  return inputs && !inputs.includes(name) ? `{{inputs.${name}}}: there is no such input` : undefined
}

/** The texts of a value that may have placeholders: the value, its elements, or its amount. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('{{') ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
