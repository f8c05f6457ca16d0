import type { FollowerLease, followersTable } from './followers.ts'

/** The lease was lost because another process follows the source or the source was deleted. The caller must stop. */
export class LeaseLost extends Error {
  constructor(source: string) {
    super(`the lease of ${source} was lost`)
  }
}

type Followers = { followers: Pick<ReturnType<typeof followersTable>, 'fence'> }

/** The first statement of every commit of a follower. Without the lease the commit is rolled back. */
export async function requireLease(store: Followers, lease: FollowerLease): Promise<void> {
  if (!(await store.followers.fence(lease))) throw new LeaseLost(lease.source)
}
