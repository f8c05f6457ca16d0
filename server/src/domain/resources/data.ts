import { issuesOf } from '@tocsin/contract'
import { invalidPayload } from '../refusal.ts'
import type { Blueprint } from './blueprints.ts'

type Data = Record<string, unknown>

/** The data to store, checked by the blueprint. An external resource has no data: its setup brings the destination. */
export function requireData(blueprint: Blueprint, sent: Data | undefined, stored?: Data): Data | null {
  if (blueprint.external) return null
  const parsed = blueprint.data.safeParse(sent ?? {})
  if (!parsed.success) throw invalidPayload(issuesOf(parsed.error).map(insideData))
  return blueprint.fill?.(parsed.data, stored) ?? parsed.data
}

function insideData(issue: { path: string; message: string }) {
  return { path: issue.path === '' ? 'data' : `data.${issue.path}`, message: issue.message }
}
