import type { SessionStatus } from '@tocsin/contract'
import type { Destination } from '../../store/alerts/destinations.ts'
import type { SetupSessionRow } from '../../store/alerts/setup-sessions.ts'
import { newToken } from '../../store/core/secret-box.ts'
import type { Store } from '../../store/index.ts'
import { recordChange } from '../audit.ts'

/**
 * A setup session lets one messenger user choose the chat that a resource delivers to.
 *
 *   (none) ──create──▶ pending ──claim──▶ claimed ──complete──▶ completed
 *                         │                  │
 *                         └───────┬──────────┘
 *                                 ├──cancel──────────────▶ cancelled
 *                                 ├──another create──────▶ superseded
 *                                 └──15 minutes──────────▶ expired
 *
 * create    An owner starts a session. The response shows its token once. A resource has at most one active session
 *           (pending or claimed): a new one supersedes the older one. The resource does not change.
 * claim     A messenger user opens the bot with the token. The token works once and binds the session to that user.
 *           The 15 minutes still count from the creation.
 * complete  That user picked a chat and the bot may post there. The destination, `ready`, the remark and the session
 *           change in one commit; until then alerts go to the former destination.
 * cancel    An owner ends the session. A second cancel changes nothing.
 * expire    A session ends at its time, even if no process has stored that yet: every move checks the clock first.
 *           Reading a session and the sweeper store the status.
 *
 * The other states are final. Every move locks the session's row. A move that also changes the resource locks the
 * resource's row first, so that two moves cannot deadlock.
 */

export const lifetimeMs = 15 * 60 * 1000

export type Started = { session: SetupSessionRow; setupToken: string }

/**
 * The caller holds the lock on the resource's row, so of two sessions created at once the later supersedes the earlier.
 */
export async function startSession(store: Store, resourceId: string, now: Date): Promise<Started> {
  await store.setupSessions.expireOverdue(now, resourceId)
  await store.setupSessions.endActive(resourceId, 'superseded', now)
  const setupToken = newToken('setup')
  const expiresAt = new Date(now.getTime() + lifetimeMs)
  return { session: await store.setupSessions.add({ resourceId, token: setupToken, expiresAt, at: now }), setupToken }
}

/** Why the messenger user cannot go on: the session is unknown, the token was used before, or the session has ended. */
export type Refused = { kind: 'refused'; reason: 'unknown' | 'used' | SessionStatus }
export type Claimed = { kind: 'claimed'; session: SetupSessionRow }

export function claimSession(
  store: Store,
  setupToken: string,
  messengerUser: string,
  now: Date,
): Promise<Claimed | Refused> {
  return store.tx(async (store) => {
    const session = await store.setupSessions.lock({ token: setupToken })
    if (!session) return refused('unknown')
    const status = statusAt(session, now)
    if (status === 'claimed') return refused('used')
    if (status !== 'pending') return refused(status)
    return { kind: 'claimed', session: await store.setupSessions.claim(session.id, messengerUser, now) }
  })
}

export type Completed = { kind: 'completed' }

/** For any other user than the one who claimed it, the session is unknown. */
export function completeSession(
  store: Store,
  sessionId: string,
  messengerUser: string,
  target: Destination,
  now: Date,
): Promise<Completed | Refused> {
  return store.tx(async (store) => {
    const resourceId = await store.setupSessions.findResourceId(sessionId)
    const resource = resourceId === undefined ? undefined : await store.resources.lock({ id: resourceId })
    const session = resource && (await store.setupSessions.lock({ id: sessionId }))
    if (!resource || session?.messenger_user !== messengerUser) return refused('unknown')
    const status = statusAt(session, now)
    if (status !== 'claimed') return refused(status)
    await store.destinations.set(session.resource_id, target, now)
    await store.setupSessions.end(session.id, 'completed', now)
    const { workspace_id: workspaceId, fullname } = resource
    // A messenger user has neither an account nor an IP address that the service knows.
    await recordChange(store, { ip: '', now }, { action: 'resource.setup', workspaceId, fullname })
    return { kind: 'completed' }
  })
}

/** Returns the status afterwards. Any status but `cancelled` means that the session had ended before. */
export function cancelSession(
  store: Store,
  resourceId: string,
  id: string,
  now: Date,
): Promise<SessionStatus | undefined> {
  return store.tx(async (store) => {
    const session = await store.setupSessions.lock({ id })
    if (session?.resource_id !== resourceId) return undefined
    const status = statusAt(session, now)
    if (!isActive(status)) return status
    await store.setupSessions.end(session.id, 'cancelled', now)
    return 'cancelled'
  })
}

export async function readSession(
  store: Store,
  resourceId: string,
  id: string,
  now: Date,
): Promise<SetupSessionRow | undefined> {
  await store.setupSessions.expireOverdue(now, resourceId)
  return store.setupSessions.find(resourceId, id)
}

function statusAt(session: SetupSessionRow, now: Date): SessionStatus {
  return isActive(session.status) && session.expires_at <= now ? 'expired' : session.status
}

function isActive(status: SessionStatus): boolean {
  return status === 'pending' || status === 'claimed'
}

function refused(reason: Refused['reason']): Refused {
  return { kind: 'refused', reason }
}
