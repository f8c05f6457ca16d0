import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { Failure } from '../failure.ts'

type Env = Readonly<Record<string, string | undefined>>
export type Login = { url: string; token: string }

/**
 * The last login, and a token for each server: a token goes only to the server that it was saved for. `trusted` are the servers of
 * folders that the person agreed to.
 */
const LoginFile = z.object({
  current: z.string().optional(),
  tokens: z.record(z.string(), z.string()),
  trusted: z.array(z.string()).default([]),
})
type Logins = z.output<typeof LoginFile>

export function loginFile(env: Env): string {
  const configFolder = env.XDG_CONFIG_HOME || join(env.HOME ?? homedir(), '.config')
  return join(configFolder, 'tocsin', 'login.json')
}

export function readLogin(env: Env): Logins | undefined {
  const file = loginFile(env)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
  try {
    return LoginFile.parse(JSON.parse(text))
  } catch {
    throw new Failure('invalid_login_file', `${file} cannot be read. Run \`tocsin login\` again after deleting it.`)
  }
}

export function saveLogin(env: Env, { url, token }: Login): void {
  const { tokens, trusted } = readLogin(env) ?? empty
  write(env, { current: url, tokens: { ...tokens, [url]: token }, trusted })
}

export function saveTrust(env: Env, url: string): void {
  const login = readLogin(env) ?? empty
  write(env, { ...login, trusted: [...login.trusted, url] })
}

const empty: Logins = { tokens: {}, trusted: [] }

/** The file is written aside and renamed, so that a killed command leaves the old one. Only its owner can read it. */
function write(env: Env, login: Logins): void {
  const file = loginFile(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const aside = `${file}.${process.pid}`
  writeFileSync(aside, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 })
  chmodSync(aside, 0o600)
  renameSync(aside, file)
}
