import type { Level } from '../../data/workspace.ts'

export const levels: { value: Level; label: string; about: string }[] = [
  { value: 'owner', label: 'Owner', about: 'everything, also deleting and transfers' },
  { value: 'admin', label: 'Admin', about: 'members, projects and resources' },
  { value: 'developer', label: 'Developer', about: 'triggers, templates and sources' },
  { value: 'user', label: 'User', about: 'reads and subscribes' },
]

/** An admin neither touches owners nor makes any. */
export function mayChange(myLevel: Level, theirs: Level): boolean {
  return myLevel === 'owner' || (myLevel === 'admin' && theirs !== 'owner')
}
