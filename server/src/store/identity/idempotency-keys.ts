import { type ExpressionBuilder, sql } from 'kysely'
import type { Base } from '../core/base.ts'
import type { Tables } from '../core/tables.ts'

export type KeyedRequest = { accountId: string; scope: string; key: string }
export type KeptReply = { status: number; body: unknown; headers: Record<string, string | string[]> }
/** A call that holds its key until `until`, unless it extends the claim. */
export type Claim = { id: string; until: Date }

/** Replies to POSTs with an Idempotency-Key. Sealed, because some of them show a secret. */
export function idempotencyKeysTable({ db, box }: Base) {
  const rowOf = (request: KeyedRequest, at: Date) => ({
    account_id: request.accountId,
    scope: request.scope,
    key: request.key,
    created_at: at,
  })
  return {
    /** True for the first request with this key. A second request waits here until the first has committed. */
    async claim(request: KeyedRequest, at: Date): Promise<boolean> {
      const row = await db
        .insertInto('idempotency_keys')
        .values(rowOf(request, at))
        .onConflict((conflict) => conflict.doNothing())
        .returning('key')
        .executeTakeFirst()
      return row !== undefined
    },
    /** True if this call now holds the key. It takes over an expired claim, whose process has died. */
    async claimUntil(request: KeyedRequest, claim: Claim, at: Date): Promise<boolean> {
      const row = await db
        .insertInto('idempotency_keys')
        .values({ ...rowOf(request, at), claim_id: claim.id, claimed_until: claim.until })
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'scope', 'key'])
            .doUpdateSet({ claim_id: claim.id, claimed_until: claim.until, created_at: at })
            .where('idempotency_keys.reply', 'is', null)
            .where('idempotency_keys.claimed_until', '<=', at),
        )
        .returning('key')
        .executeTakeFirst()
      return row !== undefined
    },
    async extend(request: KeyedRequest, claim: Claim): Promise<void> {
      await db
        .updateTable('idempotency_keys')
        .set({ claimed_until: claim.until })
        .where(isClaimed(request, claim.id))
        .execute()
    },
    /** Ends the claim without a reply, so that the next request with this key runs. */
    async release(request: KeyedRequest, claimId: string): Promise<void> {
      await db.deleteFrom('idempotency_keys').where(isClaimed(request, claimId)).execute()
    },
    /** Stores nothing for a call that lost its claim: the call that took it over stores its own reply. */
    async keep(request: KeyedRequest, reply: KeptReply, claimId: string | null = null): Promise<void> {
      await db
        .updateTable('idempotency_keys')
        .set({ status: reply.status, reply: box.sealJson(reply) })
        .where(isClaimed(request, claimId))
        .execute()
    },
    async find(request: KeyedRequest): Promise<KeptReply | undefined> {
      const row = await db.selectFrom('idempotency_keys').select('reply').where(isKeyed(request)).executeTakeFirst()
      return row?.reply ? box.openJson<KeptReply>(row.reply) : undefined
    },
    async forget(request: KeyedRequest, olderThan: Date): Promise<void> {
      await db.deleteFrom('idempotency_keys').where(isKeyed(request)).where('created_at', '<', olderThan).execute()
    },
    async sweep(before: Date): Promise<void> {
      await db.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
    },
  }
}

type Where = ExpressionBuilder<Tables, 'idempotency_keys'>

function isKeyed({ accountId, scope, key }: KeyedRequest) {
  return (where: Where) => where.and({ account_id: accountId, scope, key })
}

function isClaimed(request: KeyedRequest, claimId: string | null) {
  return (where: Where) => where.and([isKeyed(request)(where), sql<boolean>`claim_id is not distinct from ${claimId}`])
}
