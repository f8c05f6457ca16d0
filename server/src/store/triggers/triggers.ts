import type { Level, TriggerStatus } from '@tocsin/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Base, json, newId, type PageQuery, pageOf } from '../core/base.ts'
import type { SecretBox } from '../core/secret-box.ts'
import type { Tables, TriggerDefinition } from '../core/tables.ts'
import { readable } from '../projects/projects.ts'

/** A trigger as one account sees it, with the names of its owners; the level is null for who is no member. */
export type TriggerRow = {
  id: string
  name: string
  fullname: string
  project: string
  workspace: string
  workspace_id: string
  access_level: 'private' | 'public' | 'free'
  level: Level | null
  definition: TriggerDefinition
  data_source: string | null
  status: TriggerStatus
  /** The status that its definition gives it: instead of `ready` and `not_tested`. Null: its definition is all right. */
  definition_warning: TriggerStatus | null
  tags: string[]
  labels: Record<string, string>
  meta: { title: string; description?: string }
  has_providers: boolean
  draft_saved_at: Date | null
  draft_saved_by: string | null
  version: number
  created_at: Date
  updated_at: Date
}
/** With its providers opened: they hold headers and keys. */
export type WholeTrigger = TriggerRow & { providers: Record<string, unknown>[] }
export type TriggerContent = Pick<WholeTrigger, 'definition' | 'providers' | 'status' | 'tags' | 'labels' | 'meta'> & {
  dataSource: string | null
  definitionWarning: TriggerStatus | null
}
export type NewTrigger = TriggerContent & { id?: string | undefined; projectId: string; name: string; fullname: string }
export type TriggerFilter = { projectId?: string | undefined; workspace?: string | undefined }

/** Nobody could read the source when the trigger was saved; a source that was there and failed has another code. */
export const sourceMissing = 'trigger.source_missing'
const sourceUnavailable = 'trigger.source_unavailable'
/** Followed by the part of a block that cannot be read. The follower breaks and mends these itself, block by block. */
const unreadable = 'source.unreadable_'

export function isOfUnreadablePart({ reasonCode = '' }: TriggerStatus): boolean {
  return reasonCode.startsWith(unreadable)
}

export type BrokenPart = { part: string; specTypes: readonly string[]; issue: string }

