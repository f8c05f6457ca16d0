import type { WorkspaceSummary } from '@tocsin/contract'
import type * as z from 'zod'
import type { FiringAlerts } from '../../store/alerts/firing-alerts.ts'
import type { TroubledResource } from '../../store/alerts/resource-health.ts'
import type { TroubledSource } from '../../store/following/custom-sources.ts'
import type { TroubledTrigger } from '../../store/triggers/trigger-statuses.ts'
import { hasLevel, requireMember } from '../access.ts'
import { readCounts } from '../counts.ts'
import type { Handler } from '../handler.ts'
import { healthOf } from '../resource-health.ts'

type Summary = z.output<typeof WorkspaceSummary>

const listMax = 20

export const getWorkspaceCounts: Handler<'getWorkspaceCounts'> = async ({ account, params, query, store, now }) => {
  const { id } = await requireMember(store, account, params.fullname)
  return readCounts(store, { kind: 'workspace', id }, query.range, now)
}

/** Owners and admins see all alerts of a workspace, other members their own. */
export const getWorkspaceSummary: Handler<'getWorkspaceSummary'> = async ({ account, params, store }) => {
  const { id, level } = await requireMember(store, account, params.fullname)
  const resources = await store.resourceHealth.listTroubled(id, listMax)
  const sources = await store.troubledSources.list(id)
  const triggers = await store.troubledTriggers.list(id, listMax)
  const firing = await store.firingAlerts.list(id, hasLevel(level, 'admin') ? undefined : account.id, listMax)
  return {
    failingResources: { count: resources.count, list: resources.rows.map(resourceEntry) },
    troubledSources: { count: sources.length, list: sources.slice(0, listMax).map(sourceEntry) },
    troubledTriggers: { count: triggers.count, list: triggers.rows.map(triggerEntry) },
    firingAlerts: { count: firing.count, list: firing.rows.map(alertEntry) },
  }
}

function resourceEntry(row: TroubledResource): Summary['failingResources']['list'][number] {
  const { state, failingSince, lastError } = healthOf(row)
  return {
    fullname: row.fullname,
    ...(row.title !== null && { title: row.title }),
    blueprint: row.blueprint,
    state,
    ...(failingSince !== undefined && { failingSince }),
    ...(lastError !== undefined && { lastError }),
  }
}

function sourceEntry({ fullname, title, status }: TroubledSource): Summary['troubledSources']['list'][number] {
  return {
    fullname,
    ...(title !== null && { title }),
    status: status.status,
    ...(status.message !== undefined && { message: status.message }),
    since: status.updatedAt,
  }
}

function triggerEntry({ fullname, title, status }: TroubledTrigger): Summary['troubledTriggers']['list'][number] {
  return {
    fullname,
    title,
    status: status.status,
    ...(status.issue !== undefined && { issue: status.issue }),
    since: status.updatedAt,
  }
}

function alertEntry(row: FiringAlerts['rows'][number]): Summary['firingAlerts']['list'][number] {
  return {
    id: row.id,
    trigger: row.trigger,
    ...(row.title !== null && { title: row.title }),
    severity: row.severity,
    createdAt: row.created_at.toISOString(),
  }
}
