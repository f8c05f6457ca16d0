import pg from 'pg'
import type { SignManifest } from './manifest.ts'

export type ArchiveOptions = {
  /** Told of each table that is done. */
  log(line: string): void
  /** Ends the work early; nothing of it remains. */
  signal?: AbortSignal
  /** Signs the archive, or checks its signature; without it an archive is neither signed nor checked. */
  sign?: SignManifest | undefined
}

/** One connection on which every value has exactly one text form, the same for writing and for reading back. */
export async function withSession<T>(
  url: string,
  signal: AbortSignal | undefined,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  // A connection that breaks is told by the query that needs it.
  client.on('error', () => {})
  await client.connect()
  // A query under way fails at once when its connection ends.
  const abort = () => void client.end()
  signal?.addEventListener('abort', abort)
  try {
    signal?.throwIfAborted()
    await client.query(`set datestyle = 'ISO, YMD'; set intervalstyle = 'iso_8601'; set timezone = 'UTC';
      set bytea_output = 'hex'; set extra_float_digits = 1; set xmloption = 'content'; set statement_timeout = 0`)
    return await use(client)
  } finally {
    signal?.removeEventListener('abort', abort)
    await client.end()
  }
}

export async function inTransaction<T>(client: pg.Client, mode: string, work: () => Promise<T>): Promise<T> {
  await client.query(`begin ${mode}`)
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    // The first error tells more than a rollback on a connection that may be gone.
    await client.query('rollback').catch(() => {})
    throw error
  }
}
