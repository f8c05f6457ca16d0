import type pg from 'pg'

/**
 * A sort that exceeds its memory and writes a temporary file of about 200 KB, so it fails when the disk is full. It needs
 * no table, leaves nothing behind and writes nothing to the database's log.
 */
const sortOnDisk = `select count(*) from (select md5(n::text) from generate_series(1, 4000) n order by 1 offset 0) sorted`

export async function requireWritable(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin; set local work_mem = 64')
    await client.query(sortOnDisk)
    await client.query('rollback')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}
