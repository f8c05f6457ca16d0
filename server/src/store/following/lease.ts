import type { Store } from '../index.ts'
import type { Held } from './followers.ts'

/** Another follows the source now, or it is gone: whoever holds this lease stops at once. */
export class LeaseLost extends Error {
  constructor(source: string) {
    super(`the lease of ${source} was lost`)
  }
}

/** First in every commit of a follower: without the lease nothing of it is kept. */
export async function requireLease(store: Store, held: Held): Promise<void> {
  if (!(await store.followers.fence(held))) throw new LeaseLost(held.source)
}
