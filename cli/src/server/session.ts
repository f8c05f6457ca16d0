import { type Client, createClient } from '@tocsin/sdk'
import { Failure } from '../failure.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { isOlder, version } from '../version.ts'
import { readLogin } from './login-file.ts'
import { requireServerUrl } from './server-url.ts'
import { withServer } from './with-server.ts'

/** A server and the account on it. */
export type Session = {
  url: string
  /** Calls the server. Everything that goes wrong on the way is a sentence. */
  call<Result>(request: (client: Client) => Promise<Result>): Promise<Result>
}

/** TOCSIN_URL and TOCSIN_TOKEN go first, then the server of `tocsin.yaml`, then the last login. */
export function openSession(terminal: Terminal, server?: string): Session {
  const { url, session } = lookForSession(terminal, server)
  if (session) return session
  const advice =
    url === undefined
      ? 'You are not signed in. Run `tocsin login`, or set TOCSIN_URL and TOCSIN_TOKEN.'
      : `You are not signed in at ${url}. Run \`tocsin login --url ${url}\`, or set TOCSIN_TOKEN.`
  throw new Failure('not_signed_in', advice)
}

export function findSession(terminal: Terminal, server?: string): Session | undefined {
  return lookForSession(terminal, server).session
}

function lookForSession({ env }: Terminal, server?: string): { url?: string; session?: Session } {
  const login = readLogin(env)
  const wanted = env.TOCSIN_URL || server || login?.current
  if (wanted === undefined) return {}
  const url = requireServerUrl(wanted)
  const token = env.TOCSIN_TOKEN || login?.tokens[url]
  return token === undefined ? { url } : { url, session: sessionAt(url, token) }
}

export function sessionAt(url: string, token: string): Session {
  let served: string | null = null
  const client = createClient({
    baseUrl: url,
    token,
    fetch: async (...request) => {
      const response = await fetch(...request)
      served = response.headers.get('x-api-version')
      return response
    },
  })
  const call = <Result>(request: (client: Client) => Promise<Result>): Promise<Result> =>
    withServer(url, async () => {
      try {
        return await request(client)
      } finally {
        requireNewEnough(url, served)
      }
    })
  return { url, call }
}

/** An older server may lack what this version asks of it. It says its version with every response. */
function requireNewEnough(url: string, served: string | null): void {
  if (served === null || !isOlder(served, version)) return
  const advice = `Update the server, or use \`npx @tocsin/cli@${served}\`.`
  throw new Failure(
    'server_too_old',
    `${url} has version ${served}, which is older than this command (${version}). ${advice}`,
  )
}
