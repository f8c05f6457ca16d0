import { Socket } from 'node:net'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import pg from 'pg'

/**
 * How to connect to a database URL. The URL may name several servers (`postgres://user:password@a:5432,b:5432/name`): a
 * primary and its replicas. `pg` knows one host only. So its socket looks for the primary each time it connects: it
 * asks the servers in order, the last known primary first, and connects to the first one that accepts writes. After a
 * failover the new connections lead to the new primary; the old ones broke with the old primary.
 */
export type ConnectionOptions = {
  connectionString: string
  fallback_application_name: string
  stream?: (config?: SocketConfig) => Socket
}

/** The name of our sessions in `pg_stat_activity`, unless the URL has another `application_name`. */
export const applicationName = 'tocsin'

type Host = { name: string; port: number; url: string }
/** What `pg` passes to the function that makes the socket. */
type SocketConfig = { ssl?: unknown }

const defaultPort = 5432
const probeTimeoutMs = 2_000

export function connectionOptions(given: string): ConnectionOptions {
  const url = withMeaningOfLibpq(given)
  const hosts = hostsOf(url)
  const [first] = hosts
  const named = { fallback_application_name: applicationName }
  if (!first || hosts.length === 1) return { connectionString: url, ...named }
  let ordered: readonly Host[] = hosts
  const find = async () => {
    const primary = await findPrimary(ordered)
    ordered = [primary, ...hosts.filter((host) => host !== primary)]
    return primary
  }
  return { connectionString: first.url, ...named, stream: (config) => new PrimarySocket(find, config?.ssl) }
}

/**
 * `sslmode` means what it means to psql: `require` encrypts without a check of the certificate, as managed databases expect.
 * Without this, `pg` checks it as `verify-full` does. `sslrootcert=system` names the authorities that Node knows anyway.
 */
function withMeaningOfLibpq(url: string): string {
  const read = url.replace(/([?&])sslrootcert=system(?:&|$)/, '$1').replace(/[?&]$/, '')
  if (!/[?&]sslmode=/.test(read) || /[?&]uselibpqcompat=/.test(read)) return read
  return `${read}&uselibpqcompat=true`
}

export function hostsOf(url: string): Host[] {
  const [, before = '', names = '', after = ''] = /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/.exec(url) ?? []
  return names.split(',').map((name) => {
    const ofHost = `${before}${name}${after}`
    // A URL of one server may have any form that `pg` reads, for example a socket's folder.
    if (!names.includes(',')) return { name, port: defaultPort, url }
    const { hostname, port } = new URL(ofHost)
    return { name: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || defaultPort, url: ofHost }
  })
}

async function findPrimary(hosts: readonly Host[]): Promise<Host> {
  const reasons: string[] = []
  for (const host of hosts) {
    const reason = await whyNotPrimary(host)
    if (reason === undefined) return host
    reasons.push(`${host.name}:${host.port}: ${reason}`)
  }
  throw new NoPrimary(`No server of DATABASE_URL accepts writes. ${reasons.join('; ')}`)
}

/** It has PostgreSQL's code for "a connection cannot be established", so that callers need not know of several servers. */
class NoPrimary extends Error {
  readonly code = '08001'
}

async function whyNotPrimary({ url }: Host): Promise<string | undefined> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
  })
  // The query reports a connection that broke.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
    return rows[0]?.transaction_read_only === 'off' ? undefined : 'read-only'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    void client.end().catch(() => {})
  }
}

class PrimarySocket extends Socket {
  readonly #find: () => Promise<Host>
  readonly #ssl: unknown

  constructor(find: () => Promise<Host>, ssl: unknown) {
    super()
    this.#find = find
    this.#ssl = ssl
  }

  /** `pg` passes the first host of the URL. */
  override connect(): this {
    this.#find().then(
      ({ name, port }) => {
        if (this.destroyed) return
        checkIdentityOf(name, this.#ssl)
        super.connect(port, name)
      },
      (error: Error) => this.destroy(error),
    )
    return this
  }
}

/** Without this, TLS would compare the certificate with the name of the first host. */
function checkIdentityOf(name: string, ssl: unknown): void {
  // `verify-ca` compares no names.
  if (typeof ssl !== 'object' || ssl === null || 'checkServerIdentity' in ssl) return
  Object.assign(ssl, {
    checkServerIdentity: (_first: string, certificate: PeerCertificate) => checkServerIdentity(name, certificate),
  })
}
