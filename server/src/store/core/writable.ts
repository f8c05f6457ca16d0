import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/**
 * A sort that exceeds its memory and writes a temporary file of about 200 KB, so it fails when the disk is full. It needs
 * no table, leaves nothing behind and writes nothing to the database's log.
 */
const sortOnDisk = `select count(*) from (select md5(n::text) from generate_series(1, 4000) n order by 1 offset 0) sorted`

/** Whoever asks waits five seconds at most, also for a database that is frozen and answers nothing. */
const answerMs = 4_000

export async function requireWritable(pool: pg.Pool, timeoutMs = answerMs): Promise<void> {
  const working = new AbortController()
  const checked = write(pool, working.signal)
  // After the deadline nobody waits for it.
  checked.catch(() => undefined)
  try {
    await Promise.race([checked, lateAfter(timeoutMs, working.signal)])
  } finally {
    working.abort()
  }
}

async function lateAfter(ms: number, signal: AbortSignal): Promise<never> {
  await pause(ms, undefined, { signal, ref: false })
  throw Object.assign(new Error(`The store did not answer within ${ms} ms.`), { code: 'ETIMEDOUT' })
}

async function write(pool: pg.Pool, signal: AbortSignal): Promise<void> {
  const client = await pool.connect()
  // The end of a connection fails the query that waits on it.
  const end = () => client.release(true)
  if (signal.aborted) return end()
  signal.addEventListener('abort', end)
  try {
    await client.query('begin; set local work_mem = 64')
    await client.query(sortOnDisk)
    await client.query('rollback')
  } catch (error) {
    signal.removeEventListener('abort', end)
    if (!signal.aborted) client.release(true)
    throw error
  }
  signal.removeEventListener('abort', end)
  if (!signal.aborted) client.release()
}
