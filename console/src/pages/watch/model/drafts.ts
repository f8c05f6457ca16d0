import { type Condition, TriggerSave } from '@tocsin/contract'
import type { Answered } from '@tocsin/sdk'
import type { Watch } from './plan.ts'

export type Draft = Answered<'importEvmDrafts'>['body']['drafts'][number]

/** The payload of a save. The view has fields that only the service sets. */
export function payloadOf(draft: Draft): TriggerSave {
  const { status: _, draft: _draft, ...fields } = draft
  return TriggerSave.parse(fields)
}

/** A draft that an import made, with the conditions of the user. */
export function watchOfDraft(draft: Draft, conditions: Condition[]): Watch {
  const { name: _, fullname: _f, project: _p, workspace: _w, ...trigger } = payloadOf(draft)
  return {
    title: draft.meta.title,
    trigger: { ...trigger, ...(conditions.length > 0 && { conditions: { all: conditions } }) },
    inputs: {},
    policy: null,
  }
}
