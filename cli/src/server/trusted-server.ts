import { Failure } from '../failure.ts'
import { askYesNo } from '../terminal/ask.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { readLogin, saveTrust } from './login-file.ts'

/**
 * A folder can come from anybody, and its `tocsin.yaml` names a server. The token of TOCSIN_TOKEN and the values of variables go
 * only to a server that the person named or signed in to. Another one is asked about once.
 */
export async function requireTrusted(terminal: Terminal, url: string): Promise<void> {
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
