/** The only floor that knows SQL: one file per table, one function per statement, numbered migrations. */
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { accessLinksTable } from './access-links.ts'
import { accountsTable } from './accounts.ts'
import { addonsTable } from './addons.ts'
import { addressesTable } from './addresses.ts'
import { aliasesTable } from './aliases.ts'
import type { Base } from './base.ts'
import { customSourcesTable } from './custom-sources.ts'
import { idempotencyKeysTable } from './idempotency-keys.ts'
import { imagesTable } from './images.ts'
import { membersTable } from './members.ts'
import { openPool } from './pool.ts'
import { projectsTable } from './projects.ts'
import { renamesTable } from './renames.ts'
import { resourcesTable } from './resources.ts'
import type { SecretBox } from './secret-box.ts'
import { settingsTable } from './settings.ts'
import { setupSessionsTable } from './setup-sessions.ts'
import { sourceLogsTable } from './source-logs.ts'
import { nameStatements } from './statements.ts'
import type { Tables } from './tables.ts'
import { templatesTable } from './templates.ts'
import { tokensTable } from './tokens.ts'
import { runInSavepoint, runInTransaction } from './transaction.ts'
import { transfersTable } from './transfers.ts'
import { triggerDraftsTable } from './trigger-drafts.ts'
import { triggerLogsTable } from './trigger-logs.ts'
import { triggersTable } from './triggers.ts'
import { workspacesTable } from './workspaces.ts'

export type { PageQuery } from './base.ts'

const tables = {
  settings: settingsTable,
  accounts: accountsTable,
  tokens: tokensTable,
  idempotencyKeys: idempotencyKeysTable,
  addresses: addressesTable,
  workspaces: workspacesTable,
  members: membersTable,
  projects: projectsTable,
  accessLinks: accessLinksTable,
  images: imagesTable,
  addons: addonsTable,
  aliases: aliasesTable,
  transfers: transfersTable,
  renames: renamesTable,
  templates: templatesTable,
  triggers: triggersTable,
  triggerDrafts: triggerDraftsTable,
  triggerLogs: triggerLogsTable,
  resources: resourcesTable,
  setupSessions: setupSessionsTable,
  customSources: customSourcesTable,
  sourceLogs: sourceLogsTable,
}
type TableSet = { readonly [Name in keyof typeof tables]: ReturnType<(typeof tables)[Name]> }

export type Store = TableSet & {
  /** Runs the work in one transaction; inside another one, in a savepoint. The inner store shadows the outer. */
  tx<T>(work: (store: Store) => Promise<T>): Promise<T>
}
export type OpenStore = Store & { ping(): Promise<void>; close(): Promise<void> }

export function openStore(url: string, box: SecretBox, options: { connectionsMax: number }): OpenStore {
  const pool = openPool(url, options.connectionsMax)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: nameStatements(pool) }) })
  const run: Base['run'] = async ({ sql, parameters }) => (await pool.query(sql, [...parameters])).rows
  const store = storeOver({ db, box, run }, (work) => runInTransaction(db, (trx) => work(storeInside(trx, box))))
  return Object.assign(store, {
    ping: async () => void (await pool.query('select 1')),
    close: () => db.destroy(),
  })
}

function storeInside(trx: Transaction<Tables>, box: SecretBox): Store {
  const run: Base['run'] = async (query) => (await trx.executeQuery(query)).rows
  const store: Store = storeOver({ db: trx, box, run }, (work) => runInSavepoint(trx, () => work(store)))
  return store
}

/** Table files are bound to the connection the first time they are asked for. */
function storeOver(base: Base, tx: Store['tx']): Store {
  const store = { tx }
  for (const [name, bind] of Object.entries(tables)) {
    let bound: unknown
    Object.defineProperty(store, name, { get: () => (bound ??= bind(base)) })
  }
  return store as Store
}
