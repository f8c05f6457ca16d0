/** The only folder that knows SQL: one or more files per table, one function per statement, numbered migrations. */
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { alertFeedTable } from './alerts/alert-feed.ts'
import { alertWritesTable } from './alerts/alert-writes.ts'
import { alertsTable } from './alerts/alerts.ts'
import { deliveriesTable } from './alerts/deliveries.ts'
import { destinationsTable } from './alerts/destinations.ts'
import { firingAlertsTable } from './alerts/firing-alerts.ts'
import { foldedDeliveriesTable } from './alerts/folded-deliveries.ts'
import { historiesTable } from './alerts/histories.ts'
import { hourlyCountsTable } from './alerts/hourly-counts.ts'
import { hourlyRunsTable } from './alerts/hourly-runs.ts'
import { lanesTable } from './alerts/lanes.ts'
import { policyStatesTable } from './alerts/policy-states.ts'
import { policyValuesTable } from './alerts/policy-values.ts'
import { replaysTable } from './alerts/replays.ts'
import { resourceHealthTable } from './alerts/resource-health.ts'
import { resourcesTable } from './alerts/resources.ts'
import { retentionTable } from './alerts/retention.ts'
import { retractionsTable } from './alerts/retractions.ts'
import { setupSessionsTable } from './alerts/setup-sessions.ts'
import { stateWindowsTable } from './alerts/state-windows.ts'
import { subscriptionsTable } from './alerts/subscriptions.ts'
import { waitingAlertsTable } from './alerts/waiting-alerts.ts'
import { aliasesTable } from './core/aliases.ts'
import { changesTable } from './core/changes.ts'
import { type Notifications, PgNotifications } from './core/notifications.ts'
import { openPool } from './core/pool.ts'
import { type Fallback, type ReadOutcome, Replica, type ReplicaOptions } from './core/replica.ts'
import type { SecretBox } from './core/secret-box.ts'
import { settingsTable } from './core/settings.ts'
import { signaturesTable } from './core/signatures.ts'
import { nameStatements } from './core/statements.ts'
import type { Tables } from './core/tables.ts'
import { runInSavepoint, runInTransaction } from './core/transaction.ts'
import { requireWritable } from './core/writable.ts'
import { customSourcesTable, troubledSourcesTable } from './following/custom-sources.ts'
import { engineProcessesTable } from './following/engine-processes.ts'
import { factoriesTable } from './following/factories.ts'
import { followersTable } from './following/followers.ts'
import { healthEventsTable } from './following/health-events.ts'
import { listenersTable } from './following/listeners.ts'
import { lookUpsTable } from './following/look-ups.ts'
import { progressTable } from './following/progress.ts'
import { sourceBlocksTable } from './following/source-blocks.ts'
import { sourceLimitsTable } from './following/source-limits.ts'
import { sourceLogsTable } from './following/source-logs.ts'
import { sourceMinutesTable } from './following/source-minutes.ts'
import { timersTable } from './following/timers.ts'
import { accessLinksTable } from './identity/access-links.ts'
import { accountsTable } from './identity/accounts.ts'
import { addressListsTable } from './identity/address-lists.ts'
import { addressesTable } from './identity/addresses.ts'
import { auditTable } from './identity/audit.ts'
import { challengesTable } from './identity/challenges.ts'
import { idempotencyKeysTable } from './identity/idempotency-keys.ts'
import { identitiesTable } from './identity/identities.ts'
import { invitationsTable } from './identity/invitations.ts'
import { membersTable } from './identity/members.ts'
import { passkeysTable } from './identity/passkeys.ts'
import { passwordResetsTable } from './identity/password-resets.ts'
import { placesTable } from './identity/places.ts'
import { searchTable } from './identity/search.ts'
import { secondFactorsTable } from './identity/second-factors.ts'
import { tokensTable } from './identity/tokens.ts'
import { workspacesTable } from './identity/workspaces.ts'
import type { QueueName } from './jobs/job.ts'
import { type JobQueue, makeJobQueue } from './jobs/job-queue.ts'
import { type JobsBase, jobsTable } from './jobs/jobs.ts'
import { leasesTable } from './jobs/leases.ts'
import { queueStatesTable } from './jobs/queue-states.ts'
import { addonsTable } from './projects/addons.ts'
import { imagesTable } from './projects/images.ts'
import { listMovesTable } from './projects/list-moves.ts'
import { projectSecretsTable } from './projects/project-secrets.ts'
import { projectsTable } from './projects/projects.ts'
import { quotasTable } from './projects/quotas.ts'
import { renamesTable } from './projects/renames.ts'
import { stacksTable } from './projects/stacks.ts'
import { templatesTable } from './projects/templates.ts'
import { transferEndingsTable } from './projects/transfer-endings.ts'
import { transfersTable } from './projects/transfers.ts'
import { backtestsTable } from './triggers/backtests.ts'
import { describedTriggersTable } from './triggers/described-triggers.ts'
import { triggerBindingsTable } from './triggers/trigger-bindings.ts'
import { triggerDraftsTable } from './triggers/trigger-drafts.ts'
import { triggerEventsTable } from './triggers/trigger-events.ts'
import { triggerLogsTable } from './triggers/trigger-logs.ts'
import { triggerStatusesTable, troubledTriggersTable } from './triggers/trigger-statuses.ts'
import { triggerVersionsTable } from './triggers/trigger-versions.ts'
import { triggersTable } from './triggers/triggers.ts'

