/** Checks a trigger definition completely when it is saved, so that it does not fail at its first match. */
import { type Issue, issuesMax, type PayloadLimits, type Provider, type TriggerSave } from '@tocsin/contract'
import { boundInputs } from '../sources/bindings.ts'
import { checkItemAddresses } from './check-addresses.ts'
import { checkBindings } from './check-bindings.ts'
import { checkConditionFields, checkConditions } from './check-conditions.ts'
import { checkFinality } from './check-finality.ts'
import { checkItemValues } from './check-item-values.ts'
import { checkProviderFields, checkProviderIds } from './check-providers.ts'
import { checkInputs, checkOutputSchema, checkSchemaMap } from './check-schemas.ts'
import { checkScript } from './check-scripts.ts'
import { checkSpec } from './check-spec.ts'
import { checkDefaults } from './check-templates.ts'
import { readPayload } from './read-entity.ts'

export { unmarkedEvent, type Warning } from '../sources/chain-rules.ts'
export { checkAddresses } from './check-addresses.ts'
export { checkBindings } from './check-bindings.ts'
export { checkConditions } from './check-conditions.ts'
export { checkFinality } from './check-finality.ts'
export { checkItemValues } from './check-item-values.ts'
export { checkPlaceholders } from './check-placeholders.ts'
export { checkInputs, checkOutputSchema, checkSchemaMap } from './check-schemas.ts'
export { checkScript } from './check-scripts.ts'
export { checkSourceMethods } from './check-source-methods.ts'
export { checkSpec, checkSpelling, warnOfSpec } from './check-spec.ts'
export { checkDefaults, checkTemplate } from './check-templates.ts'
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
  const issues = [
    ...(definition.triggerSpec ? await checkSpec(definition.triggerSpec, 'triggerSpec') : []),
    ...(await checkBindings(definition.triggerSpec, definition.sourceBindings, 'sourceBindings')),
    ...checkInputs(definition.inputs, 'inputs'),
    ...checkSchemaMap(definition.filtersSchema ?? {}, 'filtersSchema'),
    ...checkOutputSchema(definition.outputSchema ?? {}, 'outputSchema'),
    ...(await checkProviders(providers, inputs)),
    ...(definition.conditions ? await checkOwnConditions(definition, definition.conditions, inputs) : []),
    ...checkDefinitionScripts(definition),
    ...checkDefaults(definition.defaults ?? {}, 'defaults'),
    ...checkFinality(definition.defaults?.delivery, definition.triggerSpec ?? null, 'defaults.delivery'),
  ]
  return issues.slice(0, issuesMax)
}

async function checkOwnConditions(
  { providers, triggerSpec, sourceBindings }: Definition,
  conditions: NonNullable<Definition['conditions']>,
  inputs: readonly string[],
): Promise<Issue[]> {
  const spec = triggerSpec ?? null
  return [
    ...checkConditions(conditions, 'conditions', { providers, inputs, triggerSpec: spec }),
    ...checkConditionFields(conditions, 'conditions', { triggerSpec: spec, sourceBindings }),
    ...checkItemAddresses(conditions, 'conditions', spec),
    ...(await checkItemValues(conditions, 'conditions', spec, 'source.')),
  ]
}

function inputNames({ inputs, sourceBindings }: Definition): string[] {
  return [...Object.keys(inputs), ...boundInputs(sourceBindings)]
}

/** Checks a single provider, without knowing the inputs and the other providers of its trigger. */
export async function checkProvider(provider: Provider, path: string): Promise<Issue[]> {
  return checkProviderFields(provider, path, {})
}

/** Checks all providers of a trigger. Without `inputs`, references to inputs are not checked. */
export async function checkProviders(providers: Provider[], inputs?: readonly string[]): Promise<Issue[]> {
  const issues = checkProviderIds(providers, 'providers')
  const declared = inputs && { inputs: new Set(inputs) }
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
