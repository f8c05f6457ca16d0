/** The only floor that knows SQL: one file per table, one function per statement, numbered migrations. */
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { accessLinksTable } from './access-links.ts'
import { accountsTable } from './accounts.ts'
import { addonsTable } from './addons.ts'
import { addressesTable } from './addresses.ts'
import { alertFeedTable } from './alert-feed.ts'
import { alertWritesTable } from './alert-writes.ts'
import { alertsTable } from './alerts.ts'
import { aliasesTable } from './aliases.ts'
import type { Base } from './base.ts'
import { type Backend, type Board, makeBoard } from './boss.ts'
import { changesTable } from './changes.ts'
import { claimsTable } from './claims.ts'
import { customSourcesTable } from './custom-sources.ts'
import { deliveriesTable } from './deliveries.ts'
import { describedTriggersTable } from './described-triggers.ts'
import { followersTable } from './followers.ts'
import { idempotencyKeysTable } from './idempotency-keys.ts'
import { identitiesTable } from './identities.ts'
import { imagesTable } from './images.ts'
import { jobsTable } from './jobs.ts'
import { lanesTable } from './lanes.ts'
import { listenersTable } from './listeners.ts'
import { membersTable } from './members.ts'
import { policyStatesTable } from './policy-states.ts'
import { openPool } from './pool.ts'
import { projectSecretsTable } from './project-secrets.ts'
import { projectsTable } from './projects.ts'
import { quotasTable } from './quotas.ts'
import { renamesTable } from './renames.ts'
import { resourcesTable } from './resources.ts'
import { retentionTable } from './retention.ts'
import { retractionsTable } from './retractions.ts'
import { runCompiledOn } from './run-compiled.ts'
import type { SecretBox } from './secret-box.ts'
import { settingsTable } from './settings.ts'
import { setupSessionsTable } from './setup-sessions.ts'
import { signaturesTable } from './signatures.ts'
import { sourceBlocksTable } from './source-blocks.ts'
import { sourceLogsTable } from './source-logs.ts'
import { stateWindowsTable } from './state-windows.ts'
import { nameStatements } from './statements.ts'
import { subscriptionsTable } from './subscriptions.ts'
import type { Tables } from './tables.ts'
import { templatesTable } from './templates.ts'
import { timersTable } from './timers.ts'
import { tokensTable } from './tokens.ts'
import { runInSavepoint, runInTransaction } from './transaction.ts'
import { transfersTable } from './transfers.ts'
import { triggerDraftsTable } from './trigger-drafts.ts'
import { triggerEventsTable } from './trigger-events.ts'
import { triggerLogsTable } from './trigger-logs.ts'
import { triggerStatusesTable } from './trigger-statuses.ts'
import { triggersTable } from './triggers.ts'
import { workspacesTable } from './workspaces.ts'
import { requireWritable } from './writable.ts'

export type { PageQuery } from './base.ts'

const tables = {
  settings: settingsTable,
  accounts: accountsTable,
  identities: identitiesTable,
  tokens: tokensTable,
  idempotencyKeys: idempotencyKeysTable,
  addresses: addressesTable,
  workspaces: workspacesTable,
  members: membersTable,
  projects: projectsTable,
  accessLinks: accessLinksTable,
  images: imagesTable,
  addons: addonsTable,
  projectSecrets: projectSecretsTable,
  aliases: aliasesTable,
  transfers: transfersTable,
  quotas: quotasTable,
  renames: renamesTable,
  templates: templatesTable,
  triggers: triggersTable,
  describedTriggers: describedTriggersTable,
  triggerDrafts: triggerDraftsTable,
  triggerLogs: triggerLogsTable,
  resources: resourcesTable,
  setupSessions: setupSessionsTable,
  customSources: customSourcesTable,
  sourceLogs: sourceLogsTable,
  followers: followersTable,
  sourceBlocks: sourceBlocksTable,
  timers: timersTable,
  retractions: retractionsTable,
  changes: changesTable,
  listeners: listenersTable,
  jobs: jobsTable,
  deliveries: deliveriesTable,
  lanes: lanesTable,
  claims: claimsTable,
  signatures: signaturesTable,
  subscriptions: subscriptionsTable,
  alerts: alertsTable,
  alertFeed: alertFeedTable,
  retention: retentionTable,
  alertWrites: alertWritesTable,
  stateWindows: stateWindowsTable,
  policyStates: policyStatesTable,
  triggerStatuses: triggerStatusesTable,
  triggerEvents: triggerEventsTable,
}
type TableSet = { readonly [Name in keyof typeof tables]: ReturnType<(typeof tables)[Name]> }

export type Store = TableSet & {
  /** Runs the work in one transaction; inside another one, in a savepoint. The inner store shadows the outer. */
  tx<T>(work: (store: Store) => Promise<T>): Promise<T>
}
export type OpenStore = Store & {
  /** Where jobs are worked off; it is started by whoever needs it. */
  board: Board
  /** Fails where the store cannot be reached or has no disk left. */
  requireWritable(): Promise<void>
  close(): Promise<void>
}

export function openStore(
  url: string,
  box: SecretBox,
  options: { connectionsMax: number; backend?: Backend },
): OpenStore {
  const pool = openPool(url, options.connectionsMax)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: nameStatements(pool) }) })
  const run = runCompiledOn(pool)
  const board = makeBoard(url, options.backend)
  const inside = (trx: Transaction<Tables>) => storeInside(trx, box, board)
  const store = storeOver({ db, box, run, board }, (work) => runInTransaction(db, (trx) => work(inside(trx))))
  return Object.assign(store, {
    board,
    requireWritable: () => requireWritable(pool),
    async close() {
      await board.stop()
      await db.destroy()
    },
  })
}

function storeInside(trx: Transaction<Tables>, box: SecretBox, board: Board): Store {
  const run: Base['run'] = async (query) => (await trx.executeQuery(query)).rows
  const store: Store = storeOver({ db: trx, box, run, board }, (work) => runInSavepoint(trx, () => work(store)))
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
