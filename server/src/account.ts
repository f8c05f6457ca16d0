/**
 * `npm run account`: lists the accounts. `npm run account -- EMAIL [--password-link] [--end-sessions]
 * [--remove-second-factor]`: opens an account to its owner again, also while the service runs. Without an option it makes a
 * new token.
 */
import { readArguments, runCommand } from './command.ts'
import { type Config, loadConfig } from './config.ts'
import { type RemedyName, remedies, remedyAccount } from './domain/accounts/operator.ts'
import { openForExport } from './open-archive-store.ts'
import { makeSecretBox } from './store/core/secret-box.ts'
import { findSecretKey } from './store/core/secret-key.ts'
import type { AccountSummary } from './store/identity/accounts.ts'
import { openStore, type Store } from './store/index.ts'

const usage = `Usage: npm run account                     lists the accounts
       npm run account -- EMAIL            makes a new token
       npm run account -- EMAIL --password-link           makes a link that sets a new password
       npm run account -- EMAIL --end-sessions            signs the account out everywhere
       npm run account -- EMAIL --remove-second-factor    removes authenticator app, passkeys and recovery codes
DATA_DIR, DATABASE_URL, SECRET_KEY and PUBLIC_URL are those of the service.`

const names = Object.keys(remedies) as RemedyName[]

await runCommand(async () => {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'boolean' as const }]))
  const { positionals, values } = readArguments(usage, options)
  const [email, ...others] = positionals
  const chosen = names.filter((name) => values[name] === true)
  if (others.length > 0 || (email === undefined && chosen.length > 0)) throw new Error(usage)
  await withStore(loadConfig(process.env), async (store, publicUrl) => {
    if (email === undefined) return list(await store.accounts.listAll(new Date()))
    const wanted = { email, names: chosen.length > 0 ? chosen : (['token'] as const), publicUrl }
    const done = await remedyAccount(store, wanted, new Date())
    if (!done) throw new Error(`There is no account with the address ${email}. npm run account lists them.`)
    for (const line of done) console.log(line)
  })
})

async function withStore(config: Config, work: (store: Store, publicUrl: string) => Promise<void>): Promise<void> {
  const key = findSecretKey(config.secretKey, config.dataDir)
  if (!key) throw new Error(`There is no key in ${config.dataDir}. Set DATA_DIR to the data folder of the service.`)
  const opened = await openForExport(config)
  const store = openStore(opened.url, makeSecretBox(key), { connectionsMax: 2 })
  try {
    await work(store, config.publicUrl ?? `http://localhost:${config.port}`)
  } finally {
    await store.close()
    await opened.close()
  }
}

function list(accounts: readonly AccountSummary[]): void {
  for (const { email, name, createdAt, hasPassword, hasSecondFactor, sessions, tokens, workspaces } of accounts) {
    const ways = [
      hasPassword ? 'password' : 'no password',
      ...(hasSecondFactor ? ['second factor'] : []),
      `${tokens} ${tokens === 1 ? 'token' : 'tokens'}`,
      `${sessions} ${sessions === 1 ? 'session' : 'sessions'}`,
    ].join(', ')
    const where = workspaces.length === 0 ? 'no workspace' : workspaces.join(', ')
    console.log(`${email}  (${name}, since ${createdAt.toISOString().slice(0, 10)})  ${ways}  [${where}]`)
  }
}
