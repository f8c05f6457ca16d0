import { unpack } from '../../server/src/store/core/packing.ts'
import type { World } from './world.ts'

/**
 * What may be the reason of a difference: the progress of the sources, the failures that triggers logged, the jobs that are
 * not finished, and the last lines that the services logged.
 */
export async function explain(world: World): Promise<string[]> {
  return [
    ...(await sourcesOf(world)),
    ...(await failuresOf(world)),
    ...(await jobsOf(world)),
    ...world.logLines().map((line) => `logged: ${line}`),
  ]
}

async function sourcesOf({ database, chains }: World): Promise<string[]> {
  const { rows } = await database.query<{ fullname: string; status: object; runtime: object }>(
    'select fullname, status, runtime from custom_sources where fullname = any($1)',
    [chains.map(({ source }) => source)],
  )
  return rows.map(({ fullname, status, runtime }) => `${fullname}: ${JSON.stringify({ ...status, ...runtime })}`)
}

async function failuresOf({ database }: World): Promise<string[]> {
  const { rows } = await database.query(
    `select t.fullname, l.status, l.reason_code, l.message, l.count, l.last_seen_at, l.sample
     from trigger_logs l join triggers t on t.id = l.trigger_id where l.status <> 'delivered' order by l.last_seen_at`,
  )
  return rows.map((row) => `trigger: ${JSON.stringify(row)}`)
}

/** The items that each unfinished job holds, and why its last attempt failed. */
async function jobsOf({ database }: World): Promise<string[]> {
  const { rows } = await database.query(
    `select name, id, state::text, retry_count, created_on, started_on, heartbeat_on, start_after, now(), output, data
     from pgboss.job where state <> 'completed' order by name, created_on, id limit 50`,
  )
  return rows.map(({ data, ...job }) => `job: ${JSON.stringify({ ...job, holds: shorten(unpack(data)) })}`)
}

function shorten(data: object): string {
  return JSON.stringify(data, (key, value: unknown) => (key === 'item' || key === 'trace' ? undefined : value)).slice(
    0,
    600,
  )
}
