import type { TriggerStatus } from '@tocsin/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Base } from '../core/base.ts'
import { storableJson } from '../core/storable.ts'
import type { LostPart } from '../core/tables.ts'
import { type BindingEvent, changeBindings, hasSpec } from './trigger-bindings.ts'
import {
  type Guard,
  learning,
  type Move,
  moveOf,
  reasonOfPart,
  sourceUnavailable,
  stamped,
  type TriggerEvent,
} from './trigger-status.ts'

/** The moves of `trigger-status.ts` as statements: which triggers an event is about, and the guard of the move. */
export function triggerStatusesTable({ db }: Base) {
  const apply = async (which: RawBuilder<unknown>, event: TriggerEvent, at: Date, canRead = sql`true`) => {
    const move = moveOf(event)
    await sql`
      update triggers t set status = ${nextStatus(move, at)}, status_before = ${statusBefore[move.before]},
        version = t.version + ${sql.lit(move.version === undefined ? 1 : 0)}
      from projects p
      where p.id = t.project_id and ${which} and ${guarded(move, canRead)}`.execute(db)
  }
  /** A source that fails or is back changes the bindings on it, and so the status of their triggers. */
  const moveBindings = async (source: string, event: BindingEvent, at: Date) => {
    const ids = await changeBindings(db, source, event, at)
    if (ids.length === 0) return
    const isChanged = sql`t.id = any(${ids})`
    const isFailing = sql`${isChanged} and t.binding_warning is not null`
    await apply(isFailing, { kind: 'bindings_changed' }, at)
    await apply(isFailing, { kind: 'binding_lost' }, at)
    await apply(sql`${isChanged} and t.binding_warning is null`, { kind: 'bindings_restored' }, at)
  }
  /** A part of the source's blocks cannot be read: this breaks the triggers that need it, and warns those that go on. */
  const breakByPart = async (fullname: string, { part, issue, isLimit, ...filter }: LostPart, at: Date) => {
    const which = sql`t.data_source = ${fullname} and ${hasSpec(filter)}`
    if (isLimit) return apply(which, { kind: 'part_missed', part, issue }, at)
    await apply(which, { kind: 'part_lost', part, issue }, at)
    const failure = { reasonCode: reasonOfPart(part), issue }
    await moveBindings(fullname, { kind: 'lost', failure, filter }, at)
  }
  return {
    async move(id: string, event: TriggerEvent, at: Date): Promise<void> {
      await apply(sql`t.id = ${id}`, event, at)
    },
    /** The factories of the trigger are learned, also if a lost dependency hides that it was learning. */
    async endLearning(id: string, at: Date): Promise<void> {
      await apply(sql`t.id = ${id}`, { kind: 'factories_learned' }, at)
      await sql`update triggers set status_before = null
        where id = ${id} and status_before->>'reasonCode' = ${learning}`.execute(db)
    },
    async setStatus(id: string, status: TriggerStatus): Promise<void> {
      await db
        .updateTable('triggers')
        .set({ status: storableJson(status), version: sql`version + 1` })
        .where('id', '=', id)
        .execute()
    },
    /** The source was deleted: neither its items nor its own events come any more. */
    async breakBySource(fullname: string, issue: string, at: Date): Promise<void> {
      await apply(sql`t.data_source = ${fullname}`, { kind: 'dependency_lost', issue }, at)
      await moveBindings(fullname, { kind: 'lost', failure: { reasonCode: sourceUnavailable, issue } }, at)
    },
    /** The source is in error: its items do not come. Triggers on the source's own events go on. */
    async breakByFailure(fullname: string, issue: string, at: Date): Promise<void> {
      const which = sql`t.data_source = ${fullname} and t.definition->>'triggerSpec' is not null`
      await apply(which, { kind: 'dependency_lost', issue }, at)
      await moveBindings(fullname, { kind: 'lost', failure: { reasonCode: sourceUnavailable, issue } }, at)
    },
    breakByPart,
    /** Breaks the triggers on the source that need a part which is known to be unreadable. */
    async breakByKnownParts(fullname: string, at: Date): Promise<void> {
      const { rows } = await sql<{ unreadable: LostPart[] | null }>`
        select state->'unreadable' as unreadable from followers where source = ${fullname}`.execute(db)
      for (const part of rows[0]?.unreadable ?? []) await breakByPart(fullname, part, at)
    },
    async restoreByPart(fullname: string, part: string, at: Date): Promise<void> {
      await apply(sql`t.data_source = ${fullname}`, { kind: 'part_restored', part }, at)
      await moveBindings(fullname, { kind: 'part_restored', reasonCode: reasonOfPart(part) }, at)
    },
    /** The source is back. A workspace can read it if it is public or its own. */
    async restoreBySource(fullname: string, at: Date): Promise<void> {
      const canRead = sql`exists (select from custom_sources s
        where s.fullname = t.data_source and (s.public or s.workspace_id = p.workspace_id))`
      await apply(sql`t.data_source = ${fullname}`, { kind: 'dependency_restored' }, at, canRead)
      await moveBindings(fullname, { kind: 'restored' }, at)
    },
    /** The trigger whose output or events these triggers listen to was deleted. */
    async breakByStream(fullname: string, issue: string, at: Date): Promise<void> {
      await apply(listensTo(fullname), { kind: 'dependency_lost', issue }, at)
    },
    async restoreByStream(fullname: string, at: Date): Promise<void> {
      const canRead = sql`exists (select from triggers s join projects sp on sp.id = s.project_id
        where s.fullname = ${fullname} and (sp.access_level <> 'private' or sp.workspace_id = p.workspace_id))`
      await apply(listensTo(fullname), { kind: 'dependency_restored' }, at, canRead)
    },
  }
}

