import type { Level, SourceKind } from '@tocsin/contract'
import { type Kysely, type Selectable, sql } from 'kysely'
import { type Base, json, newId, type PageQuery, pageOf } from '../core/base.ts'
import type { CustomSourcesTable, SourceRuntime, SourceSettings, SourceStatus, Tables } from '../core/tables.ts'

/** `endpoints` stay sealed in a row: they often carry keys. */
export type CustomSourceRow = Selectable<CustomSourcesTable> & { workspace: string }
export type SourceToFollow = Selectable<CustomSourcesTable>
/** A source as one account sees it; the level is null for a public source of a foreign workspace. */
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
    /** Undefined for a source that does not exist and for one that the account may not see, alike. */
    findReadable(fullname: string, accountId: string): Promise<ReadableSource | undefined> {
      return readable(db, accountId).where('s.fullname', '=', fullname).executeTakeFirst()
    },
    /** For the runs of the workspace's own triggers. */
    async findOfWorkspace(fullname: string, workspace: string): Promise<ReadableSource | undefined> {
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
      const rows = await readable(db, accountId)
        .$if(filter.workspace !== undefined, (query) => query.where('w.fullname', '=', filter.workspace ?? ''))
        .$if(page.after !== undefined, (query) => query.where('s.fullname', '>', page.after ?? ''))
        .orderBy('s.fullname')
        .limit(page.limit + 1)
        .execute()
      return pageOf<ReadableSource>(rows, page.limit, (row) => row.fullname)
    },
    listAllReadable(accountId: string): Promise<ReadableSource[]> {
      return readable(db, accountId).orderBy('s.fullname').execute()
    },
    /** Holds the row until the transaction ends, against saves, restarts and deletion at the same moment. */
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
    /** The caller holds the workspace's row, so the name that was free a moment ago still is. */
    async add(source: NewCustomSource, status: SourceStatus, at: Date): Promise<void> {
      await db
        .insertInto('custom_sources')
        .values({
          id: newId(),
          workspace_id: source.workspaceId,
          name: source.name,
          fullname: source.fullname,
          kind: source.kind,
          ...written(source, box),
          status: json(status),
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
        .set({ ...written(fields, box), status: json(status), revision: sql`revision + 1` })
        .set({ version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .execute()
    },
    /** Another revision makes the runtime start anew; answers it. */
    async restart(id: string, status: SourceStatus, at: Date): Promise<number> {
      const row = await db
        .updateTable('custom_sources')
        .set({ status: json(status), revision: sql`revision + 1`, version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .returning('revision')
        .executeTakeFirstOrThrow()
      return row.revision
    },
    /** What a runtime reports is no edit: `updatedAt` and the ETag stay. */
    async setRuntime(id: string, runtime: SourceRuntime): Promise<void> {
      await db
        .updateTable('custom_sources')
        .set({ runtime: json(runtime) })
        .where('id', '=', id)
        .execute()
    },
    async setStatus(id: string, status: SourceStatus): Promise<void> {
      await db
        .updateTable('custom_sources')
        .set({ status: json(status) })
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
    /** What the runtime of this revision tells. False when the source was saved, restarted or deleted meanwhile. */
    async report(
      id: string,
      revision: number,
      told: { status?: SourceStatus; runtime?: SourceRuntime },
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('custom_sources')
        .set({
          ...(told.status && { status: json(told.status) }),
          ...(told.runtime && { runtime: json(told.runtime) }),
        })
        .where('id', '=', id)
        .where('revision', '=', revision)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    /** Sources in the workspaces where the account may create some. */
    async countManaged(accountId: string): Promise<number> {
      const row = await db
        .selectFrom('custom_sources as s')
        .innerJoin('members as m', 'm.workspace_id', 's.workspace_id')
        .select((select) => select.fn.countAll<string>().as('count'))
        .where('m.account_id', '=', accountId)
        .where('m.level', 'in', ['owner', 'admin', 'developer'])
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },
    /** Lets an account's creations through one by one, so that two at once cannot both take the last place. */
    async holdQuota(accountId: string): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`custom-sources ${accountId}`}, 0))`.execute(db)
    },
    /** Another public source of the same network, as far as it is known which each is of. Of two at once one waits. */
    async findPublicTwin(source: {
      id: string
      kind: SourceKind
      runtime: SourceRuntime
    }): Promise<string | undefined> {
      const network = `${source.kind} ${source.runtime.chainId ?? source.runtime.genesisHash}`
      await sql`select pg_advisory_xact_lock(hashtextextended(${`public ${network}`}, 0))`.execute(db)
      const { rows } = await sql<{ fullname: string }>`
        select fullname from custom_sources where public and id <> ${source.id} and kind = ${source.kind}
          and (runtime->>'chainId' = ${source.runtime.chainId ?? null}
            or runtime->>'genesisHash' = ${source.runtime.genesisHash ?? null}) limit 1`.execute(db)
      return rows[0]?.fullname
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

/** The one place that says who may read a source: public ones everybody, the others members. */
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

function written(fields: CustomSourceFields, box: Base['box']) {
  return {
    public: fields.public,
    endpoints: box.sealJson(fields.endpoints),
    settings: json(fields.settings),
    substrate: fields.substrate ? json(fields.substrate) : null,
    meta: json(fields.meta),
  }
}
