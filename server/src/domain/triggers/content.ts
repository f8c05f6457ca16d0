import { isDeepStrictEqual } from 'node:util'
import type { TriggerDraftSave, TriggerSave } from '@tocsin/contract'
import type { DraftContent, TriggerDefinition } from '../../store/core/tables.ts'
import type { WholeTrigger } from '../../store/triggers/triggers.ts'

/**
 * Converts between the payload and the stored columns. Names have their own columns, so that a transfer changes one
 * place.
 */

export function definitionOf(payload: TriggerSave | TriggerDraftSave): TriggerDefinition {
  return {
    backend: payload.backend,
    inputs: payload.inputs,
    ...(payload.defaults && { defaults: payload.defaults }),
    triggerSpec: payload.triggerSpec,
    ...(payload.sourceBindings && { sourceBindings: payload.sourceBindings }),
    ...(payload.filtersSchema && { filtersSchema: payload.filtersSchema }),
    ...(payload.outputSchema && { outputSchema: payload.outputSchema }),
    transform: payload.transform,
    activation: payload.activation,
    ...(payload.conditions && { conditions: payload.conditions }),
    executionPolicy: payload.executionPolicy,
  }
}

export function draftContentOf(payload: TriggerDraftSave): DraftContent {
  const { providers, tags, labels, meta } = payload
  return { ...definitionOf(payload), providers, tags, labels, meta }
}

/** The stored trigger as the payload that would save it. The dotted paths of a patch refer to this object. */
export function payloadOf(row: WholeTrigger): Record<string, unknown> {
  return {
    name: row.name,
    fullname: row.fullname,
    project: row.project,
    workspace: row.workspace,
    ...row.definition,
    providers: row.providers,
    status: row.status,
    tags: row.tags,
    labels: row.labels,
    meta: row.meta,
  }
}

type Behaviour = Pick<WholeTrigger, 'definition' | 'providers'>

/** True if both behave the same. Message defaults do not count: they change the text of an alert, not when it comes. */
export function hasSameBehaviour(a: Behaviour, b: Behaviour): boolean {
  return isSameJson(
    { ...a.definition, defaults: null, providers: a.providers },
    { ...b.definition, defaults: null, providers: b.providers },
  )
}

/** The order of fields does not matter, nor whether a value has been serialized. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(plain(a), plain(b))
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

/** The fields that a save of the trigger sets. */
export function fieldsOf({ definition, providers, tags, labels, meta }: WholeTrigger) {
  return { ...definition, providers, tags, labels, meta }
}