export type { PageQuery } from './core/base.ts'

const tables = {
  settings: settingsTable,
  accounts: accountsTable,
  identities: identitiesTable,
  tokens: tokensTable,
  passwordResets: passwordResetsTable,
  secondFactors: secondFactorsTable,
  passkeys: passkeysTable,
  challenges: challengesTable,
  places: placesTable,
  idempotencyKeys: idempotencyKeysTable,
  addresses: addressesTable,
  addressLists: addressListsTable,
  workspaces: workspacesTable,
  members: membersTable,
  audit: auditTable,
  invitations: invitationsTable,
  search: searchTable,
  projects: projectsTable,
  accessLinks: accessLinksTable,
  images: imagesTable,
  addons: addonsTable,
  projectSecrets: projectSecretsTable,
  aliases: aliasesTable,
  transfers: transfersTable,
  transferEndings: transferEndingsTable,
  quotas: quotasTable,
  renames: renamesTable,
  listMoves: listMovesTable,
  templates: templatesTable,
  stacks: stacksTable,
  triggers: triggersTable,
  triggerBindings: triggerBindingsTable,
  describedTriggers: describedTriggersTable,
  triggerDrafts: triggerDraftsTable,
  triggerVersions: triggerVersionsTable,
  backtests: backtestsTable,
  triggerLogs: triggerLogsTable,
  resources: resourcesTable,
  destinations: destinationsTable,
  setupSessions: setupSessionsTable,
  customSources: customSourcesTable,
  sourceLimits: sourceLimitsTable,
  sourceLogs: sourceLogsTable,
  sourceMinutes: sourceMinutesTable,
  troubledSources: troubledSourcesTable,
  troubledTriggers: troubledTriggersTable,
  factories: factoriesTable,
  followers: followersTable,
  engineProcesses: engineProcessesTable,
  sourceBlocks: sourceBlocksTable,
  progress: progressTable,
  timers: timersTable,
  lookUps: lookUpsTable,
  retractions: retractionsTable,
  waitingAlerts: waitingAlertsTable,
  changes: changesTable,
  listeners: listenersTable,
  jobs: jobsTable,
  deliveries: deliveriesTable,
  foldedDeliveries: foldedDeliveriesTable,
  replays: replaysTable,
  lanes: lanesTable,
  hourlyCounts: hourlyCountsTable,
  hourlyRuns: hourlyRunsTable,
  resourceHealth: resourceHealthTable,
  leases: leasesTable,
  queueStates: queueStatesTable,
  signatures: signaturesTable,
  subscriptions: subscriptionsTable,
  histories: historiesTable,
  alerts: alertsTable,
  alertFeed: alertFeedTable,
  firingAlerts: firingAlertsTable,
  retention: retentionTable,
  alertWrites: alertWritesTable,
  stateWindows: stateWindowsTable,
  policyStates: policyStatesTable,
  policyValues: policyValuesTable,
  triggerStatuses: triggerStatusesTable,
  triggerEvents: triggerEventsTable,
  healthEvents: healthEventsTable,
}
type TableSet = { readonly [Name in keyof typeof tables]: ReturnType<(typeof tables)[Name]> }

