import type { User } from '../../../engine/destinations/telegram/updates.ts'
import type { SetupSessionRow } from '../../../store/alerts/setup-sessions.ts'
import { lifetimeMs } from '../setup-sessions.ts'
import type { BotWorld } from './index.ts'

const sessionsMax = 20

/**
 * The session that a user means: the latest that he claimed and that fits. One that is over is answered too, so that he
 * is told why, but not for long: after that he is a stranger again.
 */
export async function findSession(
  { store, clock }: BotWorld,
  user: User,
  fits: (session: SetupSessionRow) => boolean = () => true,
): Promise<SetupSessionRow | undefined> {
  const now = clock()
  const recent = (await store.setupSessions.listClaimedBy(String(user.id), sessionsMax)).filter(
    (session) => fits(session) && now.getTime() - session.expires_at.getTime() < lifetimeMs,
  )
  return recent.find((session) => isOpen(session, now)) ?? recent[0]
}

export function isOpen({ status, expires_at: expiresAt }: SetupSessionRow, now: Date): boolean {
  return status === 'claimed' && expiresAt > now
}
