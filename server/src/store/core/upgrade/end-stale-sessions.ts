import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { applicationName } from '../connection-options.ts'

/**
 * Version 0.1 cannot prepare a statement again that PostgreSQL refuses after a migration: its connection fails until it is
 * closed. So a process that has migrated ends such sessions while they are idle, outside any transaction. The pool of the old
 * process replaces them at its next use. Later versions prepare again; they are told apart by the name of their sessions.
 * Sessions that wait for notices or have not run a statement yet have prepared nothing, and stay. PostgreSQL lets a role end its
 * own sessions.
 */
const staleSessions = `pid <> pg_backend_pid() and backend_type = 'client backend'
  and datname = current_database() and usename = session_user
  and application_name = case current_setting('application_name') when '${applicationName}' then ''
    else current_setting('application_name') end
  and query <> '' and query !~* '^\\s*(listen|notify)\\M'`

/**
 * A process notices the end of a session some milliseconds later, and a query that it sends before fails. A pool uses the
 * session that became idle last, so the others are safe to end.
 */
export const quietMs = 50
/**
 * How long a session must have been idle, by the time since the commit. Some never rest for long, and the longer they stay, the
 * more of their statements are refused. The end of an idle session fails at most one.
 */
const steps = [
  { untilMs: 100, idleMs: quietMs },
  { untilMs: 200, idleMs: 10 },
  { untilMs: 5_000, idleMs: 0 },
]
const pauseMs = 10

/** Ends each session that began before this time once it is idle. Gives up on sessions that stay busy. */
export async function endStaleSessions(client: pg.ClientBase, before: string): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    const step = steps.find(({ untilMs }) => performance.now() - startedAt < untilMs)
    if (!step || (await endIdleSessions(client, before, step.idleMs)) === 0) return
    await pause(pauseMs)
  }
}

/** Ends those that have been idle for this time, and returns how many sessions it found. */
export async function endIdleSessions(client: pg.ClientBase, before: string, idleMs: number): Promise<number> {
  const { rowCount } = await client.query(
    `select case when state = 'idle' and state_change <= clock_timestamp() - $2 * interval '1 ms'
        then pg_terminate_backend(pid) end
      from pg_stat_activity where backend_start < $1::timestamptz and ${staleSessions}`,
    [before, idleMs],
  )
  return rowCount ?? 0
}
