import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import type pg from 'pg'
import * as management from '../migrations/0001-management.ts'
import * as runtime from '../migrations/0002-runtime.ts'
import * as fullPages from '../migrations/0003-full-pages.ts'
import * as definitionWarnings from '../migrations/0004-definition-warnings.ts'
import * as verifiedAddresses from '../migrations/0005-verified-addresses.ts'
import * as confirmedAddresses from '../migrations/0006-confirmed-addresses.ts'
import * as idempotencyClaims from '../migrations/0007-idempotency-claims.ts'
import * as projectSecrets from '../migrations/0008-project-secrets.ts'
import * as laneHealth from '../migrations/0009-lane-health.ts'
import * as listIndexes from '../migrations/0010-list-indexes.ts'
import * as engineProcesses from '../migrations/0011-engine-processes.ts'
import * as boundedLists from '../migrations/0012-bounded-lists.ts'
import * as changeNotices from '../migrations/0013-change-notices.ts'
import * as forgetAlerts from '../migrations/0014-forget-alerts.ts'
import * as listOrders from '../migrations/0015-list-orders.ts'
import * as severity from '../migrations/0016-severity.ts'
import * as finality from '../migrations/0017-finality.ts'
import * as triggerBindings from '../migrations/0018-trigger-bindings.ts'
import * as alertStates from '../migrations/0019-alert-states.ts'
import * as addressLists from '../migrations/0020-address-lists.ts'
import * as histories from '../migrations/0021-histories.ts'
import * as factories from '../migrations/0022-factories.ts'
import * as lookUps from '../migrations/0023-look-ups.ts'
import * as stacks from '../migrations/0024-stacks.ts'
import * as historyWindows from '../migrations/0025-history-windows.ts'
import * as tokenScopes from '../migrations/0026-token-scopes.ts'
import * as audit from '../migrations/0027-audit.ts'
import * as invitations from '../migrations/0028-invitations.ts'
import * as accountSecurity from '../migrations/0029-account-security.ts'
import * as hourlyCounts from '../migrations/0030-hourly-counts.ts'
import * as triggerVersions from '../migrations/0031-trigger-versions.ts'
import * as sourceMinutes from '../migrations/0032-source-minutes.ts'
import * as recordedRuns from '../migrations/0033-recorded-runs.ts'
import * as failureNotices from '../migrations/0034-failure-notices.ts'
import * as hourlyRuns from '../migrations/0035-hourly-runs.ts'
import * as policyValues from '../migrations/0036-policy-values.ts'
import * as smallBusyTables from '../migrations/0037-small-busy-tables.ts'
import * as leavesOfDeletedTriggers from '../migrations/0038-leaves-of-deleted-triggers.ts'
import * as noDigestIndex from '../migrations/0039-no-digest-index.ts'
import * as deliveryBatches from '../migrations/0040-delivery-batches.ts'
import * as readTo from '../migrations/0041-read-to.ts'
import * as shownBlocks from '../migrations/0042-shown-blocks.ts'
import * as factoryLearning from '../migrations/0043-factory-learning.ts'
import * as idempotencyRights from '../migrations/0044-idempotency-rights.ts'
import * as foldedDeliveries from '../migrations/0045-folded-deliveries.ts'
import * as provenAddresses from '../migrations/0046-proven-addresses.ts'
import * as accountPlaces from '../migrations/0047-account-places.ts'
import * as deliveryRows from '../migrations/0048-delivery-rows.ts'
import { openPool } from './pool.ts'
import { changeTables } from './upgrade/change-tables.ts'
import { endIdleSessions, quietMs } from './upgrade/end-stale-sessions.ts'

