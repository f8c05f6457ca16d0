/** Checks a trigger definition completely when it is saved, so that it does not fail at its first match. */

import {
  type Condition,
  type DeliveryMode,
  hasContract,
  type Issue,
  isPathValue,
  issuesMax,
  type PayloadLimits,
  type Provider,
  type SourceBinding,
  type TriggerSave,
  type TriggerSpec,
} from '@tocsin/contract'
import type * as z from 'zod'
import { issueUnless } from '../base/issue-unless.ts'
import { isObject } from '../base/json.ts'
import { nearestName } from '../base/nearest-name.ts'
import { parsePath } from '../base/paths.ts'
import { holdsPlaceholder, splitPlaceholders } from '../base/placeholders.ts'
import { readSchema } from '../base/read-schema.ts'
import { findPaths } from '../render/parsed-templates.ts'
import { bindSpec, boundInputs, type SourceSpec } from '../sources/bindings.ts'
import type { Warning } from '../sources/chain-rules.ts'
import { rulesOfSpec, whyNotServed } from '../sources/chains.ts'
import { checkTimer } from '../sources/timer/schedule.ts'
import { checkItemAddresses } from './check-addresses.ts'
import { checkItemValues } from './check-item-values.ts'
import { checkDefaults, checkPlaceholders, templatesIn } from './check-placeholders.ts'
import { checkProviderFields, checkProviderIds } from './check-providers.ts'
import { checkInputs, checkOutputSchema, checkSchemaMap } from './check-schemas.ts'
import { checkScript } from './check-scripts.ts'
import { explainParameter, type KnownShapes, knownShapes, locateInRun } from './known-shapes.ts'
import { readPayload } from './read-entity.ts'

export { unmarkedEvent, type Warning } from '../sources/chain-rules.ts'
export { checkAddresses } from './check-addresses.ts'

export { checkItemValues } from './check-item-values.ts'
export { checkDefaults, checkPlaceholders, checkTemplate } from './check-placeholders.ts'
export { checkInputs, checkOutputSchema, checkSchemaMap } from './check-schemas.ts'
export { checkScript } from './check-scripts.ts'
export { knownShapes } from './known-shapes.ts'

export { checkAgainstSchemas } from './output-schema.ts'
export { type DescribedTrigger, unknownOutputs, unknownParams } from './unknown-params.ts'
export type { Issue }
export type Definition = TriggerSave

export type ReadDefinition = { ok: true; definition: Definition } | { ok: false; issues: Issue[] }

/** Parses a payload to a canonical definition, or returns all its issues. */
export async function readDefinition(payload: unknown, limits: PayloadLimits): Promise<ReadDefinition> {
  const read = readStructure(payload, limits)
  const issues = read.ok ? await checkDefinition(read.definition) : []
  return issues.length === 0 ? read : { ok: false, issues }
}

/** Checks types of fields and limits only. */
export function readStructure(payload: unknown, limits: PayloadLimits): ReadDefinition {
  const read = readPayload('trigger', payload, limits)
  return read.ok ? { ok: true, definition: read.payload } : read
}

/** Checks everything beyond the structure. An empty list means valid. */
export async function checkDefinition(definition: Definition): Promise<Issue[]> {
  const { providers } = definition
  const inputs = inputNames(definition)
  const shapes = await knownShapes({ ...definition, triggerSpec: definition.triggerSpec ?? null })
  const issues = [
    ...(definition.triggerSpec ? await checkSpec(definition.triggerSpec, 'triggerSpec') : []),
    ...(await checkBindings(definition.triggerSpec, definition.sourceBindings, 'sourceBindings')),
    ...checkInputs(definition.inputs, 'inputs'),
    ...checkSchemaMap(definition.filtersSchema ?? {}, 'filtersSchema'),
    ...checkSourcePaths(definition.filtersSchema ?? {}, shapes),
    ...checkOutputSchema(definition.outputSchema ?? {}, 'outputSchema'),
    ...(await checkProviders(providers, inputs, shapes)),
    ...(definition.conditions ? checkOwnConditions(definition, definition.conditions, inputs, shapes) : []),
    ...checkDefinitionScripts(definition),
    ...checkDefaults(definition.defaults ?? {}, 'defaults', new Set(inputs)),
    ...checkShownPaths(definition, shapes),
    ...checkFinality(definition.defaults?.delivery, definition.triggerSpec ?? null, 'defaults.delivery'),
  ]
  return issues.slice(0, issuesMax)
}

