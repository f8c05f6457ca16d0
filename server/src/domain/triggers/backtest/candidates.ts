import { requireRank, requireReadableTrigger } from '../../access.ts'
import type { Context } from '../../handler.ts'
import { requireTryOutScope, type TryOutScope } from '../../try-out.ts'
import { payloadOf } from '../content.ts'

/** A definition to run: the given one, or a saved trigger and its draft, if there is one. */
export type Candidate = { name: 'published' | 'draft'; definition: Definition }
/** `savedId` is the id of a saved trigger. */
export type Candidates = { candidates: Candidate[]; scope: TryOutScope; savedId?: string }
type Definition = Record<string, unknown> & {
  triggerSpec?: Record<string, unknown> | null
  providers?: Record<string, unknown>[]
}

/** A saved trigger runs with its own secrets, so only its developers may run it. */
export async function findCandidates({ account, body, store }: Context<'backtestTrigger'>): Promise<Candidates> {
  if (body.fullname === undefined)
    return {
      candidates: [{ name: 'published', definition: { ...body.definition } }],
      scope: await requireTryOutScope(store, account, body.project),
    }
  const row = await requireReadableTrigger(store, account, body.fullname)
  requireRank(row.level, 'developer')
  const saved = payloadOf(row)
  const draft = await store.triggerDrafts.findReadable(row.fullname, account.id)
  const candidates: Candidate[] = [
    { name: 'published', definition: saved },
    ...(draft ? [{ name: 'draft' as const, definition: { ...saved, ...draft.content } }] : []),
  ]
  return { candidates, scope: await requireTryOutScope(store, account, row.project), savedId: row.id }
}