const migrations = {
  '0001-management': management,
  '0002-runtime': runtime,
  '0003-full-pages': fullPages,
  '0004-definition-warnings': definitionWarnings,
  '0005-verified-addresses': verifiedAddresses,
  '0006-confirmed-addresses': confirmedAddresses,
  '0007-idempotency-claims': idempotencyClaims,
  '0008-project-secrets': projectSecrets,
  '0009-lane-health': laneHealth,
  '0010-list-indexes': listIndexes,
  '0011-engine-processes': engineProcesses,
  '0012-bounded-lists': boundedLists,
  '0013-change-notices': changeNotices,
  '0014-forget-alerts': forgetAlerts,
  '0015-list-orders': listOrders,
  '0016-severity': severity,
  '0017-finality': finality,
  '0018-trigger-bindings': triggerBindings,
  '0019-alert-states': alertStates,
  '0020-address-lists': addressLists,
  '0021-histories': histories,
  '0022-factories': factories,
  '0023-look-ups': lookUps,
  '0024-stacks': stacks,
  '0025-history-windows': historyWindows,
  '0026-token-scopes': tokenScopes,
  '0027-audit': audit,
  '0028-invitations': invitations,
  '0029-account-security': accountSecurity,
  '0030-hourly-counts': hourlyCounts,
  '0031-trigger-versions': triggerVersions,
  '0032-source-minutes': sourceMinutes,
  '0033-recorded-runs': recordedRuns,
  '0034-failure-notices': failureNotices,
  '0035-hourly-runs': hourlyRuns,
  '0036-policy-values': policyValues,
  '0037-small-busy-tables': smallBusyTables,
  '0038-leaves-of-deleted-triggers': leavesOfDeletedTriggers,
  '0039-no-digest-index': noDigestIndex,
  '0040-delivery-batches': deliveryBatches,
  '0041-read-to': readTo,
  '0042-shown-blocks': shownBlocks,
  '0043-factory-learning': factoryLearning,
  '0044-idempotency-rights': idempotencyRights,
  '0045-folded-deliveries': foldedDeliveries,
  '0046-proven-addresses': provenAddresses,
  '0047-account-places': accountPlaces,
  '0048-delivery-rows': deliveryRows,
}

/** An arbitrary number that identifies this service's advisory lock. */
const migrationLock = 7_263_101

/** Applies the missing migrations, up to `to` or all, once even if several processes start together. */
export async function migrate(url: string, to?: keyof typeof migrations): Promise<void> {
  const pool = openPool(url, 2)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const guard = await pool.connect()
  try {
    await guard.query('select pg_advisory_lock($1)', [migrationLock])
    const applied = await readApplied(guard)
    requireKnown(applied)
    // Most starts have nothing to apply. The migrator would first list all columns of the database, which takes 0.1 s.
    if (applied.length < Object.keys(migrations).length)
      return await changeTables(db, guard, (trx) => applyMissing(trx, to))
    // The process that migrated may have died before it ended all stale sessions.
    const last = applied.at(-1)
    if (last) await endIdleSessions(guard, last.timestamp, quietMs)
  } finally {
    guard.release(true)
    await db.destroy()
  }
}

async function applyMissing(trx: Kysely<unknown>, to?: keyof typeof migrations): Promise<void> {
  const migrator = new Migrator({ db: trx, provider: { getMigrations: async () => migrations } })
  const { error } = await (to === undefined ? migrator.migrateToLatest() : migrator.migrateTo(to))
  if (error) throw error
}

type Applied = { name: string; timestamp: string }

async function readApplied(client: pg.PoolClient): Promise<Applied[]> {
  const table = await client.query("select to_regclass('public.kysely_migration') as name")
  if (!table.rows[0]?.name) return []
  const applied = await client.query<Applied>('select name, timestamp from kysely_migration order by name')
  return applied.rows
}

/** Refuses a schema that a newer version has migrated, because this code would read it wrongly. */
function requireKnown(applied: Applied[]): void {
  const unknown = applied.map(({ name }) => name).filter((name) => !(name in migrations))
  if (unknown.length > 0) throw new NewerSchemaError(unknown)
}

export class NewerSchemaError extends Error {
  constructor(unknown: string[]) {
    super(
      `The store was written by a newer version (unknown migrations: ${unknown.join(', ')}). Start that version or a later one.`,
    )
  }
}
