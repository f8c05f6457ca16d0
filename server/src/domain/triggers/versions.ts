import { readDefinitionInTurn } from '../../engine/threads/index.ts'
import type { VersionRow, WholeVersion } from '../../store/triggers/trigger-versions.ts'
import type { WholeTrigger } from '../../store/triggers/triggers.ts'
import { requireRank, requireReadableTrigger } from '../access.ts'
import { Page, requireMatch, requireSeqCursor, Tagged, tagOf } from '../answers.ts'
import type { Context, Handler } from '../handler.ts'
import { invalidPayload, notFound } from '../refusal.ts'
import { checkAgainstStore } from './check-stored.ts'
import { requireEditable } from './find.ts'
import { writeTrigger } from './save.ts'
import { draftView } from './views.ts'

/** Versions contain providers with their keys, so only developers see them. */
export const listTriggerVersions: Handler<'listTriggerVersions'> = async ({ account, params, query, store }) => {
  const trigger = await requireReadableTrigger(store, account, params.fullname)
  requireRank(trigger.level, 'developer')
  const page = { limit: query.limit, after: requireSeqCursor(query.cursor) }
  const { rows, next } = await store.triggerVersions.list(trigger.id, page)
  return new Page(rows.map(versionView), next)
}

export const getTriggerVersion: Handler<'getTriggerVersion'> = async ({ account, params, store }) => {
  const trigger = await requireReadableTrigger(store, account, params.fullname)
  requireRank(trigger.level, 'developer')
  const version = await requireVersion(store, trigger, params.number)
  return { ...versionView(version), definition: payloadOf(trigger, version) }
}

/** Publishes an earlier version again, as a new one. It is checked like every save: what it refers to may be gone. */
export const restoreTriggerVersion: Handler<'restoreTriggerVersion'> = async (context) => {
  const { account, params, store, settings, preconditions } = context
  const trigger = await requireEditable(store, account, params.fullname)
  requireMatch(preconditions, trigger)
  const version = await requireVersion(store, trigger, params.number)
  const read = await readDefinitionInTurn(account.id, payloadOf(trigger, version), settings.limits)
  if (!read.ok) throw invalidPayload(read.issues)
  const issues = await checkAgainstStore({ store, account, settings }, read.definition)
  if (issues.length > 0) throw invalidPayload(issues)
  const saving = { ...context, body: read.definition, restoredFrom: version.number }
  const saved = await store.tx((store) => writeTrigger({ ...saving, store }))
  return new Tagged(draftView(saved, settings), tagOf(saved))
}

async function requireVersion(
  store: Context<'getTriggerVersion'>['store'],
  { id, fullname }: WholeTrigger,
  number: string,
): Promise<WholeVersion> {
  const found = /^[1-9]\d{0,8}$/.test(number) ? await store.triggerVersions.find(id, Number(number)) : undefined
  if (!found) throw notFound(`There is no version ${number.slice(0, 20)} of "${fullname}".`)
  return found
}

/** The payload that would save the version under the trigger's current name. */
function payloadOf({ name, fullname, project, workspace }: WholeTrigger, { content }: WholeVersion) {
  return { name, fullname, project, workspace, ...content }
}

function versionView(row: VersionRow) {
  return {
    number: row.number,
    changed: row.changed,
    ...(row.restored_from !== null && { restoredFrom: row.restored_from }),
    ...(row.saved_by !== null && { savedBy: { id: row.saved_by, name: row.saved_by_name ?? '' } }),
    savedAt: row.saved_at.toISOString(),
  }
}
