import { Button, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Issue } from '@tocsin/contract'
import { ConfirmAction } from '../../../../components/confirm-action.tsx'
import { DangerButton } from '../../../../components/danger-button.tsx'
import { ErrorNotice } from '../../../../components/error-notice.tsx'
import { IssueList } from '../../../../components/issue-list.tsx'
import { UnsavedGuard } from '../../../../components/unsaved-guard.tsx'
import { useChange } from '../../../../data/changes.ts'
import { UnreadNotice } from '../../../../forms/unread-notice.tsx'
import { canonical } from '../../model/definition.ts'
import { forgetDraft } from '../../model/local-drafts.ts'
import type { Builder } from '../state/builder-state.ts'
import { fieldOf } from '../state/issue-fields.ts'
import type { Saving } from '../state/use-saving.ts'
import type { TestRun } from '../state/use-test-run.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import classes from './save-bar.module.css'

type SaveBarProps = { builder: Builder; testRun: TestRun; saving: Saving; hasDraft: boolean; isPublished: boolean }

export function SaveBar({ builder, testRun, saving, hasDraft, isPublished }: SaveBarProps) {
  const { definition, saved, unread } = builder.state
  const hasUnread = Object.keys(unread).length > 0
  const isChanged = hasUnread || JSON.stringify(canonical(definition)) !== JSON.stringify(canonical(saved))
  return (
    <div>
      <div className={classes.bar}>
        <Text size="sm" c="dimmed" className={classes.said}>
          {sentence({ isChanged, hasDraft, isPublished, tested: testRun.status?.status })}
        </Text>
        {hasDraft && <DiscardDraft builder={builder} saving={saving} isPublished={isPublished} />}
        <Button variant="default" loading={saving.busy === 'save'} onClick={() => saving.start('save')}>
          Save draft
        </Button>
        <Button loading={saving.busy === 'publish'} onClick={() => saving.start('publish')}>
          Publish
        </Button>
      </div>
      {saving.isStopped && (
        <UnreadNotice
          title={
            saving.failed === 'publish'
              ? 'Not published: repair or discard this text'
              : 'The draft was not saved: repair or discard this text'
          }
          texts={unread}
          discard={(path) => builder.dispatch({ type: 'unread', path, unread: undefined })}
        />
      )}
      <ErrorNotice
        title={saving.failed === 'publish' ? 'The trigger was not published' : 'The draft was not saved'}
        error={saving.failure}
      />
      <Refused issues={saving.refused ?? []} />
      <ConflictDialog saving={saving} definition={definition} />
      <UnsavedGuard isChanged={isChanged} save={saving.saveAndWait} verb="Save draft and leave" />
    </div>
  )
}

/** Fields show their own problem, so these are only named; the others are told here. */
function Refused({ issues }: { issues: Issue[] }) {
  const named = issues.map(({ path, message }) => {
    const { label, tab, showsIssue } = fieldOf(path)
    const place = tab === undefined ? label : `${label} (${tab} tab)`
    return { path, message: showsIssue ? place : `${place}: ${message}` }
  })
  return <IssueList title="Not published. Your changes are kept as a draft. Repair:" issues={named} isNamed />
}

type DiscardProps = { builder: Builder; saving: Saving; isPublished: boolean }

function DiscardDraft({ builder, saving, isPublished }: DiscardProps) {
  const { fullname, workspace } = builder.state.definition
  const navigate = useNavigate()
  const discard = useChange('deleteTriggerDraft', { said: 'Draft discarded.' })
  const throwAway = async () => {
    const ifMatch = saving.known.draft.tag
    await discard.mutateAsync({ fullname, ...(ifMatch !== undefined && { ifMatch }) })
    forgetDraft(fullname)
    // The person has just confirmed, so leaving asks nothing.
    const to = isPublished ? '/w/$workspace/triggers/$trigger' : '/w/$workspace/triggers'
    await navigate({ to, params: { workspace, trigger: fullname }, ignoreBlocker: true })
  }
  return (
    <ConfirmAction
      title="Discard the draft?"
      text={
        isPublished
          ? 'The published version is unchanged. The draft cannot be restored.'
          : 'The trigger was never published, so all of it is deleted.'
      }
      verb="Discard draft"
      act={throwAway}
    >
      {(open) => <DangerButton onClick={open}>Discard draft</DangerButton>}
    </ConfirmAction>
  )
}

type Told = { isChanged: boolean; hasDraft: boolean; isPublished: boolean; tested: string | undefined }

function sentence({ isChanged, hasDraft, isPublished, tested }: Told): string {
  const test = tested === undefined ? 'Not tested.' : tested === 'ready' ? 'Test passed.' : 'Test failed.'
  if (isChanged) return `Unsaved changes. ${test}`
  if (hasDraft && !isPublished) return `Draft, never published. ${test}`
  return hasDraft ? `Unpublished draft. ${test}` : `Published version. ${test}`
}
