import pg from 'pg'

/** A statement without a name is parsed and planned in every call. */
export type Statement = { name: string; text: string }
export type Value = string | Buffer | null
type Column = { name: string; parse(text: string): unknown }
type Columns = { list: Column[]; empty: Record<string, null> }
type Done = (error: Error | undefined, items: unknown[]) => void
type ItemOf = (row: Record<string, unknown>) => unknown
/** `itemOf` makes the result of each row. */
export type Reading = { values: Value[]; itemOf: ItemOf }

/**
 * The columns of each statement, per connection. They cannot change on one connection, because PostgreSQL refuses a
 * prepared statement whose columns changed. Another connection may have been opened after a table changed.
 */
export type Described = WeakMap<pg.Connection, Map<string, Columns>>

/**
 * A statement that, if it has a name, requests the description of its columns once per connection; `pg` requests it with
 * every query. It implements `pg.Submittable`: the client calls `submit`, then one `handle…` method for each message from
 * PostgreSQL.
 */
export class ReadQuery implements pg.Submittable {
  /** `pg` reads and replaces this property when the database URL sets a time limit. */
  callback: Done
  /** Public, as in the queries of `pg`, for tools and tests that observe what is sent. */
  readonly text: string
  readonly values: Value[]
  readonly #name: string
  readonly #itemOf: ItemOf
  readonly #described: Described
  readonly #items: unknown[] = []
  #connection: pg.Connection | undefined
  #columns: Columns | undefined
  #failure: Error | undefined

  constructor({ name, text }: Statement, { values, itemOf }: Reading, described: Described, done: Done) {
    this.text = text
    this.values = values
    this.#name = name
    this.#itemOf = itemOf
    this.#described = described
    this.callback = done
  }

  submit(connection: pg.Connection): void {
    const name = this.#name
    this.#connection = connection
    this.#columns = this.#described.get(connection)?.get(name)
    if (this.#columns) {
      if (connection.stream.writable) connection.stream.write(runMessages(name, this.values))
      return
    }
    connection.stream.cork()
    connection.parse({ name, text: this.text, types: [] }, true)
    connection.bind({ statement: name, values: this.values }, true)
    connection.describe({ type: 'P' }, true)
    connection.execute(null, true)
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: Pick<pg.FieldDef, 'name' | 'dataTypeID'>[] }): void {
    const list = fields.map(({ name, dataTypeID }) => ({ name, parse: pg.types.getTypeParser(dataTypeID, 'text') }))
    this.#columns = { list, empty: { ...Object.fromEntries(list.map(({ name }) => [name, null])) } }
    if (!this.#connection || this.#name === '') return
    const ofConnection = this.#described.get(this.#connection) ?? new Map()
    this.#described.set(this.#connection, ofConnection.set(this.#name, this.#columns))
  }

  /** A row that cannot be parsed fails its query, not the process. */
  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      this.#items.push(this.#itemOf(rowOf(this.#columns, fields)))
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error))
    }
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback(this.#failure, this.#items)
  }

  handleError(error: Error): void {
    this.callback(error, [])
  }
}

/** Execute, with an unnamed portal and all of its rows, and Sync. */
const executeAndSync = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4])

/**
 * The messages Bind, Execute and Sync of a prepared statement in one buffer. `pg` makes a buffer for each, and writing several
 * buffers to a socket costs Node more than writing one. The name of the statement is ASCII.
 */
function runMessages(name: string, values: Value[]): Buffer {
  let size = 15 + name.length + 6 * values.length
  for (const value of values) if (value !== null) size += Buffer.byteLength(value)
  const bytes = Buffer.allocUnsafe(size + executeAndSync.length)
  bytes[0] = 0x42
  // The length counts itself, not the letter of the message.
  let at = bytes.writeInt32BE(size - 1, 1)
  bytes[at++] = 0
  at += bytes.write(name, at, 'latin1')
  bytes[at++] = 0
  // The format of each value, 0 for text and 1 for bytes, then the values, then one format for all columns of the result.
  at = bytes.writeInt16BE(values.length, at)
  for (const value of values) at = bytes.writeInt16BE(Buffer.isBuffer(value) ? 1 : 0, at)
  at = bytes.writeInt16BE(values.length, at)
  for (const value of values) at = writeValue(bytes, value, at)
  at = bytes.writeInt16BE(1, at)
  at = bytes.writeInt16BE(0, at)
  bytes.set(executeAndSync, at)
  return bytes
}

/** Returns the position after the value. A length of -1 stands for null. */
function writeValue(bytes: Buffer, value: Value, at: number): number {
  if (value === null) return bytes.writeInt32BE(-1, at)
  const begin = at + 4
  const length = typeof value === 'string' ? bytes.write(value, begin, 'utf8') : value.copy(bytes, begin)
  bytes.writeInt32BE(length, at)
  return begin + length
}

function rowOf(columns: Columns | undefined, fields: (string | null)[]): Record<string, unknown> {
  if (columns?.list.length !== fields.length)
    throw new Error('PostgreSQL sent a row that does not match its description.')
  const row: Record<string, unknown> = { ...columns.empty }
  let at = 0
  for (const { name, parse } of columns.list) {
    const text = fields[at++]
    if (typeof text === 'string') row[name] = parse(text)
  }
  return row
}
