import { sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import type { DestinationSummary } from '../core/tables.ts'
import type { ResourceData } from './resource-rows.ts'

/** Where messages go: the sender's data, and the summary that people may see. */
export type Destination = { private: ResourceData; summary: DestinationSummary }

/** Where a resource sends: its private data, and the Telegram chats that several resources can share. */
export function destinationsTable({ db, box }: Base) {
  return {
    /** The destination, readiness and remark change together. */
    async set(id: string, destination: Destination, at: Date): Promise<void> {
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
    async clear(id: string, remark: string, at: Date): Promise<void> {
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
    /** Stores data that only the sender needs, such as secrets that still sign. */
    async savePrivate(id: string, data: ResourceData): Promise<void> {
      await db
        .updateTable('resources')
        .set({ private: box.sealJson(data) })
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
  }
}

/** Signed, because chat ids are short and a plain hash would reveal them. */
function keyOf(box: Base['box'], service: string, chatId: unknown): string | null {
  const isNamed = typeof chatId === 'string' || typeof chatId === 'number'
  return isNamed ? box.sign('destination', `${service} ${chatId}`) : null
}
