import { type ExpressionBuilder, sql } from 'kysely'
import type { Base } from '../core/base.ts'
import type { Tables } from '../core/tables.ts'

/** `content` is the method, the path and the hash of the body. */
export type KeyedRequest = { accountId: string; scope: string; key: string; content: string }
/** What a key was used for. `not kept`: the request is done, and its reply was too large. */
export type KeyUse =
  | { kind: 'kept'; reply: KeptReply }
  | { kind: 'running' }
  | { kind: 'not kept' }
  | { kind: 'other request' }
export type KeptReply = { status: number; body: unknown; headers: Record<string, string | string[]> }
/** A call that holds its key until `until`, unless it extends the claim. */
export type Claim = { id: string; until: Date }

/** Replies to POSTs with an Idempotency-Key. Sealed, because some of them show a secret. */
export function idempotencyKeysTable({ db, box }: Base) {
  const hashOf = ({ content }: KeyedRequest) => box.sign('idempotency key', content)
  const rowOf = (request: KeyedRequest, at: Date) => ({
    account_id: request.accountId,
    scope: request.scope,
    key: request.key,
    request_hash: hashOf(request),
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
    /** True if this call now holds the key. It takes over an expired claim of the same request, whose process has died. */
    async claimUntil(request: KeyedRequest, claim: Claim, at: Date): Promise<boolean> {
      const row = await db
        .insertInto('idempotency_keys')
        .values({ ...rowOf(request, at), claim_id: claim.id, claimed_until: claim.until })
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'scope', 'key'])
            .doUpdateSet({ claim_id: claim.id, claimed_until: claim.until, created_at: at })
            .where('idempotency_keys.reply', 'is', null)
            .where('idempotency_keys.status', 'is', null)
            .where('idempotency_keys.claimed_until', '<=', at)
            .where('idempotency_keys.request_hash', '=', hashOf(request)),
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
    /**
     * Stores nothing for a call that lost its claim: the call that took it over stores its own reply. Of a reply that is
     * larger than `bytesMax` only the status stays. Nobody takes over a claim without a deadline.
     */
    async keep(request: KeyedRequest, reply: KeptReply, { claimId, bytesMax }: Keeping): Promise<void> {
      const text = JSON.stringify(reply)
      const size = Buffer.byteLength(text)
      const kept = size <= bytesMax ? { reply: box.seal(text), size } : { claimed_until: null }
      await db
        .updateTable('idempotency_keys')
        .set({ status: reply.status, ...kept })
        .where(isClaimed(request, claimId))
        .execute()
    },
    async find(request: KeyedRequest): Promise<KeyUse> {
      const row = await db
        .selectFrom('idempotency_keys')
        .select(['reply', 'status', 'request_hash'])
        .where(isKeyed(request))
        .executeTakeFirst()
      if (row && row.request_hash !== hashOf(request)) return { kind: 'other request' }
      if (row?.reply) return { kind: 'kept', reply: box.openJson<KeptReply>(row.reply) }
      return row && row.status !== null ? { kind: 'not kept' } : { kind: 'running' }
    },
    /** How many keys an account has in use, and the bytes of their kept replies. */
    async summarize(accountId: string): Promise<{ keys: number; bytes: number }> {
      const { keys, bytes } = await db
        .selectFrom('idempotency_keys')
        .select(({ fn }) => [fn.countAll<string>().as('keys'), fn.sum<string | null>('size').as('bytes')])
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return { keys: Number(keys), bytes: Number(bytes ?? 0) }
    },
    async forget(request: KeyedRequest, olderThan: Date): Promise<void> {
      await db.deleteFrom('idempotency_keys').where(isKeyed(request)).where('created_at', '<', olderThan).execute()
    },
    async sweep(before: Date): Promise<void> {
      await db.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
    },
  }
}

type Keeping = { claimId: string | null; bytesMax: number }
type Where = ExpressionBuilder<Tables, 'idempotency_keys'>

function isKeyed({ accountId, scope, key }: KeyedRequest) {
  return (where: Where) => where.and({ account_id: accountId, scope, key })
}

function isClaimed(request: KeyedRequest, claimId: string | null) {
  return (where: Where) => where.and([isKeyed(request)(where), sql<boolean>`claim_id is not distinct from ${claimId}`])
}
