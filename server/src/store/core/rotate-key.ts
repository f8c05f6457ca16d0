import pg from 'pg'
import { connectionOptions } from './connection-options.ts'
import { openAny, openRotation, type Rotation, rotationName, sealKey, sealRotation, signingName } from './key-ring.ts'
import { makeSecretBox, tryOpen } from './secret-box.ts'
import { checkName, checkText } from './secret-key.ts'

export type RotateOptions = {
  log(line: string): void
  signal?: AbortSignal
  /** Resolves when every running process has read the rotation. */
  untilKnown(): Promise<void>
}
type SealedColumn = { table: string; column: string }

const batchRows = 500
/** A pass finds the values that processes sealed with the old key just before they read the rotation. */
const passesMax = 10

/**
 * Seals every secret of the store with the new key while the service runs. First it stores the rotation, so that every
 * process can open values of both keys and seals with the new one; then it seals value by value. A value that changes
 * meanwhile is left alone. If it is killed, the next call with the same keys continues.
 */
export async function rotateKey(url: string, rotation: Rotation, options: RotateOptions): Promise<void> {
  await withClient(url, async (client) => {
    await publish(client, rotation)
    await options.untilKnown()
    for (let pass = 0; (await sealAll(client, rotation, options)) > 0; pass += 1)
      if (pass === passesMax) throw new Error('A process still seals with the old key. Stop it, then run this again.')
    await inTransaction(client, async () => {
      await set(client, checkName, makeSecretBox(rotation.next).seal(checkText).toString('base64'))
    })
  })
}

/** Removes the old key from the store. Only a service with the new key can start afterwards. */
export async function finishRotation(url: string, key: Buffer): Promise<'finished' | 'none'> {
  return withClient(url, async (client) => {
    const row = await find(client, rotationName)
    if (row === undefined) return 'none'
    if (!openRotation(row, key)?.next.equals(key))
      throw new Error('The service still has the old key. Replace it with the new one first.')
    if (!isSealedWith(key, await find(client, checkName)))
      throw new Error('The rotation is not complete. Run npm run rotate-key again first.')
    await client.query('delete from settings where key = $1', [rotationName])
    return 'finished'
  })
}

async function publish(client: pg.Client, rotation: Rotation): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(`select pg_advisory_xact_lock(hashtextextended('${rotationName}', 0))`)
    if (!isSealedWith(rotation.old, await find(client, checkName)) && !(await find(client, rotationName)))
      throw new Error('The secrets in the store were sealed with another key than the given one.')
    const row = await find(client, rotationName)
    if (row !== undefined) return requireSame(row, rotation)
    const signing = await find(client, signingName)
    const signingKey = signing === undefined ? rotation.old : openAny([rotation.old], signing)
    if (!signingKey) throw new Error('The key for signatures cannot be opened with the given key.')
    await set(client, rotationName, sealRotation(rotation))
    await set(client, signingName, sealKey(signingKey, rotation.next))
  })
}

function requireSame(row: string, { old, next }: Rotation): void {
  const running = openRotation(row, old)
  if (running?.old.equals(old) && running.next.equals(next)) return
  throw new Error('A rotation to another key has begun. Finish it first, with that key.')
}

/** Returns how many values it sealed anew. */
async function sealAll(client: pg.Client, rotation: Rotation, { log, signal }: RotateOptions): Promise<number> {
  let sealed = await sealSettings(client, rotation)
  for (const column of await listSealedColumns(client)) {
    const count = await sealColumn(client, column, rotation, signal)
    if (count > 0) log(`${column.table}.${column.column}: ${count} values sealed with the new key`)
    sealed += count
  }
  return sealed
}

/** Columns of type bytea hold what a secret box sealed, except hashes and pictures. */
async function listSealedColumns(client: pg.Client): Promise<SealedColumn[]> {
  const { rows } = await client.query<SealedColumn>(`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' and column_name not like '%hash'
      and (table_name, column_name) <> ('images', 'bytes') order by 1, 2`)
  return rows
}

async function sealColumn(
  client: pg.Client,
  { table, column }: SealedColumn,
  rotation: Rotation,
  signal: AbortSignal | undefined,
): Promise<number> {
  const [from, value] = [client.escapeIdentifier(table), client.escapeIdentifier(column)]
  let [count, after] = [0, '(0,0)']
  for (;;) {
    signal?.throwIfAborted()
    const { rows } = await client.query<{ at: string; value: Buffer }>(
      `select ctid as at, ${value} as value from ${from} where ctid > $1::tid and ${value} is not null
        order by ctid limit ${batchRows}`,
      [after],
    )
    const changes = rows.flatMap(({ at, value: old }) => {
      const next = sealAgain(old, rotation)
      return next ? { at, old, next } : []
    })
    const { rowCount } = await client.query(
      `update ${from} t set ${value} = c.next from unnest($1::tid[], $2::bytea[], $3::bytea[]) c (at, old, next)
        where t.ctid = c.at and t.${value} = c.old`,
      [changes.map(({ at }) => at), changes.map(({ old }) => old), changes.map(({ next }) => next)],
    )
    count += rowCount ?? 0
    if (rows.length < batchRows) return count
    after = rows.at(-1)?.at ?? after
  }
}

/** Undefined if the value is not sealed with the old key. */
function sealAgain(value: Buffer, { old, next }: Rotation): Buffer | undefined {
  const text = tryOpen(old, value)
  return text === undefined ? undefined : makeSecretBox(next).seal(text)
}

/** Some settings are sealed and kept as Base64. The check is replaced last, and the rotation itself not at all. */
async function sealSettings(client: pg.Client, rotation: Rotation): Promise<number> {
  const { rows } = await client.query<{ key: string; value: string }>(
    'select key, value from settings where key <> all($1::text[])',
    [[checkName, rotationName]],
  )
  let count = 0
  for (const { key, value } of rows) {
    const next = sealAgain(Buffer.from(value, 'base64'), rotation)
    if (!next) continue
    const changed = [next.toString('base64'), key, value]
    count += (await client.query('update settings set value = $1 where key = $2 and value = $3', changed)).rowCount ?? 0
  }
  return count
}

function isSealedWith(key: Buffer, sealed: string | undefined): boolean {
  return sealed !== undefined && tryOpen(key, Buffer.from(sealed, 'base64')) === checkText
}

async function find(client: pg.Client, key: string): Promise<string | undefined> {
  const { rows } = await client.query<{ value: string }>('select value from settings where key = $1', [key])
  return rows[0]?.value
}

async function set(client: pg.Client, key: string, value: string): Promise<void> {
  await client.query(
    'insert into settings (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value',
    [key, value],
  )
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connectionOptions(url))
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
