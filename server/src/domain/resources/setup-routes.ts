import type { MemberResourceRow } from '../../store/alerts/resource-rows.ts'
import type { SetupSessionRow } from '../../store/alerts/setup-sessions.ts'
import type { Store } from '../../store/index.ts'
import { requireRank } from '../access.ts'
import { requireMatch, Tagged, tagOf } from '../answers.ts'
import { type Actor, recordChange } from '../audit.ts'
import type { Account, Context, Handler } from '../handler.ts'
import { notFound, Refusal } from '../refusal.ts'
import { requireDestination, requireResource, requireResourceLevel } from './find.ts'
import { cancelSession, readSession, startSession } from './setup-sessions.ts'

/** The three routes of setup sessions. setup-sessions.ts holds the state machine. */

export const createSetupSession: Handler<'createSetupSession'> = async (context) => {
  const { account, params, store, now } = context
  requireSecureSetup(context)
  return store.tx(async (store) => {
    const resource = await requireOwnedResource(store, account, params.fullname)
    if (!(await store.resources.lock({ id: resource.id }))) throw notFound()
    const { session, setupToken } = await startSession(store, resource.id, now)
    await recordSession(store, context, resource, 'setup-session.create')
    return { id: session.id, status: 'pending', setupToken, expiresAt: session.expires_at.toISOString() }
  })
}

export const getSetupSession: Handler<'getSetupSession'> = async (context) => {
  const { account, params, store, now } = context
  requireSecureSetup(context)
  const resource = await requireResource(store, account, params.fullname)
  requireRank(resource.level, 'owner')
  requireMessenger(resource)
  const session = await readSession(store, resource.id, params.id, now)
  if (!session) throw noSession()
  const view = {
    id: session.id,
    resourceFullname: resource.fullname,
    status: session.status,
    expiresAt: session.expires_at.toISOString(),
  }
  return new Tagged(view, tagOf(versionOf(session)))
}

export const cancelSetupSession: Handler<'cancelSetupSession'> = async (context) => {
  const { account, params, preconditions, store, now } = context
  requireSecureSetup(context)
  const resource = await requireOwnedResource(store, account, params.fullname)
  const session = await readSession(store, resource.id, params.id, now)
  if (!session) throw noSession()
  requireMatch(preconditions, versionOf(session))
  const status = await store.tx(async (store) => {
    const status = await cancelSession(store, resource.id, params.id, now)
    const isNew = status === 'cancelled' && session.status !== 'cancelled'
    if (isNew) await recordSession(store, context, resource, 'setup-session.cancel')
    return status
  })
  if (status === undefined) throw noSession()
  if (status !== 'cancelled') throw new Refusal('session_not_active', `This setup session is ${status}.`)
  return undefined
}

function recordSession(
  store: Store,
  actor: Actor,
  { workspace_id: workspaceId, fullname }: MemberResourceRow,
  action: 'setup-session.create' | 'setup-session.cancel',
) {
  return recordChange(store, actor, { action, workspaceId, fullname })
}

/** The ETag is made of the status, the only field of a session that changes; a status never comes back. */
function versionOf({ id, status }: SetupSessionRow): { id: string; version: string } {
  return { id, version: status }
}

/** Checked before any lookup: while the feature is off, the response says nothing about any resource. */
function requireSecureSetup({ settings, engine }: Pick<Context<'createSetupSession'>, 'settings' | 'engine'>): void {
  if (settings.secureSetup) return
  // The feature is on with a bot token, unless the operator turned it off.
  const variable = engine.channels.telegram ? 'SECURE_SETUP=on' : 'TELEGRAM_BOT_TOKEN'
  throw new Refusal('feature_unavailable', `Telegram setup is off. The operator must set ${variable}.`)
}

async function requireOwnedResource(store: Store, account: Account, fullname: string): Promise<MemberResourceRow> {
  const resource = await requireResourceLevel(store, account, fullname, 'owner')
  requireMessenger(resource)
  return resource
}

function requireMessenger(resource: MemberResourceRow): void {
  if (!requireDestination(resource.blueprint).external)
    throw new Refusal(
      'feature_unavailable',
      `A resource with the blueprint "${resource.blueprint}" is not set up in a messenger.`,
    )
}

function noSession() {
  return notFound('There is no such setup session.')
}
