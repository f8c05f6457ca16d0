import { issuesOf } from '@tocsin/contract'
import { invalidPayload } from '../refusal.ts'
import type { Blueprint } from './blueprints.ts'

type Data = Record<string, unknown>

/**
 * The data to store: what was sent, checked by the blueprint, with its generated fields taken over from before or
 * made. An external blueprint has none: its destination comes by its setup.
 */
export function requireData(blueprint: Blueprint, sent: Data | undefined, before: Data | undefined): Data | null {
  if (blueprint.external) return null
  const parsed = blueprint.data.safeParse(sent ?? {})
  if (!parsed.success) throw invalidPayload(issuesOf(parsed.error).map(insideData))
  const data = { ...parsed.data }
  for (const [field, make] of Object.entries(blueprint.fill ?? {})) data[field] ??= before?.[field] ?? make()
  return data
}

function insideData(issue: { path: string; message: string }) {
  return { path: issue.path === '' ? 'data' : `data.${issue.path}`, message: issue.message }
}
