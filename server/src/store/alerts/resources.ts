import { sql } from 'kysely'
import { type Base, json, newId, type PageQuery, type RowPage, readPage } from '../core/base.ts'
import { anyOfFirst, firstOfMember } from '../core/first-rows.ts'
import { hashToken } from '../core/secret-box.ts'
import {
  type MemberResourceRow,
  type ResourceData,
  type ResourceRow,
  selectForMember,
  selectResources,
} from './resource-rows.ts'

export type ResourceFilter = { workspaceId?: string | undefined; projectId?: string | undefined }
export type ResourceFields = {
  projectId: string | null
  notifyResourceId: string | null
  data: ResourceData | null
  tags: string[]
  labels: Record<string, string>
  meta: { title?: string }
}
export type NewResource = ResourceFields & {
  workspaceId: string
  name: string
  fullname: string
  blueprint: string
  remark: string | null
  confirmedAt: Date | null
  token: string | null
}
/** A resource with opened secrets, for the sender. */
export type TargetRow = Pick<ResourceRow, 'id' | 'fullname' | 'blueprint' | 'ready' | 'remark'> & {
  data: ResourceData
  private: ResourceData
}
export function resourcesTable({ db, box }: Base) {
  return {
    findForMember(
      by: { fullname: string } | { id: string },
      accountId: string,
    ): Promise<MemberResourceRow | undefined> {
      return selectForMember(db, accountId)
        .where('fullname' in by ? sql<boolean>`r.fullname = ${by.fullname}` : sql<boolean>`r.id = ${by.id}`)
        .executeTakeFirst()
    },
    listForMember(
      accountId: string,
      { projectId, workspaceId }: ResourceFilter,
      page: PageQuery,
    ): Promise<RowPage<MemberResourceRow>> {
      const read = (page: PageQuery) => {
        const first =
          projectId === undefined
            ? firstOfMember('resources', accountId, page, ofWorkspace(workspaceId))
            : firstOfProject(projectId, page)
        return selectForMember(db, accountId)
          .where('r.id', '=', anyOfFirst([first], page.limit))
          .$if(workspaceId !== undefined, (query) => query.where('r.workspace_id', '=', workspaceId ?? ''))
          .orderBy('r.fullname')
          .execute()
      }
      return readPage<MemberResourceRow>(page, (row) => row.fullname, read)
    },
    /** The id of a resource of this workspace. */
    async findInWorkspace(fullname: string, workspaceId: string): Promise<string | undefined> {
      const found = await db
        .selectFrom('resources')
        .select('id')
        .where('fullname', '=', fullname)
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst()
      return found?.id
    },
    /** The token alone allows its holder to set the resource up, with or without an account. */
    findByToken(token: string): Promise<ResourceRow | undefined> {
      return selectResources(db).where('r.token_hash', '=', hashToken(token)).executeTakeFirst()
    },
    /** Locks the row until the transaction ends, against concurrent saves, setups and deletion. */
    lock(by: { fullname: string } | { id: string } | { token: string }): Promise<ResourceRow | undefined> {
      const query = selectResources(db).forUpdate('r')
      if ('id' in by) return query.where('r.id', '=', by.id).executeTakeFirst()
      if ('token' in by) return query.where('r.token_hash', '=', hashToken(by.token)).executeTakeFirst()
      return query.where('r.fullname', '=', by.fullname).executeTakeFirst()
    },
    /** The caller holds the workspace's row, so a free name stays free. */
    async add(resource: NewResource, at: Date): Promise<void> {
      await db
        .insertInto('resources')
        .values({
          id: newId(),
          workspace_id: resource.workspaceId,
          name: resource.name,
          fullname: resource.fullname,
          blueprint: resource.blueprint,
          ready: resource.remark === null,
          remark: resource.remark,
          confirmed_at: resource.confirmedAt,
          token: resource.token === null ? null : box.seal(resource.token),
          token_hash: resource.token === null ? null : hashToken(resource.token),
          ...columnsOf(resource, box),
          created_at: at,
          updated_at: at,
        })
        .execute()
    },
    /** The old token stops working. */
    async replaceToken(id: string, token: string): Promise<void> {
      await db
        .updateTable('resources')
        .set({ token: box.seal(token), token_hash: hashToken(token) })
        .where('id', '=', id)
        .execute()
    },
    /** A save does not change the destination or the token. */
    async update(id: string, fields: ResourceFields, at: Date): Promise<void> {
      await db
        .updateTable('resources')
        .set({ ...columnsOf(fields, box), version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .execute()
    },
    /** Only for the sender: the destinations with their secrets, by id. */
    async findTargets(ids: readonly string[]): Promise<Map<string, TargetRow>> {
      const rows = await db
        .selectFrom('resources')
        .select(['id', 'fullname', 'blueprint', 'ready', 'remark', 'data', 'private'])
        .where('id', '=', sql<string>`any(${[...ids]})`)
        .execute()
      const open = (sealed: Buffer | null) => (sealed ? box.openJson<ResourceData>(sealed) : {})
      return new Map(rows.map((row) => [row.id, { ...row, data: open(row.data), private: open(row.private) }]))
    },
    /** Stops deliveries until somebody reviews the resource. The destination is kept. */
    async switchOff(id: string, remark: string, at: Date): Promise<void> {
      await db
        .updateTable('resources')
        .set({ ready: false, remark, version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .execute()
    },
    /** Without a remark the resource is ready. */
    async setReadiness(
      id: string,
      { remark, confirmedAt }: { remark: string | null; confirmedAt: Date | null },
      at: Date,
    ): Promise<void> {
      await db
        .updateTable('resources')
        .set({ ready: remark === null, remark, confirmed_at: confirmedAt, version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .execute()
    },
    /** Rewords the reason why a resource is not ready. */
    async setRemark(id: string, remark: string): Promise<void> {
      await db.updateTable('resources').set({ remark }).where('id', '=', id).where('ready', '=', false).execute()
    },
    /** For owners, admins and the sender. */
    openData(row: ResourceRow): ResourceData | undefined {
      return row.data ? box.openJson<ResourceData>(row.data) : undefined
    },
    /** Only for owners and admins: the token allows its holder to change the destination. */
    openToken(row: ResourceRow): string | undefined {
      return row.token ? box.open(row.token) : undefined
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom('aliases').where('target_id', '=', id).execute()
      await db.deleteFrom('resources').where('id', '=', id).execute()
    },
  }
}

function columnsOf(fields: ResourceFields, box: Base['box']) {
  return {
    project_id: fields.projectId,
    notify_resource_id: fields.notifyResourceId,
    data: fields.data === null ? null : box.sealJson(fields.data),
    tags: json(fields.tags),
    labels: json(fields.labels),
    meta: json(fields.meta),
  }
}

function ofWorkspace(workspaceId: string | undefined) {
  return workspaceId === undefined ? [] : [sql`m.workspace_id = ${workspaceId}`]
}

/** The key of the index `resources_by_project`. With `=` PostgreSQL might read all resources in the order of their names. */
function firstOfProject(projectId: string, { limit, after }: PageQuery) {
  const name = sql`(x.fullname || '')`
  return sql`(select x.id, x.fullname from resources x
    where x.project_id between ${projectId} and ${projectId} ${after === undefined ? sql`` : sql`and ${name} > ${after}`}
    order by x.project_id, ${name} limit ${sql.lit(limit + 1)})`
}
