import type { Base } from './base.ts'

export type KeyedRequest = { accountId: string; scope: string; key: string }
export type KeptReply = { status: number; body: unknown; headers: Record<string, string | string[]> }

/** Replies to POSTs with an Idempotency-Key. Sealed, because some of them show a secret. */
export function idempotencyKeysTable({ db, box }: Base) {
  return {
    /** True for the first request with this key; a second one waits here until the first has committed. */
    async claim(request: KeyedRequest, at: Date): Promise<boolean> {
      const row = await db
        .insertInto('idempotency_keys')
        .values({ account_id: request.accountId, scope: request.scope, key: request.key, created_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .returning('key')
        .executeTakeFirst()
      return row !== undefined
    },
    async keep(request: KeyedRequest, reply: KeptReply): Promise<void> {
      await db
        .updateTable('idempotency_keys')
        .set({ status: reply.status, reply: box.sealJson(reply) })
        .where('account_id', '=', request.accountId)
        .where('scope', '=', request.scope)
        .where('key', '=', request.key)
        .execute()
    },
    async find(request: KeyedRequest): Promise<KeptReply | undefined> {
      const row = await db
        .selectFrom('idempotency_keys')
        .select('reply')
        .where('account_id', '=', request.accountId)
        .where('scope', '=', request.scope)
        .where('key', '=', request.key)
        .executeTakeFirst()
      return row?.reply ? box.openJson<KeptReply>(row.reply) : undefined
    },
    async forget(request: KeyedRequest, olderThan: Date): Promise<void> {
      await db
        .deleteFrom('idempotency_keys')
        .where('account_id', '=', request.accountId)
        .where('scope', '=', request.scope)
        .where('key', '=', request.key)
        .where('created_at', '<', olderThan)
        .execute()
    },
    async sweep(before: Date): Promise<void> {
      await db.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
    },
  }
}
