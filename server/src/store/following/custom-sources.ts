import type { Level, SourceKind } from '@tocsin/contract'
import { type Kysely, type Selectable, sql } from 'kysely'
import { type Base, json, newId, type PageQuery, pageOf } from '../core/base.ts'
import { anyOfFirst, firstOfMember, firstPublic } from '../core/first-rows.ts'
import { storableJson } from '../core/storable.ts'
import type { CustomSourcesTable, SourceRuntime, SourceSettings, SourceStatus, Tables } from '../core/tables.ts'

/** `endpoints` stay sealed in a row, because they often contain keys. */
export type CustomSourceRow = Selectable<CustomSourcesTable> & { workspace: string }
export type SourceToFollow = Selectable<CustomSourcesTable>
/** A source as one account sees it. The level is null for a public source of another workspace. */
export type ReadableSource = CustomSourceRow & { level: Level | null }
export type CustomSourceFields = {
  public: boolean
  endpoints: string[]
  settings: SourceSettings
  substrate?: { extensions?: Record<string, unknown> } | undefined
  meta: CustomSourceRow['meta']
}
export type NewCustomSource = CustomSourceFields & {
  workspaceId: string
  name: string
  fullname: string
  kind: SourceKind
}

export function customSourcesTable({ db, box }: Base) {
  return {
    /** Undefined when the source does not exist or the account may not see it; callers cannot tell which. */
    findReadable(fullname: string, accountId: string): Promise<ReadableSource | undefined> {
      return readable(db, accountId).where('s.fullname', '=', fullname).executeTakeFirst()
    },
    /** For runs of the workspace's own triggers. */
    async findInWorkspace(fullname: string, workspace: string): Promise<ReadableSource | undefined> {
      const row = await db
        .selectFrom('custom_sources as s')
        .innerJoin('workspaces as w', 'w.id', 's.workspace_id')
        .selectAll('s')
        .select('w.fullname as workspace')
        .where('s.fullname', '=', fullname)
        .where('w.fullname', '=', workspace)
        .executeTakeFirst()
      return row && { ...row, level: null }
    },
    async listReadable(accountId: string, filter: { workspace?: string | undefined }, page: PageQuery) {
      const list = { ...page, ...filter }
      const sets = [
        firstPublic('custom_sources', sql`x.public`, list),
        firstOfMember('custom_sources', accountId, list),
      ]
      const rows = await readable(db, accountId)
        .where('s.id', '=', anyOfFirst(sets, page.limit))
        .orderBy('s.fullname')
        .execute()
      return pageOf<ReadableSource>(rows, page.limit, (row) => row.fullname)
    },
    /** Locks the row until the transaction ends, against concurrent saves, restarts and deletion. */
    lock(fullname: string): Promise<CustomSourceRow | undefined> {
      return db
        .selectFrom('custom_sources as s')
        .innerJoin('workspaces as w', 'w.id', 's.workspace_id')
        .selectAll('s')
        .select('w.fullname as workspace')
        .where('s.fullname', '=', fullname)
        .forUpdate('s')
        .executeTakeFirst()
    },
    /** The caller holds the workspace's row, so a free name stays free. */
    async add(source: NewCustomSource, status: SourceStatus, at: Date): Promise<void> {
      await db
        .insertInto('custom_sources')
        .values({
          id: newId(),
          workspace_id: source.workspaceId,
          name: source.name,
          fullname: source.fullname,
          kind: source.kind,
          ...columnsOf(source, box),
          status: storableJson(status),
          runtime: null,
          revision: 1,
          created_at: at,
          updated_at: at,
        })
        .execute()
    },
    async update(id: string, fields: CustomSourceFields, status: SourceStatus, at: Date): Promise<void> {
      await db
        .updateTable('custom_sources')
        .set({ ...columnsOf(fields, box), status: storableJson(status), revision: sql`revision + 1` })
        .set({ version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .execute()
    },
    /** Increases the revision, which makes the runtime restart, and returns it. */
    async restart(id: string, status: SourceStatus, at: Date): Promise<number> {
      const row = await db
        .updateTable('custom_sources')
        .set({ status: storableJson(status), revision: sql`revision + 1`, version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .returning('revision')
        .executeTakeFirstOrThrow()
      return row.revision
    },
    /** A report of the runtime is not an edit: `updatedAt` and the ETag stay. */
    async setRuntime(id: string, runtime: SourceRuntime): Promise<void> {
      await db
        .updateTable('custom_sources')
        .set({ runtime: storableJson(runtime) })
        .where('id', '=', id)
        .execute()
    },
    async setStatus(id: string, status: SourceStatus): Promise<void> {
      await db
        .updateTable('custom_sources')
        .set({ status: storableJson(status) })
        .where('id', '=', id)
        .execute()
    },
    /** Every source, for the engine. */
    listAll(): Promise<SourceToFollow[]> {
      return db.selectFrom('custom_sources').selectAll().execute()
    },
    findAll(fullnames: readonly string[]): Promise<SourceToFollow[]> {
      return db
        .selectFrom('custom_sources')
        .selectAll()
        .where('fullname', '=', sql<string>`any(${fullnames})`)
        .execute()
    },
    /** Stores a report of the runtime. Returns false when the source was saved, restarted or deleted meanwhile. */
    async saveReport(
      id: string,
      revision: number,
      report: { status?: SourceStatus; runtime?: SourceRuntime },
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('custom_sources')
        .set({
          ...(report.status && { status: storableJson(report.status) }),
          ...(report.runtime && { runtime: storableJson(report.runtime) }),
        })
        .where('id', '=', id)
        .where('revision', '=', revision)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    /** For developers and above, and for the runtime. */
    openEndpoints(row: Pick<CustomSourceRow, 'endpoints'>): string[] {
      return box.openJson<string[]>(row.endpoints)
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom('custom_sources').where('id', '=', id).execute()
    },
  }
}

/** The only place that decides who may read a source: everybody for public sources, members for the others. */
function readable(db: Kysely<Tables>, accountId: string) {
  return db
    .selectFrom('custom_sources as s')
    .innerJoin('workspaces as w', 'w.id', 's.workspace_id')
    .leftJoin('members as m', (join) =>
      join.onRef('m.workspace_id', '=', 's.workspace_id').on('m.account_id', '=', accountId),
    )
    .selectAll('s')
    .select(['w.fullname as workspace', 'm.level'])
    .where((where) => where.or([where('s.public', '=', true), where('m.level', 'is not', null)]))
}

function columnsOf(fields: CustomSourceFields, box: Base['box']) {
  return {
    public: fields.public,
    endpoints: box.sealJson(fields.endpoints),
    settings: json(fields.settings),
    substrate: fields.substrate ? json(fields.substrate) : null,
    meta: json(fields.meta),
  }
}

export type TroubledSource = { fullname: string; title: string | null; status: SourceStatus }

/** Sources that are lagging or in error. */
export function troubledSourcesTable({ db }: Base) {
  return {
    /**
     * The troubled sources of a workspace and those that its triggers use, by name. The status of a custom source is in its row,
     * that of a built-in network in the row of its follower. Others' private sources are left out.
     */
    async list(workspaceId: string): Promise<TroubledSource[]> {
      const { rows } = await sql<TroubledSource>`
        with own as (select t.id, t.data_source from triggers t join projects p on p.id = t.project_id
          where p.workspace_id = ${workspaceId}),
        used as (select data_source as source from own where data_source is not null
          union select b.source from trigger_bindings b join own on own.id = b.trigger_id)
        select s.fullname, s.meta->>'title' as title, s.status from custom_sources s
        where (s.workspace_id = ${workspaceId} or (s.public and s.fullname in (select source from used)))
          and s.status->>'status' in ('error', 'lagging')
        union all
        select f.source, null, f.state->'status' from followers f
        where f.source in (select source from used) and f.state->'status'->>'status' in ('error', 'lagging')
          and not exists (select from custom_sources s where s.fullname = f.source)
        order by 1`.execute(db)
      return rows
    },
  }
}
