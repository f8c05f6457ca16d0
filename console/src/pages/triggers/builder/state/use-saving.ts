import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Issue, TriggerSave } from '@tocsin/contract'
import { useState } from 'react'
import { issuesOf } from '../../../../components/describe-error.ts'
import { refresh } from '../../../../data/changes.ts'
import { notifySuccess } from '../../../../data/notices.ts'
import { issuesIn } from '../../../../forms/issues-in.ts'
import { canonical, type Definition, type Trigger } from '../../model/definition.ts'
import { forgetDraft, rememberDraft } from '../../model/local-drafts.ts'
import type { Builder } from './builder-state.ts'
import { ChangedElsewhere, type Opened, publish, readLatest, saveDraft } from './save-trigger.ts'
import type { TestRun } from './use-test-run.ts'

type Verb = 'save' | 'publish'
/** The issues of a refused publish. They apply until the definition changes. */
type Refused = { of: Definition; issues: Issue[] }
export type Conflict = { verb: Verb; theirs: Trigger }
export type Saving = ReturnType<typeof useSaving>

/** Saves and publishes. Both send the ETag that the builder knows, so that no other version is overwritten silently. */
export function useSaving({ state, dispatch }: Builder, testRun: TestRun, opened: Opened) {
  const { definition, invalidTexts } = state
  const { fullname, workspace } = definition
  const navigate = useNavigate()
  const [known, setKnown] = useState(opened)
  const [refused, setRefused] = useState<Refused>()
  const [conflict, setConflict] = useState<Conflict>()
  const [isStopped, setStopped] = useState(false)

  const storeDraft = async (from: Opened) => {
    const draft = await saveDraft(definition, from.draft)
    setKnown({ ...from, draft })
    dispatch({ type: 'saved', definition })
    if (!from.published) rememberDraft(fullname)
    await refresh(['triggers'])
  }
  const act = async (verb: Verb, from: Opened) => {
    setStopped(Object.keys(invalidTexts).length > 0)
    if (Object.keys(invalidTexts).length > 0) throw new InvalidTextError()
    setRefused(undefined)
    setConflict(undefined)
    await storeDraft(from)
    if (verb === 'save') return notifySuccess('Draft saved. The published version is unchanged.')
    const payload = { ...canonical(definition), ...(testRun.status && { status: testRun.status }) }
    const whole = TriggerSave.safeParse(payload)
    if (!whole.success) return setRefused({ of: definition, issues: issuesIn(TriggerSave, payload) })
    await publish(whole.data, from)
    forgetDraft(fullname)
    await refresh(['triggers', 'projects', 'templates'])
    notifySuccess('Trigger published.')
    // The builder asks first if the user went on typing meanwhile.
    await navigate({ to: '/w/$workspace/triggers/$trigger', params: { workspace, trigger: fullname } })
  }
  const run = useMutation<void, Error, { verb: Verb; from: Opened }>({
    mutationFn: ({ verb, from }) => act(verb, from),
    onError: (error, { verb }) => {
      if (error instanceof ChangedElsewhere) setConflict({ verb, theirs: error.theirs })
      const issues = issuesOf(error)
      if (issues.length > 0) setRefused({ of: definition, issues })
    },
  })
  const overwrite = async (verb: Verb) => {
    const { draft, published } = await readLatest(fullname)
    await run.mutateAsync({ verb, from: { draft: draft ?? { ...known.draft, tag: undefined }, published } })
  }
  return {
    known,
    start: (verb: Verb) => run.mutate({ verb, from: known }),
    saveAndWait: () => run.mutateAsync({ verb: 'save', from: known }),
    overwrite,
    conflict,
    closeConflict: () => setConflict(undefined),
    busy: run.isPending ? run.variables.verb : undefined,
    failed: run.isError ? run.variables.verb : undefined,
    /** Undefined for errors that the page shows elsewhere: conflicts, issues and invalid text. */
    failure: isShownElsewhere(run.error) ? undefined : run.error,
    refused: refused?.of === definition ? refused.issues : undefined,
    /** A save was refused because of invalid text. */
    isStopped,
  }
}

class InvalidTextError extends Error {
  constructor() {
    super('A field contains invalid text. Correct or discard the text.')
  }
}

function isShownElsewhere(error: Error | null): boolean {
  return error instanceof ChangedElsewhere || error instanceof InvalidTextError || issuesOf(error).length > 0
}
