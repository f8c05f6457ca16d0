import pg from 'pg'
import { connectionOptions, hostsOf } from './connection-options.ts'

/** The oldest PostgreSQL that the migrations run on. */
const versionMin = 150_000
/** So many connections at once make a pooler in transaction mode hand one server connection to two clients. */
const holdersMax = 4

/**
 * Checks before anything else that the database of `DATABASE_URL` can be used, and throws an error that says what is wrong
 * and what to do.
 */
export async function requireUsableDatabase(url: string): Promise<void> {
  const client = await connect(url)
  try {
    await requireVersion(client)
    await requireRights(client)
    await requireSessions(client, url)
  } finally {
    await client.end().catch(() => {})
  }
}

async function connect(url: string): Promise<pg.Client> {
  try {
    const client = new pg.Client({ ...connectionOptions(url), connectionTimeoutMillis: 10_000 })
    // A connection that breaks is reported by the next query.
    client.on('error', () => {})
    await client.connect()
    return client
  } catch (error) {
    throw new Error(`DATABASE_URL: ${whyNoConnection(error, url)}`, { cause: error })
  }
}

/** Never names the password. */
function whyNoConnection(error: unknown, url: string): string {
  const { code = '', message = String(error) } = error as { code?: string; message?: string }
  const where = hostsOf(url)
    .map(({ name, url }) => addressOf(url) ?? name)
    .join(', ')
  const known = adviceByCode[code] ?? (isAboutCertificates(code, message) ? certificateAdvice : undefined)
  return `no connection to ${where}: ${message}.${known === undefined ? '' : ` ${known}`}`
}

const certificateAdvice =
  "The server's certificate is not trusted here: name its authority with sslmode=verify-full&sslrootcert=/path/ca.pem, or encrypt without the check with sslmode=require."
const adviceByCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Is PostgreSQL running there, and is the port right?',
  ENOTFOUND: 'Is the name of the server right?',
  EAI_AGAIN: 'The name server does not answer.',
  '28P01': 'Check the user and the password. Special characters in the URL are written as %xx.',
  '28000': 'Check the user, and pg_hba.conf of the server.',
  '3D000': 'Create it first: CREATE DATABASE name OWNER user',
  '53300': 'Raise max_connections of the server, or lower DATABASE_POOL.',
}

function isAboutCertificates(code: string, message: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ERR_TLS/.test(code) || /certificate/i.test(message)
}

function addressOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { host, hostname, port, pathname } = new URL(url)
  return host === '' ? undefined : `${port === '' ? `${hostname}:5432` : host}${pathname}`
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: string; version: string }>(
    "select current_setting('server_version_num') as number, current_setting('server_version') as version",
  )
  const [found] = rows
  if (found && Number(found.number) < versionMin)
    throw new Error(`DATABASE_URL: the server is PostgreSQL ${found.version}, and the service needs 15 or later.`)
}

/** Without these rights a migration would fail in the middle, with an error that does not name the cause. */
async function requireRights(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ role: string; database: string; inSchema: boolean; inDatabase: boolean }>(`
    select current_user as role, current_database() as database,
      has_schema_privilege(current_user, 'public', 'create') as "inSchema",
      has_database_privilege(current_user, current_database(), 'create')
        or to_regnamespace('pgboss') is not null as "inDatabase"`)
  const [found] = rows
  if (!found) return
  const { role, database } = found
  const [owner, name] = [pg.escapeIdentifier(role), pg.escapeIdentifier(database)]
  if (!found.inDatabase)
    throw new Error(
      `DATABASE_URL: the role ${role} may not make a schema in the database ${database}. Run there: GRANT CREATE ON DATABASE ${name} TO ${owner}`,
    )
  if (!found.inSchema)
    throw new Error(
      `DATABASE_URL: the role ${role} may not make tables in the schema public. Run there: GRANT CREATE ON SCHEMA public TO ${owner}`,
    )
}

/**
 * A pooler in transaction mode gives each transaction another connection to the server. Locks of a session, LISTEN and prepared
 * statements then get lost or reach somebody else. Such a pooler hands the connection that the idle `client` used last to a
 * client that begins a transaction, or gives the `client` another one.
 */
async function requireSessions(client: pg.Client, url: string): Promise<void> {
  const first = await backendOf(client)
  const holders: pg.Client[] = []
  try {
    while (holders.length < holdersMax) {
      const holder = await connect(url)
      holders.push(holder)
      const own = await backendOf(client)
      await holder.query('begin')
      if (own !== first || (await backendOf(holder)) === own) throw new Error(transactionMode)
    }
  } finally {
    await Promise.all(holders.map((holder) => holder.end().catch(() => {})))
  }
}

const transactionMode =
  'DATABASE_URL leads to a pooler in transaction mode (PgBouncer: pool_mode = transaction). The service needs sessions, for locks, notices and prepared statements. Use pool_mode = session, or the address of PostgreSQL itself.'

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}