/** Without a triggerSpec a trigger listens to the stream that its backend names. */
function listensTo(stream: string): RawBuilder<unknown> {
  return sql`t.definition->'backend'->>'trigger' in (${stream}, ${`${stream}.events`}) and t.definition->>'triggerSpec' is null`
}

const statusBefore = { keep: sql`t.status_before`, remember: sql`t.status`, clear: sql`null` }

function nextStatus({ to }: Move, at: Date): RawBuilder<unknown> {
  const choices = to.map((each) =>
    typeof each === 'string' ? sql.ref(`t.${each}`) : sql`${storableJson(stamped(each, at))}::json`,
  )
  return sql`coalesce(${sql.join(choices)})`
}

function guarded({ from, needsReadAccess, version }: Move, canRead: RawBuilder<unknown>): RawBuilder<unknown> {
  const conditions = from.map(holds)
  if (needsReadAccess) conditions.push(sql`(not ${holds(needsReadAccess)} or ${canRead})`)
  if (version !== undefined) conditions.push(sql`t.version = ${version}`)
  return sql.join(conditions, sql` and `)
}

function holds(part: Guard[number]): RawBuilder<unknown> {
  if ('not' in part) return sql`not ${holds(part.not)}`
  const { reasonPrefix = '', ...fields } = part
  const equal = Object.entries(fields).map(([name, value]) => sql`${field(name)} = ${value}`)
  return sql`(${sql.join([sql`starts_with(${field('reasonCode')}, ${reasonPrefix})`, ...equal], sql` and `)})`
}

/** A missing field reads as an empty text: with null, neither a condition nor its opposite would hold. */
function field(name: string): RawBuilder<string> {
  return sql`coalesce(t.status->>${sql.lit(name)}, '')`
}

export type TroubledTrigger = { fullname: string; title: string; status: TriggerStatus }

/** Triggers that make no alerts although they should: broken, or blocked because they match far too often. */
export function troubledTriggersTable({ db }: Base) {
  return {
    /** By name; `count` is the number of all. */
    async list(workspaceId: string, max: number): Promise<{ count: number; rows: TroubledTrigger[] }> {
      const { rows } = await sql<TroubledTrigger & { count: string }>`
        select t.fullname, t.meta->>'title' as title, t.status, count(*) over () as count
        from triggers t join projects p on p.id = t.project_id
        where p.workspace_id = ${workspaceId} and t.status->>'status' in ('broken', 'blocked')
        order by t.fullname limit ${max}`.execute(db)
      return { count: Number(rows[0]?.count ?? 0), rows }
    },
  }
}