function checkOwnConditions(
  { providers, triggerSpec }: Definition,
  conditions: NonNullable<Definition['conditions']>,
  inputs: readonly string[],
  shapes: KnownShapes,
): Issue[] {
  const spec = triggerSpec ?? null
  return [
    ...checkConditions(conditions, 'conditions', { providers, inputs, triggerSpec: spec }),
    ...checkItemAddresses(conditions, 'conditions', spec),
    ...checkItemValues(conditions, 'conditions', (param) => locateInRun(shapes, parsePath(param))),
  ]
}

/** A filter whose value no item has would never hold. */
function checkSourcePaths(filters: Record<string, unknown>, { item }: KnownShapes): Issue[] {
  return Object.entries(filters).flatMap(([name, schema]) => {
    const { sourcePath } = readSchema(schema)
    if (sourcePath === undefined || !item) return []
    const message = explainParameter(item, parsePath(sourcePath), sourcePath)
    return message === undefined ? [] : [{ path: `filtersSchema.${name}.sourcePath`, message }]
  })
}

/** Without a transform the output is the item, so the templates of the message name its fields. */
function checkShownPaths({ defaults = {}, transform }: Definition, { item }: KnownShapes): Issue[] {
  if (!item) return []
  const isRawItem = transform?.source === undefined && transform?.rawSource === undefined
  const roots = [...(isRawItem ? ['raw'] : []), ...(transform ? [] : ['human'])]
  return templatesIn(defaults, 'defaults').flatMap(({ text, path }) =>
    findPaths(text).flatMap(([root = '', ...inside]) => {
      if (!roots.includes(root) || inside.length === 0) return []
      const message = explainParameter(item, inside, [root, ...inside].join('.'))
      return message === undefined ? [] : [{ path, message }]
    }),
  )
}

function inputNames({ inputs, sourceBindings }: Definition): string[] {
  return [...Object.keys(inputs), ...boundInputs(sourceBindings)]
}

/** Checks a single provider, without knowing the inputs and the other providers of its trigger. */
export async function checkProvider(provider: Provider, path: string): Promise<Issue[]> {
  return checkProviderFields(provider, path, {})
}

/** Checks all providers of a trigger. Without `inputs` and `shapes`, references to inputs and to fields are not checked. */
export async function checkProviders(
  providers: Provider[],
  inputs?: readonly string[],
  shapes?: KnownShapes,
): Promise<Issue[]> {
  const issues = checkProviderIds(providers, 'providers')
  const declared = { ...(inputs && { inputs: new Set(inputs) }), ...(shapes && { shapes }) }
  for (const [index, provider] of providers.entries()) {
    const earlier = new Set(providers.slice(0, index).map((each) => each.id))
    issues.push(...(await checkProviderFields(provider, `providers.${index}`, { ...declared, providers: earlier })))
  }
  return issues
}

function checkDefinitionScripts({ transform, activation }: Definition): Issue[] {
  const pieces: [string, string | undefined][] = [
    ['transform.source', transform?.source],
    ['transform.rawSource', transform?.rawSource],
    ['transform.humanSource', transform?.humanSource],
    ['activation.source', activation?.source],
  ]
  return pieces.flatMap(([path, source]) => (source === undefined ? [] : checkScript(source, path)))
}

/** The ticks of a timer have no block, so there is nothing to wait for. */
export function checkFinality(
  delivery: z.output<typeof DeliveryMode> | undefined,
  spec: { type?: unknown } | null,
  path: string,
): Issue[] {
  const finality = delivery?.finality
  if (finality === undefined || finality === 'seen' || spec?.type !== 'timer') return []
  return [{ path: `${path}.finality`, message: 'a timer has no blocks, so its alerts cannot wait for one' }]
}

