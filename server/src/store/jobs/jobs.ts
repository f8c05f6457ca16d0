import { fromKysely } from 'pg-boss'
import type { Base } from '../core/base.ts'
import { pack } from '../core/packing.ts'
import type { Claimed, Queue } from './job-queue.ts'

export type NewJob = {
  /** A uuid made from the cause: the same job twice is one job. */
  id?: string
  data: object
  /** Jobs of an ordered queue with the same key run one after the other; never two of one key in one call. */
  key?: string
  /** Whose work it is, a trigger's say: one group's jobs never take all slots of a process. */
  group?: string
  priority?: number
  startAfter?: Date
}

/** Jobs inside the transaction that causes or settles them: that is what makes a crash repeat work and never lose it. */
export function jobsTable({ db, board }: Base) {
  const inside = () => (db.isTransaction ? { db: fromKysely(db) } : {})
  const add = async (queue: Queue, jobs: readonly NewJob[]): Promise<void> => {
    if (jobs.length === 0) return
    const packed = await Promise.all(
      jobs.map(async ({ id, data, key, group, priority, startAfter }) => ({
        data: await pack(data),
        ...(id !== undefined && { id }),
        ...(key !== undefined && { singletonKey: key }),
        ...(group !== undefined && { group: { id: group } }),
        ...(priority !== undefined && { priority }),
        ...(startAfter !== undefined && { startAfter }),
      })),
    )
    await board.boss().insert(queue, packed, inside())
  }
  return {
    add,
    /** Wakes the delivery lanes of these resources. */
    async wakeLanes(resourceIds: Iterable<string>): Promise<void> {
      await add(
        'deliver',
        [...resourceIds].map((resourceId) => ({ data: { resourceId } })),
      )
    },
    /** False when the claim has lapsed and another may hold the job: what was done for it must not be kept. */
    async settle({ queue, id, retryCount }: Pick<Claimed<unknown>, 'queue' | 'id' | 'retryCount'>): Promise<boolean> {
      const done: { affected?: number } = await board.boss().complete(queue, { id, retryCount }, null, inside())
      return done.affected === 1
    },
    /** The same for several jobs of one queue; answers the ids of those that were still held. */
    async settleAll(
      queue: Queue,
      claims: readonly Pick<Claimed<unknown>, 'id' | 'retryCount'>[],
    ): Promise<ReadonlySet<string>> {
      if (claims.length === 0) return new Set()
      const attempts = claims.map(({ id, retryCount }) => ({ id, retryCount }))
      const done: { affected?: number; settled?: string[] } = await board
        .boss()
        .complete(queue, attempts, null, inside())
      if (!done.settled) throw new Error('The backend of the jobs does not tell which were settled')
      return new Set(done.settled)
    },
  }
}
