import type { SessionStatus } from '@tocsin/contract'
import type { Destination } from '../../store/alerts/resources.ts'
import type { SetupSessionRow } from '../../store/alerts/setup-sessions.ts'
import { newToken } from '../../store/core/secret-box.ts'
import type { Store } from '../../store/index.ts'

/**
 * A setup session lets one person, in the messenger, choose where a resource delivers to.
 *
 *   (none) ──create──▶ pending ──claim──▶ claimed ──complete──▶ completed
 *                         │                  │
 *                         └───────┬──────────┘
 *                                 ├──cancel──────────────▶ cancelled
 *                                 ├──another create──────▶ superseded
 *                                 └──15 minutes──────────▶ expired
 *
 * create    An owner starts a session and is shown its token, this once. A resource has at most one active session
 *           (pending or claimed): the older one is superseded. Nothing about the resource changes.
 * claim     A messenger user opens the bot with the token. The token is used up, whoever tries it again, and the
 *           session is bound to that user. The 15 minutes go on from the creation.
 * complete  That user picked a chat and the bot may post there. The destination, `ready`, the remark and the session
 *           change in one commit; until then the former destination goes on receiving.
 * cancel    An owner gives up. Cancelling twice is cancelling once.
 * expire    A session is over at its time, whether or not somebody has written that down yet: every move looks at the
 *           clock first, and reading and the sweeper write it down.
 *
 * The other states are final. Every move holds the session's row; those that also touch the resource hold its row
 * first, so that no two of them wait for each other.
 */

export const lifetimeMs = 15 * 60 * 1000

export type Started = { session: SetupSessionRow; setupToken: string }

/** The caller holds the resource's row: of two creations at once, the later supersedes the earlier. */
export async function startSession(store: Store, resourceId: string, now: Date): Promise<Started> {
  await store.setupSessions.expireOverdue(now, resourceId)
  await store.setupSessions.endActive(resourceId, 'superseded', now)
  const setupToken = newToken('setup')
  const expiresAt = new Date(now.getTime() + lifetimeMs)
  return { session: await store.setupSessions.add({ resourceId, token: setupToken, expiresAt, at: now }), setupToken }
}

/** Why the messenger's user cannot go on: no such session, a token that was used before, or a session that is over. */
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

/** To anybody but the user who claimed it, a session is unknown. */
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
    if (session?.messenger_user !== messengerUser) return refused('unknown')
    const status = statusAt(session, now)
    if (status !== 'claimed') return refused(status)
    await store.resources.setDestination(session.resource_id, target, now)
    await store.setupSessions.end(session.id, 'completed', now)
    return { kind: 'completed' }
  })
}

/** Answers the state the session is in afterwards; anything but `cancelled` means that it was over before. */
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
