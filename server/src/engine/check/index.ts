/** Checks a trigger definition completely when it is saved, so that it does not fail at its first match. */

import {
  type DeliveryMode,
  hasContract,
  type Issue,
  issuesMax,
  type PayloadLimits,
  type Provider,
  type SourceBinding,
  type TriggerSave,
  type TriggerSpec,
} from '@tocsin/contract'
import type * as z from 'zod'
import { issueUnless } from '../base/issue-unless.ts'
import { parsePath } from '../base/paths.ts'
import { holdsPlaceholder } from '../base/placeholders.ts'
import { readSchema } from '../base/read-schema.ts'
import { findPaths } from '../render/parsed-templates.ts'
import { bindSpec, boundInputs, type SourceSpec } from '../sources/bindings.ts'
import type { Warning } from '../sources/chain-rules.ts'
import { rulesOfSpec, whyNotServed } from '../sources/chains.ts'
import { checkTimer } from '../sources/timer/schedule.ts'
import { checkOwnConditions } from './check-conditions.ts'
import { checkDefaults, templatesIn } from './check-placeholders.ts'
import { checkProviderFields, checkProviderIds } from './check-providers.ts'
import { checkInputs, checkOutputSchema, checkSchemaMap } from './check-schemas.ts'
import { checkScript } from './check-scripts.ts'
import { explainParameter, type KnownShapes, knownShapes } from './known-shapes.ts'
import { readPayload } from './read-entity.ts'

export { unmarkedEvent, type Warning } from '../sources/chain-rules.ts'
export { checkAddresses } from './check-addresses.ts'
export { checkConditions } from './check-conditions.ts'

export { checkItemValues } from './check-item-values.ts'
export { checkDefaults, checkPlaceholders, checkTemplate } from './check-placeholders.ts'
export { checkPolicyUnit } from './check-policy.ts'
export { checkInputs, checkOutputSchema, checkSchemaMap } from './check-schemas.ts'
export { checkScript } from './check-scripts.ts'
export { knownShapes, specWeightMax } from './known-shapes.ts'

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
    ...(definition.conditions ? checkOwnConditions(definition.conditions, { ...definition, inputs }, shapes) : []),
    ...checkDefinitionScripts(definition),
    ...checkDefaults(definition.defaults ?? {}, 'defaults', new Set(inputs)),
    ...checkShownPaths(definition, shapes),
    ...checkFinality(definition.defaults?.delivery, definition.triggerSpec ?? null, 'defaults.delivery'),
  ]
  return issues.slice(0, issuesMax)
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