/** Checks the methods that `rpc` providers call through the data source. It allows read methods and those in `allowMethods`. */
export function checkSourceMethods(
  { providers, triggerSpec }: { providers: readonly Provider[]; triggerSpec: TriggerSpec | null },
  allowMethods: readonly string[],
): Issue[] {
  const kind = triggerSpec ? rulesOfSpec(triggerSpec.type)?.description.kind : undefined
  return providers.flatMap((provider, index) => {
    if (provider.type !== 'rpc' || provider.transport !== 'source') return []
    const message = holdsPlaceholder(provider.method)
      ? 'must be written out, without placeholders: else the item could choose the method'
      : whyNotServed(provider.method, allowMethods, kind)
    return message === undefined ? [] : [{ path: `providers.${index}.method`, message }]
  })
}

/** Checks the sources of a trigger on several sources. */
export async function checkBindings(
  triggerSpec: TriggerSpec | null,
  bindings: readonly SourceBinding[] | undefined,
  path: string,
): Promise<Issue[]> {
  if (!bindings) return []
  if (!triggerSpec || !('dataSource' in triggerSpec))
    return [{ path, message: 'need a triggerSpec that reads a data source' }]
  const ids = bindings.map(({ id }) => id)
  const issues = issueUnless(
    bindings.some(({ dataSource }) => dataSource === triggerSpec.dataSource),
    'triggerSpec.dataSource',
    'must be the dataSource of one of the sourceBindings',
  )
  for (const [index, binding] of bindings.entries()) {
    const at = `${path}.${index}`
    const isRepeated = ids.indexOf(binding.id) < index
    issues.push(
      ...issueUnless(!isRepeated, `${at}.id`, `another binding has the id ${binding.id}`),
      ...checkSourceName(binding.dataSource, `${at}.dataSource`),
      ...(await checkContract(triggerSpec, binding, at)),
    )
  }
  return issues
}

/** The contract of a binding follows the rules of the spec's contract. */
async function checkContract(spec: SourceSpec, binding: SourceBinding, path: string): Promise<Issue[]> {
  if (binding.contract === undefined) return []
  if (!hasContract(spec.type))
    return [{ path: `${path}.contract`, message: `a triggerSpec of type ${spec.type} has no contract` }]
  const issues = await checkSpec(bindSpec(spec, binding), path)
  return issues.filter((issue) => `${issue.path}.`.startsWith(`${path}.contract.`))
}

const sourceName = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,253}[A-Za-z0-9])?$/

/** Does not check if the data source exists: an unknown source does not make a definition invalid. */
export async function checkSpec(spec: TriggerSpec, path: string): Promise<Issue[]> {
  if (spec.type === 'timer') return checkTimer(spec, path)
  const issues = checkSourceName(spec.dataSource, `${path}.dataSource`)
  const rules = rulesOfSpec(spec.type)
  // The contract knows the type and no chain does: without this error the spec would pass unchecked.
  if (!rules) throw new Error(`no chain has trigger specs of type ${spec.type}`)
  return [...issues, ...(await rules.checkSpec(spec, path))]
}

function checkSourceName(fullname: string, path: string): Issue[] {
  return issueUnless(sourceName.test(fullname), path, 'must be the fullname of a source')
}

/** Warns about a valid spec that decodes less than its author may expect. */
export async function warnOfSpec(spec: TriggerSpec | null, path: string): Promise<Warning | undefined> {
  return spec ? rulesOfSpec(spec.type)?.warnOf?.(spec, path) : undefined
}

/** Finds probable typing errors in a valid spec. */
export function checkSpelling(spec: TriggerSpec | null, path: string): Issue[] {
  return (spec && rulesOfSpec(spec.type)?.checkSpelling?.(spec, path)) ?? []
}

/** The names that the conditions of a trigger may use. Without `inputs` any input may be named. */
type Names = {
  providers: readonly Pick<Provider, 'id'>[]
  inputs?: readonly string[]
  triggerSpec?: TriggerSpec | null
}

/** Checks the names in the conditions of a trigger. An unknown name would never hold, and nobody would learn why. */
export function checkConditions(condition: Condition, path: string, names: Names): Issue[] {
  return partsOf(condition, path).flatMap(({ part, path }) => {
    return [...checkParam(part.param, `${path}.param`, names), ...checkValues(part, path, names)]
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
