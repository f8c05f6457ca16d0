import pg from 'pg'

export type Address = { port: number; password: string }

export function urlOf({ port, password }: Address, database: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${database}`
}

export type Answer = 'ours' | 'starting' | 'silent'

/** Checks whether the server on that port runs our cluster: it must accept our password and name our folder. */
export async function ask(address: Address, cluster: string): Promise<Answer> {
  try {
    return await withClient(urlOf(address, 'postgres'), async (client) => {
      const { rows } = await client.query('show data_directory')
      return samePath(rows[0]?.data_directory, cluster) ? 'ours' : 'silent'
    })
  } catch (error) {
    return judge(error, address.port)
  }
}

export async function ensureDatabase(address: Address, name: string): Promise<void> {
  await withClient(urlOf(address, 'postgres'), async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await createDatabase(client, name)
  })
}

/** The server of a killed start may still be creating the database, so it may exist a moment later. */
async function createDatabase(client: pg.Client, name: string): Promise<void> {
  try {
    await client.query(`create database ${client.escapeIdentifier(name)}`)
  } catch (error) {
    if (![duplicateDatabase, uniqueViolation].includes(codeOf(error))) throw error
  }
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  // The next query reports a connection that broke between two queries.
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

const duplicateDatabase = '42P04'
const uniqueViolation = '23505'
const cannotConnectNow = '57P03'
const wrongPassword = '28P01'

function judge(error: unknown, port: number): Answer {
  const code = codeOf(error)
  if (code === cannotConnectNow) return 'starting'
  if (code !== wrongPassword) return 'silent'
  throw new Error(`The PostgreSQL server on port ${port} does not accept the password kept beside its data.`)
}

function codeOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : ''
}

function samePath(found: unknown, cluster: string): boolean {
  return typeof found === 'string' && found.replaceAll('\\', '/') === cluster.replaceAll('\\', '/')
}
