import type { Level } from '@tocsin/contract'
import { hasLevel } from '../access.ts'
import { Refusal } from '../refusal.ts'

/** An admin can neither change nor appoint owners. */
export function requireMayTouch(actor: Level, level: Level): void {
  if (level === 'owner' && !hasLevel(actor, 'owner')) throw new Refusal('forbidden', 'Only owners can change owners.')
}
