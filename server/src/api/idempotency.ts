import { Refusal } from '../domain/refusal.ts'
import type { KeyedRequest } from '../store/idempotency-keys.ts'
import type { Store } from '../store/index.ts'
import type { Ready } from './ready.ts'

const keepMs = 24 * 3_600_000

/**
 * The effect of a request and its kept reply are one commit: a repeat, even after a crash, finds both or neither.
 * A repeat that comes while the first is under way waits for it.
 */
export async function once(
  store: Store,
  request: KeyedRequest,
  now: Date,
  run: (store: Store) => Promise<Ready>,
): Promise<Ready> {
  if (request.key.length > 255) throw new Refusal('invalid_query', 'An Idempotency-Key has at most 255 characters.')
  await store.idempotencyKeys.forget(request, new Date(now.getTime() - keepMs))
  return store.tx(async (store) => {
    if (!(await store.idempotencyKeys.claim(request, now))) return keptReply(store, request)
    const ready = await run(store)
    await store.idempotencyKeys.keep(request, ready)
    return ready
  })
}

async function keptReply(store: Store, request: KeyedRequest): Promise<Ready> {
  const kept = await store.idempotencyKeys.find(request)
  if (!kept) throw new Refusal('unavailable', 'The first request with this Idempotency-Key has not ended; try again.')
  return kept
}
