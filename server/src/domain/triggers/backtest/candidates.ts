import { requireRank, requireReadableTrigger } from '../../access.ts'
import type { Context } from '../../handler.ts'
import { payloadOf } from '../content.ts'

/** What is run: a definition, or a saved trigger and, where it has one, its draft. */
export type Candidate = { name: 'published' | 'draft'; definition: Definition; workspace?: string }
type Definition = Record<string, unknown> & {
  triggerSpec?: Record<string, unknown> | null
  providers?: Record<string, unknown>[]
}

/** A saved trigger runs with its own secrets, so only those who may edit it have it run. */
export async function candidatesOf({ account, body, store }: Context<'backtestTrigger'>): Promise<Candidate[]> {
  if (body.fullname === undefined) return [{ name: 'published', definition: { ...body.definition } }]
  const row = await requireReadableTrigger(store, account, body.fullname)
  requireRank(row.level, 'developer')
  const saved = payloadOf(row)
  const draft = await store.triggerDrafts.findReadable(row.fullname, account.id)
  return [
    { name: 'published', definition: saved, workspace: row.workspace },
    ...(draft ? [{ name: 'draft' as const, definition: { ...saved, ...draft.content } }] : []),
  ]
}
