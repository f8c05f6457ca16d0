import type { PgBoss } from 'pg-boss'
import type { QueuePasses } from './queue-passes.ts'

type Options = { everyMs: number; passes: QueuePasses; wake(queue: string): void; warn(line: string): void }

/**
 * Fails the jobs whose process stopped sending heartbeats, so that they are retried, and wakes the pumps of their queues.
 * Also lets pg-boss pass over all queues when that is due. Returns the function that stops it.
 */
export function superviseJobs(boss: PgBoss, { everyMs, passes, wake, warn }: Options): () => Promise<void> {
  let running: Promise<void> | undefined
  const failExpired = async () => {
    for (const queue of await findExpiredQueues(boss)) {
      await boss.supervise(queue)
      wake(queue)
    }
    if (passes.isDue(performance.now())) await boss.supervise()
  }
  const timer = setInterval(() => {
    running ??= failExpired()
      .catch((error: unknown) => warn(`jobs: supervising the queues failed; it will be retried: ${String(error)}`))
      .finally(() => {
        running = undefined
      })
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}

async function findExpiredQueues(boss: PgBoss): Promise<string[]> {
  const { rows } = await boss.getDb().executeSql(
    `select distinct name from pgboss.job where state = 'active'
      and heartbeat_on + heartbeat_seconds * interval '1 second' < now()`,
    [],
  )
  const named: { name: string }[] = rows
  return named.map(({ name }) => name)
}
