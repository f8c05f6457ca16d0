import { statusLabel, statusOptions } from '../../components/status.tsx'
import type { Body } from '../../data/api.ts'

export type Source = Body<'getCustomSource'>
export type Kind = Source['kind']

export const statuses = statusOptions(['running', 'lagging', 'pending', 'error', 'stopped'])

/** What a source does, in words. A source that no trigger uses is not followed. */
export function statusWords(status: string, isConfigured = true): string {
  if (status === 'stopped') return isConfigured ? 'Idle: starts when a trigger uses it' : 'No endpoint configured'
  return statusLabel(status)
}
