import type { Level } from '../../data/workspace.ts'

export const levels: { value: Level; label: string; about: string }[] = [
  { value: 'owner', label: 'Owner', about: 'Full access, including deletion and transfers' },
  { value: 'admin', label: 'Admin', about: 'Manages members, projects and destinations' },
  { value: 'developer', label: 'Developer', about: 'Manages triggers, templates and sources' },
  { value: 'user', label: 'User', about: 'Reads and subscribes' },
]

/** An admin cannot change owners or make anyone an owner. */
export function mayChange(myLevel: Level, theirs: Level): boolean {
  return myLevel === 'owner' || (myLevel === 'admin' && theirs !== 'owner')
}
