import { Button, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Issue } from '@tocsin/contract'
import { TriggerSave } from '@tocsin/contract'
import { useState } from 'react'
import { useChange } from '../../data/changes.ts'
import { issuesIn } from '../../forms/issues-in.ts'
import { ConfirmAction } from '../../parts/confirm-action.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { UnsavedGuard } from '../../parts/unsaved-guard.tsx'
import { forgetDraft, rememberDraft } from './begun-drafts.ts'
import classes from './builder.module.css'
import type { Builder } from './builder-state.ts'
import { canonical } from './definition.ts'
import { IssueList } from './issue-list.tsx'
import type { Trial } from './use-trial.ts'

type SaveBarProps = {
  builder: Builder
  trial: Trial
  hasDraft: boolean
  tag: string | undefined
  isPublished: boolean
}

export function SaveBar({ builder, trial, hasDraft, tag, isPublished }: SaveBarProps) {
  const { state, dispatch } = builder
  const { definition, saved } = state
  const { fullname } = definition
  const navigate = useNavigate()
  const [issues, setIssues] = useState<Issue[]>([])
  const params = { workspace: definition.workspace, trigger: fullname }
  // What was just published or thrown away on purpose needs no question.
  const toTrigger = () => navigate({ to: '/w/$workspace/triggers/$trigger', params, ignoreBlocker: true })
  const saveDraft = useChange('saveTriggerDraft', { said: 'The draft was saved. What is published goes on as it is.' })
  const publish = useChange('saveTrigger', { said: 'Published.', touches: ['projects', 'templates'], after: toTrigger })
  const discard = useChange('deleteTriggerDraft', { said: 'The draft was discarded.' })
  const isChanged = JSON.stringify(canonical(definition)) !== JSON.stringify(canonical(saved))
  const keepDraft = async () => {
    await saveDraft.mutateAsync({ fullname, body: definition })
    if (!isPublished) rememberDraft(fullname)
    dispatch({ type: 'saved', definition })
  }
  const publishNow = async () => {
    const payload = { ...canonical(definition), ...(trial.status && { status: trial.status }) }
    const whole = TriggerSave.safeParse(payload)
    setIssues(whole.success ? [] : issuesIn(TriggerSave, payload))
    if (!whole.success) return
    await publish.mutateAsync({ fullname, body: whole.data, ifMatch: tag })
    forgetDraft(fullname)
  }
  const throwAway = async () => {
    await discard.mutateAsync({ fullname })
    forgetDraft(fullname)
    await (isPublished ? toTrigger() : navigate({ to: '/w/$workspace/triggers', params, ignoreBlocker: true }))
  }
  return (
    <div>
      <div className={classes.bar}>
        <Text size="sm" c="dimmed" className={classes.said}>
          {sentence({ isChanged, hasDraft, isPublished, tested: trial.status?.status })}
        </Text>
        {hasDraft && (
          <ConfirmAction
            title="Discard the draft?"
            text={
              isPublished
                ? 'What is published stays as it is. The draft cannot be brought back.'
                : 'The trigger was never published, so nothing of it remains.'
            }
            verb="Discard draft"
            act={throwAway}
          >
            {(open) => (
              <Button variant="subtle" color="gray" onClick={open}>
                Discard draft
              </Button>
            )}
          </ConfirmAction>
        )}
        <Button variant="default" loading={saveDraft.isPending} onClick={() => void keepDraft().catch(() => undefined)}>
          Save draft
        </Button>
        <Button loading={publish.isPending} onClick={() => void publishNow().catch(() => undefined)}>
          Publish
        </Button>
      </div>
      <ErrorNotice error={publish.error ?? saveDraft.error} />
      <IssueList title="It cannot be published yet" issues={issues} />
      <UnsavedGuard isChanged={isChanged} save={keepDraft} verb="Save draft and leave" />
    </div>
  )
}

type Told = { isChanged: boolean; hasDraft: boolean; isPublished: boolean; tested: string | undefined }

function sentence({ isChanged, hasDraft, isPublished, tested }: Told): string {
  const test =
    tested === undefined ? 'Not tested as it stands.' : tested === 'ready' ? 'Tested: it works.' : 'Tested: it fails.'
  if (isChanged) return `Changes that are not saved. ${test}`
  if (hasDraft && !isPublished) return `A draft, never published. ${test}`
  return hasDraft ? `A draft beside what is published. ${test}` : `As published. ${test}`
}
