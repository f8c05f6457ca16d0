import type { TriggerStatus } from '@tocsin/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import type { BindingFailure, Tables } from '../core/tables.ts'
import { bindingFailed, partLost, sourceMissing, stamped } from './trigger-status.ts'

/** A source of a trigger on several sources. `failure` says why its items do not come. */
export type StoredBinding = { id: string; source: string; failure: BindingFailure | null }
/** Which bindings of a source an event is about. Only triggers that the filter selects, if one is given. */
export type BindingEvent =
  | { kind: 'lost'; failure: BindingFailure; filter?: SpecFilter }
  /** The source is back. */
  | { kind: 'restored' }
  /** The part whose loss has this code can be read again. */
  | { kind: 'part_restored'; reasonCode: string }

export function triggerBindingsTable({ db }: Base) {
  return {
    /** In the order of the definition. */
    async list(triggerId: string): Promise<StoredBinding[]> {
      return db
        .selectFrom('trigger_bindings')
        .select(['id', 'source', 'failure'])
        .where('trigger_id', '=', triggerId)
        .orderBy('position')
        .execute()
    },
  }
}

/** Replaces the bindings of a trigger, in the transaction of its save. */
export async function replaceBindings(db: Kysely<Tables>, triggerId: string, bindings: readonly StoredBinding[]) {
  await db.deleteFrom('trigger_bindings').where('trigger_id', '=', triggerId).execute()
  if (bindings.length === 0) return
  const rows = bindings.map(({ id, source, failure }, position) => ({
    ...{ trigger_id: triggerId, id, position, source },
    failure: failure && json(failure),
  }))
  await db.insertInto('trigger_bindings').values(rows).execute()
}

/** The status of a trigger with failing bindings; null if none fails. `changeBindings` builds the same text in SQL. */
export function bindingWarningOf(bindings: readonly StoredBinding[], at: Date): TriggerStatus | null {
  const failing = bindings.flatMap(({ id, failure }) => (failure ? [`Binding "${id}": ${failure.issue}`] : []))
  if (failing.length === 0) return null
  return stamped({ status: 'warning', issue: failing.join(' '), reasonCode: bindingFailed, source: 'dependency' }, at)
}

/**
 * Changes the failures of the bindings on a source and writes the new `binding_warning` of their triggers. Returns the ids of
 * those triggers. It locks the triggers first, as a save does, and in one order, so that two callers cannot deadlock.
 */
export async function changeBindings(
  db: Kysely<Tables>,
  source: string,
  event: BindingEvent,
  at: Date,
): Promise<string[]> {
  const isTouched = sql`b.source = ${source} and ${conditionOf(event)}`
  const { rows } = await sql<{ id: string }>`
    select t.id from triggers t join projects p on p.id = t.project_id
    where exists (select from trigger_bindings b where b.trigger_id = t.id and ${isTouched})
    order by t.id for update of t`.execute(db)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const failure = event.kind === 'lost' ? json(event.failure) : null
  await sql`update trigger_bindings b set failure = ${failure}::json from triggers t join projects p on p.id = t.project_id
    where t.id = b.trigger_id and t.id = any(${ids}) and ${isTouched}`.execute(db)
  const stampedAt = at.toISOString()
  await sql`update triggers t set version = t.version + 1, binding_warning = (
      select case when count(*) > 0 then json_build_object('status', 'warning',
        'issue', string_agg('Binding "' || b.id || '": ' || (b.failure->>'issue'), ' ' order by b.position),
        'reasonCode', ${bindingFailed}::text, 'source', 'dependency', 'updatedAt', ${stampedAt}::text) end
      from trigger_bindings b where b.trigger_id = t.id and b.failure is not null)
    where t.id = any(${ids})`.execute(db)
  return ids
}

/** A binding that fails keeps its reason, because the reason says which event restores it. */
function conditionOf(event: BindingEvent) {
  if (event.kind === 'part_restored') return sql`b.failure->>'reasonCode' = ${event.reasonCode}`
  if (event.kind === 'restored')
    return sql`b.failure is not null and not starts_with(b.failure->>'reasonCode', ${partLost}) and (
      b.failure->>'reasonCode' <> ${sourceMissing} or exists (select from custom_sources s
        where s.fullname = b.source and (s.public or s.workspace_id = p.workspace_id)))`
  return event.filter ? sql`b.failure is null and ${hasSpec(event.filter)}` : sql`b.failure is null`
}

/** Triggers by their triggerSpec: one of these types and, if `specFlag` is given, with this value of this field. */
type SpecFilter = {
  specTypes: readonly string[]
  specFlag?: readonly [field: string, value: string] | undefined
}

/** For a statement in which `t` is the table of triggers. */
export function hasSpec({ specTypes, specFlag }: SpecFilter): RawBuilder<unknown> {
  const isOfType = sql`t.definition->'triggerSpec'->>'type' = any(${[...specTypes]})`
  if (specFlag === undefined) return isOfType
  const [field, value] = specFlag
  return sql`${isOfType} and t.definition->'triggerSpec'->>${field} = ${value}`
}
