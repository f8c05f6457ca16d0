import { providerOfType } from '@tocsin/contract'
import type { DraftRow } from '../../store/triggers/trigger-drafts.ts'
import { stamped, untested } from '../../store/triggers/trigger-status.ts'
import type { TriggerRow, WholeTrigger } from '../../store/triggers/triggers.ts'
import { hasLevel } from '../access.ts'
import { missingEndpoint, silenceOf } from '../can-fire.ts'
import type { Settings } from '../settings.ts'

type Networks = Pick<Settings, 'networks'>

export function triggerView(row: TriggerRow, { networks }: Networks) {
  const { definition } = row
  const issue = missingEndpoint(sourcesOf(row), networks)
  return {
    id: row.id,
    name: row.name,
    fullname: row.fullname,
    project: row.project,
    workspace: row.workspace,
    public: row.access_level !== 'private',
    backend: definition.backend,
    inputs: definition.inputs,
    ...(definition.defaults && { defaults: definition.defaults }),
    triggerSpec: definition.triggerSpec,
    ...(definition.sourceBindings && { sourceBindings: definition.sourceBindings }),
    ...(definition.filtersSchema && { filtersSchema: definition.filtersSchema }),
    ...(definition.outputSchema && { outputSchema: definition.outputSchema }),
    activation: definition.activation,
    ...(definition.conditions && { conditions: definition.conditions }),
    executionPolicy: definition.executionPolicy,
    status: row.status,
    ...(issue !== undefined && { issue }),
    tags: row.tags,
    labels: row.labels,
    meta: row.meta,
    hasProviders: row.has_providers,
    hasTransform: definition.transform !== null,
    hasDraft: isDeveloper(row) && row.draft_saved_at !== null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** The whole trigger for developers. Other readers of the project get no drafts and no field that may hold a secret. */
export function draftView(row: WholeTrigger, settings: Networks) {
  return {
    ...triggerView(row, settings),
    providers: isDeveloper(row) ? row.providers : row.providers.map(publicProvider),
    transform: row.definition.transform,
    draft: isDeveloper(row) ? draftOf(row) : { exists: false },
  }
}

/** A draft looks like the trigger that it would become. Before the trigger exists, it shows the draft's id and time. */
export function openDraftView(draft: DraftRow, saved: WholeTrigger | undefined, settings: Networks) {
  const { providers, tags, labels, meta, ...definition } = draft.content
  const row = {
    id: saved?.id ?? draft.id,
    name: draft.fullname.slice(draft.project.length + 1),
    fullname: draft.fullname,
    project: draft.project,
    workspace: draft.workspace,
    workspace_id: draft.workspace_id,
    access_level: draft.access_level,
    level: draft.level,
    definition,
    data_source: null,
    status: saved?.status ?? stamped(untested, draft.saved_at),
    definition_warning: saved?.definition_warning ?? null,
    binding_warning: saved?.binding_warning ?? null,
    tags,
    labels,
    meta,
    has_providers: providers.length > 0,
    providers,
    draft_saved_at: draft.saved_at,
    draft_saved_by: draft.saved_by,
    version: draft.version,
    created_at: saved?.created_at ?? draft.saved_at,
    updated_at: draft.saved_at,
  }
  return draftView(row, settings)
}

/** A draft that is not saved. Saving the trigger or the draft gives it another id. */
export function unsavedDraftView(draft: DraftRow, settings: Networks) {
  return { ...openDraftView(draft, undefined, settings), hasDraft: false, draft: { exists: false } }
}

function draftOf(row: TriggerRow) {
  return {
    exists: row.draft_saved_at !== null,
    ...(row.draft_saved_at && { savedAt: row.draft_saved_at.toISOString() }),
    ...(row.draft_saved_by !== null && { savedBy: row.draft_saved_by }),
  }
}

/** Why the trigger makes no alerts now. */
export function silenceOfTrigger(row: TriggerRow, { networks }: Networks): string | undefined {
  return silenceOf({ fullname: row.fullname, status: row.status, sources: sourcesOf(row) }, networks)
}

/** The chains that the trigger reads. */
function sourcesOf({ definition: { triggerSpec, sourceBindings } }: TriggerRow): string[] {
  if (sourceBindings) return sourceBindings.map(({ dataSource }) => String(dataSource))
  return typeof triggerSpec?.dataSource === 'string' ? [triggerSpec.dataSource] : []
}

function isDeveloper(row: TriggerRow): boolean {
  return hasLevel(row.level, 'developer')
}

/**
 * A provider for callers below developer. Keys occur in URLs, headers, bodies, queries, parameters and scripts. So the
 * view lists the fields that hold none, and a new field is hidden by default.
 */
function publicProvider(provider: Record<string, unknown>): Record<string, unknown> {
  const shown = [...openFields, ...(providerOfType(provider.type)?.chainFields ?? [])]
  const fields = shown.filter((name) => provider[name] !== undefined).map((name) => [name, provider[name]])
  const host = typeof provider.url === 'string' ? hostOf(provider.url) : undefined
  return { ...Object.fromEntries(fields), ...(host !== undefined && { url: host }) }
}

const openFields = ['id', 'type', 'weight', 'timeoutMs', 'outputSchema']

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined
}
