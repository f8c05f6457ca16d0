import { isDeepStrictEqual } from 'node:util'
import type { TriggerDraftSave, TriggerSave } from '@tocsin/contract'
import type { TriggerDefinition } from '../../store/core/tables.ts'
import type { DraftContent } from '../../store/triggers/trigger-drafts.ts'
import type { WholeTrigger } from '../../store/triggers/triggers.ts'

/** Between the payload and what is stored: names live in columns of their own, so that a transfer renames in one place. */

export function definitionOf(payload: TriggerSave | TriggerDraftSave): TriggerDefinition {
  return {
    backend: payload.backend,
    inputs: payload.inputs,
    ...(payload.defaults && { defaults: payload.defaults }),
    triggerSpec: payload.triggerSpec,
    ...(payload.filtersSchema && { filtersSchema: payload.filtersSchema }),
    ...(payload.outputSchema && { outputSchema: payload.outputSchema }),
    transform: payload.transform,
    activation: payload.activation,
    executionPolicy: payload.executionPolicy,
  }
}

export function draftContentOf(payload: TriggerDraftSave): DraftContent {
  const { providers, tags, labels, meta } = payload
  return { ...definitionOf(payload), providers, tags, labels, meta }
}

/** The saved trigger as the payload that would save it: what dotted paths point into. */
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

/** Whether it could behave differently: message defaults say how it is told, not when. */
export function behavesAlike(a: Behaviour, b: Behaviour): boolean {
  return sameJson(
    { ...a.definition, defaults: null, providers: a.providers },
    { ...b.definition, defaults: null, providers: b.providers },
  )
}

/** The order of fields does not matter, nor whether a value has been through JSON yet. */
export function sameJson(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(plain(a), plain(b))
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
