import { useNavigate } from '@tanstack/react-router'
import { ApiError } from '@tocsin/sdk'
import { FieldRefusal } from '../../../components/describe-error.ts'
import { useChange } from '../../../data/changes.ts'
import type { Definition } from '../model/definition.ts'
import { rememberDraft } from '../model/local-drafts.ts'

/** Saves the first draft of a new trigger and opens the builder. It never overwrites a trigger or a draft. */
export function useNewDraft(notice?: string): (definition: Definition) => Promise<void> {
  const navigate = useNavigate()
  const save = useChange('saveTriggerDraft', notice === undefined ? {} : { notice })
  return async (definition) => {
    const { fullname, workspace } = definition
    await save.mutateAsync({ fullname, body: definition, ifNoneMatch: '*' }).catch((error: unknown) => {
      throw error instanceof ApiError && error.code === 'precondition_failed' ? nameTaken(fullname) : error
    })
    rememberDraft(fullname)
    await navigate({
      to: '/w/$workspace/triggers/$trigger/edit',
      params: { workspace, trigger: fullname },
      ignoreBlocker: true,
    })
  }
}

function nameTaken(fullname: string): FieldRefusal {
  return new FieldRefusal([
    { path: 'name', message: `A trigger or draft named ${fullname} already exists. Choose another name.` },
  ])
}
