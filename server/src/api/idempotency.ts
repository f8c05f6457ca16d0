import { randomUUID } from 'node:crypto'
import { Refusal } from '../domain/refusal.ts'
import type { KeyedRequest } from '../store/identity/idempotency-keys.ts'
import type { Store } from '../store/index.ts'
import type { HttpReply } from './http-reply.ts'

const keepMs = 24 * 3_600_000
/** A claim is renewed while its call runs, so it outlives a dead process by at most this time. */
const claimMs = 60_000
const renewEveryMs = 20_000

export type Keyed = { store: Store; request: KeyedRequest; clock: () => Date }

/**
 * The effect of a request and its kept reply are one commit, so a repeat after a crash finds both or neither. A repeat
 * during the first call waits for it.
 */
export async function onceInTransaction(keyed: Keyed, run: (store: Store) => Promise<HttpReply>): Promise<HttpReply> {
  const { request, clock } = keyed
  const now = clock()
  await forgetOld(keyed, now)
  return keyed.store.tx(async (store) => {
    if (!(await store.idempotencyKeys.claim(request, now))) return keptReply(store, request)
    const reply = await run(store)
    await store.idempotencyKeys.keep(request, reply)
    return reply
  })
}

/**
 * For a request that uses the network: three short statements and no transaction, so that a slow remote server holds no
 * database connection. It claims the key, runs, and keeps the reply. A repeat in between gets `in_progress`.
 */
export async function onceWithClaim(keyed: Keyed, run: () => Promise<HttpReply>): Promise<HttpReply> {
  const { store, request, clock } = keyed
  const now = clock()
  await forgetOld(keyed, now)
  const id = randomUUID()
  if (!(await store.idempotencyKeys.claimUntil(request, { id, until: claimEnd(now) }, now)))
    return keptReply(store, request)
  const renewal = setInterval(() => void renew(keyed, id), renewEveryMs)
  try {
    const reply = await run()
    await store.idempotencyKeys.keep(request, reply, id)
    return reply
  } catch (error) {
    await store.idempotencyKeys.release(request, id)
    throw error
  } finally {
    clearInterval(renewal)
  }
}

/** A failed renewal is retried at the next interval. If the claim expires before that, a repeat can run. */
async function renew({ store, request, clock }: Keyed, id: string): Promise<void> {
  await store.idempotencyKeys.extend(request, { id, until: claimEnd(clock()) }).catch(() => undefined)
}

function claimEnd(now: Date): Date {
  return new Date(now.getTime() + claimMs)
}

async function forgetOld({ store, request }: Keyed, now: Date): Promise<void> {
  if (request.key.length > 255) throw new Refusal('invalid_query', 'An Idempotency-Key has at most 255 characters.')
  await store.idempotencyKeys.forget(request, new Date(now.getTime() - keepMs))
}

async function keptReply(store: Store, request: KeyedRequest): Promise<HttpReply> {
  const kept = await store.idempotencyKeys.find(request)
  if (!kept) throw new Refusal('in_progress')
  return kept
}
