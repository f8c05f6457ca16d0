import { ApiError, type Client, ConnectionError, createClient } from '@tocsin/sdk'
import { Failure } from '../failure.ts'
import { askYesNo } from '../terminal/ask.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { isOlder, version } from '../version.ts'
import { readLogin, saveTrust } from './login-file.ts'

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

/**
 * A folder can come from anybody, and its `tocsin.yaml` names a server. The token of TOCSIN_TOKEN and the values of variables go
 * only to a server that the person named or signed in to. Another one is asked about once.
 */
async function requireTrusted(terminal: Terminal, url: string): Promise<void> {
  const login = readLogin(terminal.env)
  if (login?.tokens[url] !== undefined || login?.trusted.includes(url)) return
  const { host } = new URL(url)
  if (!terminal.canAsk)
    throw new Failure(
      'server_not_trusted',
      `The file tocsin.yaml names the server ${host}, where you did not sign in. Your token was not sent. Set TOCSIN_URL=${url}, or run \`tocsin login --url ${url}\`, if it is yours.`,
    )
  const question = `The file tocsin.yaml names the server ${host}. Send your token and the variables of the files there?`
  if (!(await askYesNo(terminal, question, 'TOCSIN_URL')))
    throw new Failure('cancelled', `Cancelled. Nothing was sent to ${host}.`)
  saveTrust(terminal.env, url)
}

/** Calls the server and turns what can go wrong on the way to it into sentences. */
async function withServer<Result>(url: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof ApiError) throw explain(url, error)
    if (error instanceof ConnectionError) throw unreachable(url, error)
    throw error
  }
}

function explain(url: string, error: ApiError): Error {
  if (error.status === 401)
    return new Failure('unauthenticated', `${url} does not accept the token. Run \`tocsin login\` with a new one.`)
  if (error.code === 'unreadable')
    return new Failure(
      'unreadable',
      `${url} answered ${error.status}, but not as a Tocsin server does. Check the address.`,
    )
  return error
}

/** `fetch` says only that it failed; the reason is in its cause. */
function unreachable(url: string, error: Error): Failure {
  const cause = rootCause(error)
  const reason = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
  return new Failure('unreachable', `${url} cannot be reached (${reason}). Check the address and the network.`)
}

function rootCause(error: Error): Error {
  return error.cause instanceof Error ? rootCause(error.cause) : error
}

/** The address of a server without a slash at its end. */
export function requireServerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // `https://tocsin.example.org@other.example` looks like one server and is another.
  const isHttp = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isHttp) throw new Failure('invalid_url', `"${text}" is not the address of a server: write http://… or https://…`)
  return text.replace(/(?<!\/)\/+$/, '')
}
