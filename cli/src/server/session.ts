import { type Client, createClient } from '@tocsin/sdk'
import { Failure } from '../failure.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { isOlder, version } from '../version.ts'
import { readLogin } from './login-file.ts'
import { requireServerUrl } from './server-url.ts'
import { requireTrusted } from './trusted-server.ts'
import { withServer } from './with-server.ts'

/** A server and the account on it. */
export type Session = {
  url: string
  /** Calls the server. Everything that goes wrong on the way is a sentence. */
  call<Result>(request: (client: Client) => Promise<Result>): Promise<Result>
}

/** TOCSIN_URL and TOCSIN_TOKEN go first, then the server of `tocsin.yaml`, then the last login. */
export async function openSession(terminal: Terminal, server?: string): Promise<Session> {
  const { url, session } = await lookForSession(terminal, server)
  if (session) return session
  const advice =
    url === undefined
      ? 'You are not signed in. Run `tocsin login`, or set TOCSIN_URL and TOCSIN_TOKEN.'
      : `You are not signed in at ${url}. Run \`tocsin login --url ${url}\`, or set TOCSIN_URL and TOCSIN_TOKEN.`
  throw new Failure('not_signed_in', advice)
}

export async function findSession(terminal: Terminal, server?: string): Promise<Session | undefined> {
  return (await lookForSession(terminal, server)).session
}

async function lookForSession(terminal: Terminal, server?: string): Promise<{ url?: string; session?: Session }> {
  const { env } = terminal
  const login = readLogin(env)
  const wanted = env.TOCSIN_URL || server || login?.current
  if (wanted === undefined) return {}
  const url = requireServerUrl(wanted)
  const token = env.TOCSIN_TOKEN || login?.tokens[url]
  if (token === undefined) return { url }
  if (!env.TOCSIN_URL) await requireTrusted(terminal, url)
  return { url, session: sessionAt(url, token) }
}

export function sessionAt(url: string, token: string): Session {
  let served: string | null = null
  let movedTo: string | null = null
  const client = createClient({
    baseUrl: url,
    token,
    fetch: async (address, init) => {
      // A redirect to another server would take the secrets of a body along.
      const response = await fetch(address, { ...init, redirect: 'manual' })
      served = response.headers.get('x-api-version')
      if (response.status >= 300 && response.status < 400) movedTo = response.headers.get('location')
      return response
    },
  })
  const call = <Result>(request: (client: Client) => Promise<Result>): Promise<Result> =>
    withServer(url, async () => {
      try {
        return await request(client)
      } finally {
        requireNoRedirect(url, movedTo)
        requireNewEnough(url, served)
      }
    })
  return { url, call }
}

function requireNoRedirect(url: string, location: string | null): void {
  if (location === null) return
  const target = URL.canParse(location, url) ? new URL(location, url).origin : 'another address'
  throw new Failure(
    'redirected',
    `${url} sends to ${target}. Nothing was sent there: use that address, if it is yours.`,
  )
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
