import pg from 'pg'
import { connectionOptions } from '../core/connection-options.ts'
import type { SignManifest } from './manifest.ts'

export type ArchiveOptions = {
  /** Called after each table. */
  log(line: string): void
  /** Called after each batch with how many rows are done, of how many; an export knows the number roughly. */
  progress?(done: number, of: number): void
  /** Stops the work early and leaves nothing behind. */
  signal?: AbortSignal
  /** Signs the archive or checks its signature. Without it, an archive is neither signed nor checked. */
  sign?: SignManifest | undefined
  /** The command that takes an archive without its signature. */
  unverifiedCommand?: string
}

/** A connection whose settings give every value exactly one text form, for writing and for reading. */
export async function withSession<T>(
  url: string,
  signal: AbortSignal | undefined,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connectionOptions(url))
  // The next query reports a broken connection.
  client.on('error', () => {})
  await client.connect()
  // Ending the connection makes the running query fail at once.
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
    // The first error says more than a failed rollback on a connection that may be closed.
    await client.query('rollback').catch(() => {})
    throw error
  }
}
