import pg from 'pg'

export type Statement = { name: string; text: string }
export type Value = string | Buffer | null
type Column = { name: string; parse(text: string): unknown }
type Columns = { list: Column[]; empty: Record<string, null> }
type Done = (error: Error | undefined, rows: unknown[]) => void

/**
 * What each connection has said of a statement's columns. There they cannot change any more: PostgreSQL refuses to run
 * a prepared statement that would answer others. Another connection may have been made after the table was changed.
 */
export type Described = WeakMap<pg.Connection, Map<string, Columns>>

/**
 * A named statement that asks for the description of its columns once per connection; `pg` asks, reads and forgets it
 * with every query. It has the form in which `pg` takes queries of others' making: the client calls `submit`, and then
 * one `handle…` for each of PostgreSQL's answers.
 */
export class ReadQuery implements pg.Submittable {
  /** Known to `pg` by this name: a time limit in the database's address goes through it. */
  callback: Done
  readonly #statement: Statement
  readonly #values: Value[]
  readonly #described: Described
  readonly #rows: unknown[] = []
  #connection: pg.Connection | undefined
  #columns: Columns | undefined
  #failure: Error | undefined

  constructor(statement: Statement, values: Value[], described: Described, done: Done) {
    this.#statement = statement
    this.#values = values
    this.#described = described
    this.callback = done
  }

  submit(connection: pg.Connection): void {
    const { name, text } = this.#statement
    this.#connection = connection
    this.#columns = this.#described.get(connection)?.get(name)
    const isNew = this.#columns === undefined
    connection.stream.cork()
    if (isNew) connection.parse({ name, text, types: [] }, true)
    connection.bind({ statement: name, values: this.#values }, true)
    if (isNew) connection.describe({ type: 'P' }, true)
    connection.execute(null, true)
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: Pick<pg.FieldDef, 'name' | 'dataTypeID'>[] }): void {
    const list = fields.map(({ name, dataTypeID }) => ({ name, parse: pg.types.getTypeParser(dataTypeID, 'text') }))
    this.#columns = { list, empty: { ...Object.fromEntries(list.map(({ name }) => [name, null])) } }
    if (!this.#connection) return
    const ofConnection = this.#described.get(this.#connection) ?? new Map()
    this.#described.set(this.#connection, ofConnection.set(this.#statement.name, this.#columns))
  }

  /** A row that cannot be read fails its query, not the process. */
  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      this.#rows.push(rowOf(this.#columns, fields))
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error))
    }
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback(this.#failure, this.#rows)
  }

  handleError(error: Error): void {
    this.callback(error, [])
  }
}

function rowOf(columns: Columns | undefined, fields: (string | null)[]): Record<string, unknown> {
  if (columns?.list.length !== fields.length) throw new Error('PostgreSQL sent another row than it described.')
  const row: Record<string, unknown> = { ...columns.empty }
  let at = 0
  for (const { name, parse } of columns.list) {
    const text = fields[at++]
    if (typeof text === 'string') row[name] = parse(text)
  }
  return row
}
