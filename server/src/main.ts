import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { stopSignal } from './command.ts'
import { knownVariables, loadConfig } from './config.ts'
import { adviceOn } from './config-advice.ts'
import { freeMemoryWhenQuiet } from './free-memory.ts'
import { type Service, startService } from './service.ts'

/** The entry point of `npm start`. It reads the configuration and runs the service until SIGTERM, SIGINT or SIGHUP. */
async function main(): Promise<void> {
  const config = loadConfig(process.env)
  for (const line of adviceOn(process.env, config, knownVariables)) process.stderr.write(`${line}\n`)
  // A stop signal during the start takes effect after it: a process that ends earlier would leave its PostgreSQL running.
  const stop = stopSignal()
  // The reader of the output may close it; the service continues.
  process.stdout.on('error', () => {})
  const service = await startService(config)
  if (stop.aborted) return end(service)
  stop.addEventListener('abort', () => void end(service))
  process.stdout.write(`${announcement(service).join('\n')}\n`)
  if (service.hasUselessToken) process.stderr.write(uselessWarning)
  if (isGuessable(config.admin.token)) process.stderr.write(guessableWarning)
  // Written now, so that a process that is killed keeps its compile cache too. It makes the next start a second faster.
  flushCompileCache()
  freeMemoryWhenQuiet()
  await forgetToken(service)
}

const forgetPauseMs = 1000

/** Repeats until PostgreSQL can be reached: one that dies in this moment comes back, and must not end the service. */
async function forgetToken(service: Service): Promise<void> {
  const isForgotten = () =>
    service.announced().then(
      () => true,
      () => false,
    )
  while (!(await isForgotten())) await sleep(forgetPauseMs)
}

/** A short token is the operator's choice, so it is only a warning. Generated tokens have at least 32 characters. */
function isGuessable(token: string | undefined): boolean {
  return token !== undefined && token.length < 32
}
const guessableWarning =
  'ADMIN_TOKEN has fewer than 32 characters, so it could be guessed. Choose a longer one if others can reach the service.\n'

const uselessWarning =
  'ADMIN_TOKEN is used only when the first account is made, and now opens no account. `npm run account` lists the accounts, `npm run account -- EMAIL` makes a new token for one.\n'

function announcement({ url, metricsUrl, firstAccount }: Service): string[] {
  const address = url
    ? `Tocsin is serving at ${url} (API reference: ${url}/api/docs)`
    : `Tocsin is following chains and delivering alerts${metricsUrl && ` (metrics: ${metricsUrl})`}`
  if (!firstAccount) return url ? [address, `Open ${url} in a browser for the console.`] : [address]
  const account = `Account created: ${firstAccount.email}`
  const { token } = firstAccount
  if (token === undefined) return [address, '', account, `Open ${url} and sign in with the token in ADMIN_TOKEN.`]
  return [
    address,
    '',
    account,
    `Its token, shown only once: ${token}`,
    `Open ${url} and sign in with it.`,
    `Or call the API: curl -H "Authorization: Bearer ${token}" ${url}/api/me`,
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
