import type { User } from '../../../engine/destinations/telegram/updates.ts'
import type { SetupSessionRow } from '../../../store/alerts/setup-sessions.ts'
import { lifetimeMs } from '../setup-sessions.ts'
import type { BotDeps } from './deps.ts'

const sessionsMax = 20

/**
 * Finds the latest session that the user claimed and that fits. For 15 minutes after its end a session is still found,
 * so that the bot can say why it ended.
 */
export async function findSession(
  { store, clock }: BotDeps,
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