export type Store = TableSet & {
  /** Runs the work in one transaction, or in a savepoint inside an outer transaction. The inner store shadows the outer. */
  tx<T>(work: (store: Store) => Promise<T>): Promise<T>
}
export type OpenStore = Store & {
  /** The queues of jobs. A process that handles jobs has to start it. */
  jobQueue: JobQueue
  /**
   * Runs work that only reads, on the replica if there is one. It sees everything that was committed before the call.
   * `isResult` is true for errors that the work throws on purpose; after any other error it runs again on the primary.
   */
  read<T>(work: (store: Store) => Promise<T>, isResult?: Fallback<T>['isResult']): Promise<T>
  /** How many reads had each outcome. Undefined without a replica. */
  replicaReads: Readonly<Record<ReadOutcome, number>> | undefined
  /** How many connections of the pool are in use. */
  connectionsInUse(): number
  /** Notices of changes. The first listener opens the connection. */
  notifications: Notifications
  /** Throws when the store cannot be reached or its disk is full. */
  requireWritable(): Promise<void>
  close(): Promise<void>
}

export function openStore(
  url: string,
  box: SecretBox,
  options: { connectionsMax: number; replica?: ReplicaOptions | undefined },
): OpenStore {
  const pool = openPool(url, options.connectionsMax)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: nameStatements(pool) }) })
  const notifications = new PgNotifications(url)
  const jobQueue = makeJobQueue(url, db, notifications)
  const storeOn = (trx: Transaction<Tables>) => storeInTransaction(trx, box, jobQueue)
  const store = bindTables({ db, box, jobQueue }, async (work) => {
    const added = new Set<QueueName>()
    const noting = { ...jobQueue, noteAdded: (queue: QueueName) => void added.add(queue) }
    const result = await runInTransaction(db, (trx) => work(storeInTransaction(trx, box, noting)))
    for (const queue of added) jobQueue.noteAdded(queue)
    return result
  })
  const { connectionsMax } = options
  const replica = options.replica && new Replica(options.replica, { primary: db, connectionsMax })
  return Object.assign(store, {
    jobQueue,
    read: <T>(work: (store: Store) => Promise<T>, isResult: Fallback<T>['isResult'] = () => false) =>
      replica ? replica.read((trx) => work(storeOn(trx)), { onPrimary: () => work(store), isResult }) : work(store),
    replicaReads: replica?.counts,
    connectionsInUse: () => pool.totalCount - pool.idleCount,
    notifications,
    requireWritable: () => requireWritable(pool),
    async close() {
      await jobQueue.stop()
      await notifications.close()
      await replica?.close()
      await db.destroy()
    },
  })
}

function storeInTransaction(trx: Transaction<Tables>, box: SecretBox, jobQueue: JobQueue): Store {
  const store: Store = bindTables({ db: trx, box, jobQueue }, (work) => runInSavepoint(trx, () => work(store)))
  return store
}

/** Binds each table file to the connection at its first use, because most transactions use few of them. */
function bindTables(base: JobsBase, tx: Store['tx']): Store {
  const store = { tx }
  for (const [name, bind] of Object.entries(tables)) {
    let bound: unknown
    Object.defineProperty(store, name, { get: () => (bound ??= bind(base)) })
  }
  return store as Store
}
