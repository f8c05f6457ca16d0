import type { Level, TriggerMeta, TriggerStatus } from '@tocsin/contract'
import { type Kysely, sql } from 'kysely'
import { type Base, json, newId, type PageQuery, type RowPage, readPage } from '../core/base.ts'
import type { SecretBox } from '../core/secret-box.ts'
import type { Tables, TriggerDefinition } from '../core/tables.ts'
import { replaceFactories, type SavedFactory } from '../following/factories.ts'
import { anyOfFirstTriggers } from '../projects/first-readable.ts'
import { readable } from '../projects/projects.ts'
import { replaceBindings, type StoredBinding } from './trigger-bindings.ts'

/** A trigger as one account sees it, with the names of its owners. The level is null for an account that is no member. */
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
  /** The status that the definition requires, instead of `ready` and `not_tested`. Null for a valid definition. */
  definition_warning: TriggerStatus | null
  /** The same for bindings that fail. It comes before the warning of the definition. */
  binding_warning: TriggerStatus | null
  tags: string[]
  labels: Record<string, string>
  meta: TriggerMeta
  has_providers: boolean
  draft_saved_at: Date | null
  draft_saved_by: string | null
  version: number
  created_at: Date
  updated_at: Date
}
/** A trigger with opened providers, which contain headers and keys. */
export type WholeTrigger = TriggerRow & { providers: Record<string, unknown>[] }
export type TriggerContent = Pick<WholeTrigger, 'definition' | 'providers' | 'status' | 'tags' | 'labels' | 'meta'> & {
  dataSource: string | null
  definitionWarning: TriggerStatus | null
  bindingWarning: TriggerStatus | null
  bindings: readonly StoredBinding[]
  factories: readonly SavedFactory[]
}
export type NewTrigger = TriggerContent & { id?: string | undefined; projectId: string; name: string; fullname: string }
export type TriggerFilter = { projectId?: string | undefined; workspace?: string | undefined }

export function triggersTable({ db, box }: Base) {
  return {
    /** Undefined when the trigger does not exist or the account may not see it; callers cannot tell which. */
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
    /** Of the given triggers, those that exist and that the account may see. */
    async findAllReadable(fullnames: string[], accountId: string): Promise<WholeTrigger[]> {
      const rows = await readableTriggers(db, box, accountId)
        .select('t.providers')
        .where('t.fullname', 'in', fullnames)
        .execute()
      return rows.map((row) => ({ ...row, providers: box.openJson(row.providers) }))
    },
    listReadable(accountId: string, filter: TriggerFilter, page: PageQuery): Promise<RowPage<TriggerRow>> {
      const read = (page: PageQuery) =>
        readableTriggers(db, box, accountId)
          .where('t.id', '=', anyOfFirstTriggers(accountId, { ...page, ...filter }))
          .orderBy('t.fullname')
          .execute()
      return readPage<TriggerRow>(page, (row) => row.fullname, read)
    },
    /** Locks the project until the transaction ends, so that its name and owner stay. Lock order: projects before triggers. */
    async lockProject(fullname: string): Promise<void> {
      await db.selectFrom('projects').select('id').where('fullname', '=', fullname).forKeyShare().execute()
    },
    async lockProjectsOf(fullnames: string[]): Promise<void> {
      await db
        .selectFrom('projects')
        .select('id')
        .where('id', 'in', db.selectFrom('triggers').select('project_id').where('fullname', 'in', fullnames))
        .orderBy('id')
        .forKeyShare()
        .execute()
    },
    /** Locks the rows until the transaction ends, ordered by name, so that two callers cannot deadlock. */
    async lock(fullnames: string[]): Promise<void> {
      await db
        .selectFrom('triggers')
        .select('id')
        .where('fullname', 'in', fullnames)
        .orderBy('fullname')
        .forUpdate()
        .execute()
    },
    /** Adds nothing when the name is taken. */
    async add(trigger: NewTrigger, at: Date): Promise<boolean> {
      const added = await db
        .insertInto('triggers')
        .values({
          id: trigger.id ?? newId(),
          project_id: trigger.projectId,
          name: trigger.name,
          fullname: trigger.fullname,
          ...columnsOf(trigger, box),
          created_at: at,
          updated_at: at,
        })
        .onConflict((conflict) => conflict.column('fullname').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (added) await replaceBindings(db, added.id, trigger.bindings)
      if (added) await replaceFactories(db, added.id, trigger.factories)
      return added !== undefined
    },
    async update(id: string, content: TriggerContent, at: Date): Promise<void> {
      await db
        .updateTable('triggers')
        .set({ ...columnsOf(content, box), status_before: null, version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .execute()
      await replaceBindings(db, id, content.bindings)
      await replaceFactories(db, id, content.factories)
    },
    async remove(ids: string[]): Promise<void> {
      await db.deleteFrom('aliases').where('target_id', 'in', ids).execute()
      await db.deleteFrom('triggers').where('id', 'in', ids).execute()
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
      't.binding_warning',
      't.tags',
      't.labels',
      't.meta',
    ])
    .select(['t.version', 't.created_at', 't.updated_at'])
    .select(['p.fullname as project', 'p.workspace', 'p.workspace_id', 'p.access_level', 'p.level'])
    .select(['d.saved_at as draft_saved_at', 'd.saved_by as draft_saved_by'])
    .select(hasProviders(box).as('has_providers'))
}

/** Sealing keeps the length, so a list can see whether there are providers without opening them. */
function hasProviders(box: SecretBox) {
  return sql<boolean>`octet_length(t.providers) > ${box.sealJson([]).length}`
}

function columnsOf(content: TriggerContent, box: SecretBox) {
  return {
    definition: json(content.definition),
    providers: box.sealJson(content.providers),
    data_source: content.dataSource,
    status: json(content.status),
    definition_warning: content.definitionWarning && json(content.definitionWarning),
    binding_warning: content.bindingWarning && json(content.bindingWarning),
    tags: json(content.tags),
    labels: json(content.labels),
    meta: json(content.meta),
  }
}