export function triggersTable({ db, box }: Base) {
  return {
    /** Undefined for a trigger that does not exist and for one that the account may not see, alike. */
    async findReadable(
      by: { fullname: string } | { id: string },
      accountId: string,
    ): Promise<WholeTrigger | undefined> {
      const row = await readableTriggers(db, box, accountId)
        .select('t.providers')
        .where('fullname' in by ? sql<boolean>`t.fullname = ${by.fullname}` : sql<boolean>`t.id = ${by.id}`)
        .executeTakeFirst()
      return row && { ...row, providers: box.openJson(row.providers) }
    },
    /** Of the given names those that exist and that the account may see. */
    async findAllReadable(fullnames: string[], accountId: string): Promise<WholeTrigger[]> {
      const rows = await readableTriggers(db, box, accountId)
        .select('t.providers')
        .where('t.fullname', 'in', fullnames)
        .execute()
      return rows.map((row) => ({ ...row, providers: box.openJson(row.providers) }))
    },
    async listReadable(accountId: string, filter: TriggerFilter, page: PageQuery) {
      const rows = await readableTriggers(db, box, accountId)
        .$if(filter.projectId !== undefined, (query) => query.where('p.id', '=', filter.projectId ?? ''))
        .$if(filter.workspace !== undefined, (query) => query.where('p.workspace', '=', filter.workspace ?? ''))
        .$if(page.after !== undefined, (query) => query.where('t.fullname', '>', page.after ?? ''))
        .orderBy('t.fullname')
        .limit(page.limit + 1)
        .execute()
      return pageOf<TriggerRow>(rows, page.limit, (row) => row.fullname)
    },
    /** Until the transaction ends the project keeps its name and owner. Projects are held before their triggers. */
    async holdProject(fullname: string): Promise<void> {
      await db.selectFrom('projects').select('id').where('fullname', '=', fullname).forKeyShare().execute()
    },
    async holdProjectsOf(fullnames: string[]): Promise<void> {
      await db
        .selectFrom('projects')
        .select('id')
        .where('id', 'in', db.selectFrom('triggers').select('project_id').where('fullname', 'in', fullnames))
        .orderBy('id')
        .forKeyShare()
        .execute()
    },
    /** Holds the rows until the transaction ends, in the order of their names, so that two callers never cross. */
    async lock(fullnames: string[]): Promise<void> {
      await db
        .selectFrom('triggers')
        .select('id')
        .where('fullname', 'in', fullnames)
        .orderBy('fullname')
        .forUpdate()
        .execute()
    },
    /** Nothing is added where the name is taken. */
    async add(trigger: NewTrigger, at: Date): Promise<boolean> {
      const added = await db
        .insertInto('triggers')
        .values({
          id: trigger.id ?? newId(),
          project_id: trigger.projectId,
          name: trigger.name,
          fullname: trigger.fullname,
          ...written(trigger, box),
          created_at: at,
          updated_at: at,
        })
        .onConflict((conflict) => conflict.column('fullname').doNothing())
        .returning('id')
        .executeTakeFirst()
      return added !== undefined
    },
    async update(id: string, content: TriggerContent, at: Date): Promise<void> {
      await db
        .updateTable('triggers')
        .set({ ...written(content, box), status_before: null, version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .execute()
    },
    async setStatus(id: string, status: TriggerStatus): Promise<void> {
      await db
        .updateTable('triggers')
        .set({ status: json(status), version: sql`version + 1` })
        .where('id', '=', id)
        .execute()
    },
    async remove(ids: string[]): Promise<void> {
      await db.deleteFrom('aliases').where('target_id', 'in', ids).execute()
      await db.deleteFrom('triggers').where('id', 'in', ids).execute()
    },
    /** The source that these triggers listen to is gone or in error. */
    breakBySource(fullname: string, issue: string, at: Date): Promise<void> {
      return breakThose(db, sql`t.data_source = ${fullname}`, { issue, reasonCode: sourceUnavailable }, at)
    },
    /** The source is in error: its items do not come. Who listens to its events goes on. */
    breakByFailure(fullname: string, issue: string, at: Date): Promise<void> {
      const those = sql`t.data_source = ${fullname} and t.definition->>'triggerSpec' is not null`
      return breakThose(db, those, { issue, reasonCode: sourceUnavailable }, at)
    },
    /** A part of the source's blocks cannot be read: it breaks the triggers that need it. */
    breakByPart(fullname: string, { part, specTypes, issue }: BrokenPart, at: Date): Promise<void> {
      const those = sql`t.data_source = ${fullname} and t.definition->'triggerSpec'->>'type' = any(${[...specTypes]})`
      return breakThose(db, those, { issue, reasonCode: `${unreadable}${part}` }, at)
    },
    /** The part can be read again. */
    mendByPart(fullname: string, part: string, at: Date): Promise<void> {
      const those = sql`t.data_source = ${fullname} and t.status->>'reasonCode' = ${`${unreadable}${part}`}`
      return mendThose(db, those, sql`true`, at)
    },
    /** The source is back. Who could not read it when saving is mended only if it is public or of the same workspace. */
    mendBySource(fullname: string, at: Date): Promise<void> {
      const mayRead = sql`exists (select from custom_sources s
        where s.fullname = t.data_source and (s.public or s.workspace_id = p.workspace_id))`
      const those = sql`t.data_source = ${fullname} and not starts_with(coalesce(t.status->>'reasonCode', ''), ${unreadable})`
      return mendThose(db, those, mayRead, at)
    },
    /** The same for triggers that listen to another trigger's output. */
    breakByStream(fullname: string, issue: string, at: Date): Promise<void> {
      return breakThose(db, listensTo(fullname), { issue, reasonCode: sourceUnavailable }, at)
    },
    mendByStream(fullname: string, at: Date): Promise<void> {
      const mayRead = sql`exists (select from triggers s join projects sp on sp.id = s.project_id
        where s.fullname = ${fullname} and (sp.access_level <> 'private' or sp.workspace_id = p.workspace_id))`
      return mendThose(db, listensTo(fullname), mayRead, at)
    },
  }
}

function readableTriggers(db: Kysely<Tables>, box: SecretBox, accountId: string) {
  return db
    .selectFrom(readable(db, accountId).as('p'))
    .innerJoin('triggers as t', 't.project_id', 'p.id')
    .leftJoin('trigger_drafts as d', 'd.fullname', 't.fullname')
    .select([
      't.id',
      't.name',
      't.fullname',
      't.definition',
      't.data_source',
      't.status',
      't.definition_warning',
      't.tags',
      't.labels',
      't.meta',
    ])
    .select(['t.version', 't.created_at', 't.updated_at'])
    .select(['p.fullname as project', 'p.workspace', 'p.workspace_id', 'p.access_level', 'p.level'])
    .select(['d.saved_at as draft_saved_at', 'd.saved_by as draft_saved_by'])
    .select(hasProviders(box).as('has_providers'))
}

/** Sealing keeps the length, so a list need not open what it does not show. */
function hasProviders(box: SecretBox) {
  return sql<boolean>`octet_length(t.providers) > ${box.sealJson([]).length}`
}

function written(content: TriggerContent, box: SecretBox) {
  return {
    definition: json(content.definition),
    providers: box.sealJson(content.providers),
    data_source: content.dataSource,
    status: json(content.status),
    definition_warning: content.definitionWarning && json(content.definitionWarning),
    tags: json(content.tags),
    labels: json(content.labels),
    meta: json(content.meta),
  }
}

/** Without a triggerSpec the stream is the one that the backend names. */
function listensTo(stream: string): RawBuilder<unknown> {
  return sql`t.definition->'backend'->>'trigger' in (${stream}, ${`${stream}.events`}) and t.definition->>'triggerSpec' is null`
}

/** What is broken by a dependency already stays as it is, so that who may mend it is not forgotten. */
async function breakThose(
  db: Kysely<Tables>,
  those: RawBuilder<unknown>,
  why: { issue: string; reasonCode: string },
  at: Date,
): Promise<void> {
  const status = { status: 'broken', ...why, source: 'dependency', updatedAt: stamp(at) }
  await sql`
    update triggers t set status = ${json(status)}::json, status_before = t.status, version = t.version + 1
    where ${those} and not ${isBrokenByDependency}`.execute(db)
}

/** What it was before, unless it was edited since or never stood. */
async function mendThose(
  db: Kysely<Tables>,
  those: RawBuilder<unknown>,
  mayRead: RawBuilder<unknown>,
  at: Date,
): Promise<void> {
  const untested = { status: 'not_tested', source: 'dependency', updatedAt: stamp(at) }
  await sql`
    update triggers t set status = coalesce(t.status_before, t.definition_warning, ${json(untested)}::json),
      status_before = null, version = t.version + 1
    from projects p
    where p.id = t.project_id and ${those} and ${isBrokenByDependency}
      and (t.status->>'reasonCode' is distinct from ${sourceMissing} or ${mayRead})`.execute(db)
}

const isBrokenByDependency = sql`(t.status->>'status' = 'broken' and coalesce(t.status->>'source', '') = 'dependency')`

function stamp(at: Date): string {
  return at.toISOString()
}
