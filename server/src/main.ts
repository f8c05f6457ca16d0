import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { stopSignal } from './command.ts'
import { loadConfig } from './config.ts'
import { type Service, startService } from './service.ts'

/** `npm start` ends here: configuration in, a running service out, ended by SIGTERM, SIGINT or SIGHUP. */
async function main(): Promise<void> {
  const config = loadConfig(process.env)
  // Asked before the start is done, it stops right after: a process that ended in between would leave its PostgreSQL behind.
  const stop = stopSignal()
  // Whoever read the output may go away; the service goes on.
  process.stdout.on('error', () => {})
  const service = await startService(config)
  if (stop.aborted) return end(service)
  stop.addEventListener('abort', () => void end(service))
  process.stdout.write(`${announcement(service).join('\n')}\n`)
  if (isGuessable(config.admin.token)) process.stderr.write(guessableWarning)
  await service.announced()
  // Also one that is killed keeps what was compiled, and starts a second faster the next time.
  flushCompileCache()
  giveBackMemory()
}

/** What starting took and running does not need: once, a sixth of it and more; V8 by itself would keep it for a burst. */
function giveBackMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect: typeof globalThis.gc = runInNewContext('gc')
  void collect?.({ type: 'major', execution: 'async', flavor: 'last-resort' })
}

/** The operator's own choice, so it is taken; 32 characters are what a generated secret has at least. */
function isGuessable(token: string | undefined): boolean {
  return token !== undefined && token.length < 32
}
const guessableWarning =
  'ADMIN_TOKEN has fewer than 32 characters and could be guessed: choose a longer one where others can reach the service.\n'

function announcement({ url, firstAccount }: Service): string[] {
  const address = url
    ? `Tocsin is serving at ${url} (API reference: ${url}/api/docs)`
    : 'Tocsin is following chains and delivering alerts'
  if (!firstAccount) return url ? [address, `Open ${url} in a browser for the console.`] : [address]
  const account = `An account was made for you: ${firstAccount.email}`
  const { token } = firstAccount
  if (token === undefined)
    return [address, '', account, `Open ${url} and sign in with the token that ADMIN_TOKEN names.`]
  return [
    address,
    '',
    account,
    `Its token, shown this once only: ${token}`,
    `Open ${url} and sign in with it.`,
    `Or try it: curl -H "Authorization: Bearer ${token}" ${url}/api/me`,
  ]
}

async function end(service: Service): Promise<void> {
  await service.stop()
  process.exit(0)
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
