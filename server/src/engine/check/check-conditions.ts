/** Checks the conditions of a trigger: the names in them, and what its items and providers can be. */
import { type Condition, type Issue, isPathValue, type Provider, type TriggerSpec } from '@tocsin/contract'
import { isObject } from '../base/json.ts'
import { nearestName } from '../base/nearest-name.ts'
import { parsePath } from '../base/paths.ts'
import { splitPlaceholders } from '../base/placeholders.ts'
import { checkItemAddresses } from './check-addresses.ts'
import { checkItemValues } from './check-item-values.ts'
import { checkPlaceholders } from './check-placeholders.ts'
import { type KnownShapes, locateInRun } from './known-shapes.ts'

/** The names that the conditions of a trigger may use. Without `inputs` any input may be named. */
type Names = {
  providers: readonly Pick<Provider, 'id'>[]
  inputs?: readonly string[]
  triggerSpec?: TriggerSpec | null
}

/** Checks the names in the conditions of a trigger. An unknown name would never hold, and nobody would learn why. */
export function checkConditions(condition: Condition, path: string, names: Names): Issue[] {
  return partsOf(condition, path).flatMap(({ part, path }) => [
    ...checkParam(part.param, `${path}.param`, names),
    ...checkValues(part, path, names),
  ])
}

/** The same, and that its items and the results of its providers can be what the conditions ask for. */
export function checkOwnConditions(condition: Condition, names: Names, shapes: KnownShapes): Issue[] {
  return [
    ...checkConditions(condition, 'conditions', names),
    ...checkItemAddresses(condition, 'conditions', names.triggerSpec ?? null),
    ...checkItemValues(condition, 'conditions', (param) => locateInRun(shapes, parsePath(param))),
  ]
}

type Part = Extract<Condition, { param: string }>

/** Comparisons and `contains`, each with its path. Inside `contains` a param is a path in an element. */
function partsOf(condition: Condition, path: string): { part: Part; path: string }[] {
  if ('not' in condition) return partsOf(condition.not, `${path}.not`)
  if ('all' in condition) return condition.all.flatMap((part, at) => partsOf(part, `${path}.all.${at}`))
  if ('any' in condition) return condition.any.flatMap((part, at) => partsOf(part, `${path}.any.${at}`))
  return [{ part: condition, path }]
}

function checkParam(param: string, path: string, names: Names): Issue[] {
  const message = explainParam(param, names)
  return message === undefined ? [] : [{ path, message }]
}

function explainParam(param: string, { providers, inputs }: Names): string | undefined {
  const [root, name = ''] = parsePath(param)
  const ids = providers.map(({ id }) => id)
  if (root === 'providers' && !ids.includes(name)) return `no provider has the id "${name}"${meantOf(name, ids)}`
  if (root === 'inputs' && inputs && !inputs.includes(name))
    return `there is no input "${name}"${meantOf(name, inputs)}`
  return undefined
}

function meantOf(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names)
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`
}

function checkValues(part: Part, path: string, names: Names): Issue[] {
  if ('contains' in part)
    return partsOf(part.contains, `${path}.contains`).flatMap((inner) => checkValues(inner.part, inner.path, names))
  if (isPathValue(part.value)) return checkParam(part.value.path, `${path}.value.path`, names)
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
