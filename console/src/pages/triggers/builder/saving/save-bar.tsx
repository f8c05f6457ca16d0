import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Issue } from '@tocsin/contract'
import { useState } from 'react'
import { ConfirmAction, DangerButton } from '../../../../components/confirm-action.tsx'
import { ErrorNotice } from '../../../../components/error-notice.tsx'
import { IssueList } from '../../../../components/issue-list.tsx'
import { RelativeTime } from '../../../../components/relative-time.tsx'
import { UnsavedGuard } from '../../../../components/unsaved-guard.tsx'
import { useChange } from '../../../../data/changes.ts'
import { InvalidTextNotice } from '../../../../forms/invalid-text.tsx'
import { SaveAsNew } from '../../create/save-as-new.tsx'
import { type Definition, definitionOf } from '../../model/definition.ts'
import { forgetDraft } from '../../model/local-drafts.ts'
import type { Builder } from '../state/builder-state.ts'
import { fieldOf } from '../state/issue-fields.ts'
import type { Conflict, Saving } from '../state/use-saving.ts'
import { DefinitionDiff, diffOf } from './definition-diff.tsx'

type SaveProps = { builder: Builder; saving: Saving; hasDraft: boolean; isPublished: boolean }

export function SaveButtons({ builder, saving, hasDraft, isPublished }: SaveProps) {
  return (
    <>
      {hasDraft && <DiscardDraft builder={builder} saving={saving} isPublished={isPublished} />}
      <Button variant="default" loading={saving.busy === 'save'} onClick={() => saving.start('save')}>
        Save draft
      </Button>
      <Button loading={saving.busy === 'publish'} onClick={() => saving.start('publish')}>
        Publish
      </Button>
    </>
  )
}

type NoticesProps = Pick<SaveProps, 'builder' | 'saving'> & { isChanged: boolean }

/** What kept the work from being saved, and the dialogs of saving and leaving. */
export function SaveNotices({ builder, saving, isChanged }: NoticesProps) {
  const { definition, invalidTexts } = builder.state
  return (
    <>
      {saving.isStopped && (
        <InvalidTextNotice
          title={
            saving.failed === 'publish'
              ? 'Not published. Correct or discard this text'
              : 'Draft not saved. Correct or discard this text'
          }
          texts={invalidTexts}
          discard={(path) => builder.dispatch({ type: 'invalidText', path, text: undefined })}
        />
      )}
      <ErrorNotice
        title={saving.failed === 'publish' ? 'Trigger not published' : 'Draft not saved'}
        error={saving.failure}
      />
      <Refused issues={saving.refused ?? []} />
      <ConflictDialog saving={saving} definition={definition} />
      <UnsavedGuard isChanged={isChanged} save={saving.saveAndWait} verb="Save draft and leave" />
    </>
  )
}

/** Lists the issues of a refused publish. For fields that show their own issue, only the field is named. */
function Refused({ issues }: { issues: Issue[] }) {
  const named = issues.map(({ path, message }) => {
    const { label, tab, showsIssue } = fieldOf(path)
    const place = tab === undefined ? label : `${label} (${tab} tab)`
    return { path, message: showsIssue ? place : `${place}: ${message}` }
  })
  return <IssueList title="Not published. Your changes are saved as a draft. Correct:" issues={named} isNamed />
}

type DiscardProps = { builder: Builder; saving: Saving; isPublished: boolean }

function DiscardDraft({ builder, saving, isPublished }: DiscardProps) {
  const { fullname, workspace } = builder.state.definition
  const navigate = useNavigate()
  const discard = useChange('deleteTriggerDraft', { notice: 'Draft discarded.' })
  const discardAndLeave = async () => {
    const ifMatch = saving.known.draft.tag
    await discard.mutateAsync({ fullname, ...(ifMatch !== undefined && { ifMatch }) })
    forgetDraft(fullname)
    // The user has just confirmed, so there is no question about unsaved changes.
    const to = isPublished ? '/w/$workspace/triggers/$trigger' : '/w/$workspace/triggers'
    await navigate({ to, params: { workspace, trigger: fullname }, ignoreBlocker: true })
  }
  return (
    <ConfirmAction
      title="Discard the draft?"
      text={
        isPublished
          ? 'The published version is unchanged. The draft cannot be restored.'
          : 'The trigger was never published. This deletes all of it.'
      }
      verb="Discard draft"
      act={discardAndLeave}
    >
      {(open) => <DangerButton onClick={open}>Discard draft</DangerButton>}
    </ConfirmAction>
  )
}

type BuilderStatus = { isChanged: boolean; hasDraft: boolean; isPublished: boolean; tested: string | undefined }

/** The line under the title: whether the work is saved, published and tested. */
export function saveStatus({ isChanged, hasDraft, isPublished, tested }: BuilderStatus): string {
  const test = tested === undefined ? 'Not tested.' : tested === 'ready' ? 'Test passed.' : 'Test failed.'
  // A published version was tested before, or it has run since, so “Not tested” would mislead.
  if (!isChanged && !hasDraft && tested === undefined) return 'Published version.'
  if (isChanged) return `Unsaved changes. ${test}`
  if (hasDraft && !isPublished) return `Draft, never published. ${test}`
  return hasDraft ? `Unpublished draft. ${test}` : `Published version. ${test}`
}

/** Shown when the trigger was changed elsewhere. Nothing is saved until the user decides. */
function ConflictDialog({ saving, definition }: { saving: Saving; definition: Definition }) {
  const { conflict, closeConflict } = saving
  return (
    <Modal
      opened={conflict !== undefined}
      onClose={closeConflict}
      title="This trigger was changed elsewhere"
      size="xl"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {conflict && (
        <Choice key={conflict.theirs.updatedAt} saving={saving} conflict={conflict} definition={definition} />
      )}
    </Modal>
  )
}

type ChoiceProps = { saving: Saving; conflict: Conflict; definition: Definition }

function Choice({ saving, conflict: { verb, theirs }, definition }: ChoiceProps) {
  const [shown, setShown] = useState<'compare' | 'new'>()
  const [error, setError] = useState<unknown>()
  const overwrite = () => saving.overwrite(verb).catch(setError)
  return (
    <Stack gap="md">
      <Text size="sm">
        Another tab or another person saved this trigger <RelativeTime at={theirs.draft.savedAt ?? theirs.updatedAt} />.
        Your version is not saved.
      </Text>
      {shown === 'compare' && <Compare theirs={definitionOf(theirs)} mine={definition} />}
      {shown === 'new' && <SaveAsNew definition={definition} />}
      <ErrorNotice error={error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={saving.closeConflict}>
          Cancel
        </Button>
        <Button variant="default" onClick={() => setShown('compare')}>
          Compare
        </Button>
        <Button variant="default" onClick={() => setShown('new')}>
          Save as new
        </Button>
        <Button color="red.9" loading={saving.busy !== undefined} onClick={() => void overwrite()}>
          Overwrite
        </Button>
      </Group>
    </Stack>
  )
}

function Compare({ theirs, mine }: { theirs: Definition; mine: Definition }) {
  const lines = diffOf(theirs, mine)
  if (lines.every(({ kind }) => kind === 'same')) return <Text size="sm">The two versions are the same.</Text>
  return (
    <div>
      <Text size="sm" c="dimmed" mb="xs">
        − only in the other version, + only in your version.
      </Text>
      <DefinitionDiff lines={lines} />
    </div>
  )
}
