import type { Level } from '@tocsin/contract'
import { type Kysely, type Selectable, sql } from 'kysely'
import { type Base, json, newId, type PageQuery, pageOf } from '../core/base.ts'
import { hashToken } from '../core/secret-box.ts'
import type { DestinationSummary, ResourcesTable, Tables } from '../core/tables.ts'

/** `data` and `token` stay sealed in a row. The private data of the destination is not read. */
export type ResourceRow = Omit<Selectable<ResourcesTable>, 'private' | 'destination_key' | 'token_hash'> & {
  workspace: string
  project: string | null
  failing_since: Date | null
  last_error: string | null
  last_error_at: Date | null
  last_success_at: Date | null
}
/** A resource as a member of its workspace sees it. */
export type MemberResourceRow = ResourceRow & { level: Level }
export type ResourceFilter = { workspaceId?: string | undefined; projectId?: string | undefined }
export type ResourceData = Record<string, unknown>
export type ResourceFields = {
  projectId: string | null
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
/** Where messages go: the sender's data, and the summary that people may see. */
export type Destination = { private: ResourceData; summary: DestinationSummary }

export function resourcesTable({ db, box }: Base) {
  return {
    findForMember(
      by: { fullname: string } | { id: string },
      accountId: string,
    ): Promise<MemberResourceRow | undefined> {
      return forMember(db, accountId)
        .where('fullname' in by ? sql<boolean>`r.fullname = ${by.fullname}` : sql<boolean>`r.id = ${by.id}`)
        .executeTakeFirst()
    },
    async listForMember(accountId: string, filter: ResourceFilter, page: PageQuery) {
      const rows = await forMember(db, accountId)
        .$if(filter.workspaceId !== undefined, (query) => query.where('r.workspace_id', '=', filter.workspaceId ?? ''))
        .$if(filter.projectId !== undefined, (query) => query.where('r.project_id', '=', filter.projectId ?? ''))
        .$if(page.after !== undefined, (query) => query.where('r.fullname', '>', page.after ?? ''))
        .orderBy('r.fullname')
        .limit(page.limit + 1)
        .execute()
      return pageOf<MemberResourceRow>(rows, page.limit, (row) => row.fullname)
    },
    /** The token alone allows its holder to set the resource up, with or without an account. */
    findByToken(token: string): Promise<ResourceRow | undefined> {
      return resources(db).where('r.token_hash', '=', hashToken(token)).executeTakeFirst()
    },
    /** Locks the row until the transaction ends, against concurrent saves, setups and deletion. */
    lock(by: { fullname: string } | { id: string } | { token: string }): Promise<ResourceRow | undefined> {
      const query = resources(db).forUpdate('r')
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
    /** The destination, readiness and remark change together. */
    async setDestination(id: string, destination: Destination, at: Date): Promise<void> {
      await db
        .updateTable('resources')
        .set({
          private: box.sealJson(destination.private),
          destination_key: keyOf(box, destination.summary.service, destination.private.chatId),
          summary: json(destination.summary),
          ready: true,
          remark: null,
        })
        .set({ version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .execute()
    },
    async clearDestination(id: string, remark: string, at: Date): Promise<void> {
      await db
        .updateTable('resources')
        .set({ private: null, destination_key: null, summary: null, ready: false, remark })
        .set({ version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .execute()
    },
    /** Only for the sender. */
    async readPrivate(id: string): Promise<ResourceData | undefined> {
      const row = await db.selectFrom('resources').select('private').where('id', '=', id).executeTakeFirst()
      return row?.private ? box.openJson<ResourceData>(row.private) : undefined
    },
    /** Only for the sender: the destination with its secrets. */
    async findTarget(id: string): Promise<TargetRow | undefined> {
      const row = await db
        .selectFrom('resources')
        .select(['id', 'fullname', 'blueprint', 'ready', 'remark', 'data', 'private'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (!row) return undefined
      const open = (sealed: Buffer | null) => (sealed ? box.openJson<ResourceData>(sealed) : {})
      return { ...row, data: open(row.data), private: open(row.private) }
    },
    /** Stops deliveries until somebody reviews the resource. The destination is kept. */
    async switchOff(id: string, remark: string, at: Date): Promise<void> {
      await db
        .updateTable('resources')
        .set({ ready: false, remark, version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .execute()
    },
    /** Switches off all resources of a chat that no longer accepts messages. Returns how many changed. */
    async switchOffChat(service: string, chatId: string | number, remark: string, at: Date): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('resources')
        .set({ ready: false, remark, version: sql`version + 1`, updated_at: at })
        .where('destination_key', '=', keyOf(box, service, chatId))
        .where(sql<boolean>`(ready or remark is distinct from ${remark})`)
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    },
    /** Switches on the resources that were switched off with this remark. */
    async switchOnChat(service: string, chatId: string | number, remark: string, at: Date): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('resources')
        .set({ ready: true, remark: null, version: sql`version + 1`, updated_at: at })
        .where('destination_key', '=', keyOf(box, service, chatId))
        .where('remark', '=', remark)
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    },
    /** Moves all resources of one chat to another. The caller runs it in a transaction, so no setup comes between. */
    async moveChat(service: string, from: string | number, to: string | number, at: Date): Promise<void> {
      const rows = await db
        .selectFrom('resources')
        .select(['id', 'private'])
        .where('destination_key', '=', keyOf(box, service, from))
        .orderBy('id')
        .forUpdate()
        .execute()
      for (const row of rows) {
        const known = row.private ? box.openJson<ResourceData>(row.private) : {}
        await db
          .updateTable('resources')
          .set({ private: box.sealJson({ ...known, chatId: to }), destination_key: keyOf(box, service, to) })
          .set({ summary: sql`jsonb_set(summary::jsonb, '{kind}', '"supergroup"')::json`, updated_at: at })
          .set({ version: sql`version + 1` })
          .where('id', '=', row.id)
          .execute()
      }
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
    /** Stores data that only the sender needs, such as secrets that still sign. */
    async savePrivate(id: string, data: ResourceData): Promise<void> {
      await db
        .updateTable('resources')
        .set({ private: box.sealJson(data) })
        .where('id', '=', id)
        .execute()
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

const columns = [
  'r.id',
  'r.workspace_id',
  'r.project_id',
  'r.name',
  'r.fullname',
  'r.blueprint',
  'r.ready',
  'r.remark',
  'r.confirmed_at',
  'r.data',
  'r.token',
  'r.summary',
  'r.tags',
  'r.labels',
  'r.meta',
  'r.version',
  'r.created_at',
  'r.updated_at',
  'w.fullname as workspace',
  'p.fullname as project',
  'l.failing_since',
  'l.last_error',
  'l.last_error_at',
  'l.last_success_at',
] as const

/** Signed, because chat ids are short and a plain hash would reveal them. */
function keyOf(box: Base['box'], service: string, chatId: unknown): string | null {
  const isNamed = typeof chatId === 'string' || typeof chatId === 'number'
  return isNamed ? box.sign('destination', `${service} ${chatId}`) : null
}

function resources(db: Kysely<Tables>) {
  return db
    .selectFrom('resources as r')
    .innerJoin('workspaces as w', 'w.id', 'r.workspace_id')
    .leftJoin('projects as p', 'p.id', 'r.project_id')
    .leftJoin('lanes as l', 'l.resource_id', 'r.id')
    .select(columns)
}

function forMember(db: Kysely<Tables>, accountId: string) {
  return resources(db)
    .innerJoin('members as m', 'm.workspace_id', 'r.workspace_id')
    .select('m.level')
    .where('m.account_id', '=', accountId)
}

function columnsOf(fields: ResourceFields, box: Base['box']) {
  return {
    project_id: fields.projectId,
    data: fields.data === null ? null : box.sealJson(fields.data),
    tags: json(fields.tags),
    labels: json(fields.labels),
    meta: json(fields.meta),
  }
}
