import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Issue, TriggerSave } from '@tocsin/contract'
import { useState } from 'react'
import { issuesOf } from '../../../../components/error-sentence.ts'
import { refresh } from '../../../../data/changes.ts'
import { say } from '../../../../data/notices.ts'
import { issuesIn } from '../../../../forms/issues-in.ts'
import { canonical, type Definition, type Trigger } from '../../model/definition.ts'
import { forgetDraft, rememberDraft } from '../../model/local-drafts.ts'
import type { Builder } from './builder-state.ts'
import { ChangedElsewhere, type Opened, publish, readLatest, saveDraft } from './save-trigger.ts'
import type { TestRun } from './use-test-run.ts'

type Verb = 'save' | 'publish'
/** What a publish refused; it holds until the definition changes. */
type Refused = { of: Definition; issues: Issue[] }
export type Conflict = { verb: Verb; theirs: Trigger }
export type Saving = ReturnType<typeof useSaving>

/** Saving and publishing. Both send the tag of what the builder knows, so that nobody's version is overwritten unseen. */
export function useSaving({ state, dispatch }: Builder, testRun: TestRun, opened: Opened) {
  const { definition, unread } = state
  const { fullname, workspace } = definition
  const navigate = useNavigate()
  const [known, setKnown] = useState(opened)
  const [refused, setRefused] = useState<Refused>()
  const [conflict, setConflict] = useState<Conflict>()
  const [isStopped, setStopped] = useState(false)

  const keep = async (from: Opened) => {
    const draft = await saveDraft(definition, from.draft)
    setKnown({ ...from, draft })
    dispatch({ type: 'saved', definition })
    if (!from.published) rememberDraft(fullname)
    await refresh(['triggers'])
  }
  const act = async (verb: Verb, from: Opened) => {
    setStopped(Object.keys(unread).length > 0)
    if (Object.keys(unread).length > 0) throw new UnreadText()
    setRefused(undefined)
    setConflict(undefined)
    await keep(from)
    if (verb === 'save') return say('Draft saved. The published version is unchanged.')
    const payload = { ...canonical(definition), ...(testRun.status && { status: testRun.status }) }
    const whole = TriggerSave.safeParse(payload)
    if (!whole.success) return setRefused({ of: definition, issues: issuesIn(TriggerSave, payload) })
    await publish(whole.data, from)
    forgetDraft(fullname)
    await refresh(['triggers', 'projects', 'templates'])
    say('Published.')
    await navigate({
      to: '/w/$workspace/triggers/$trigger',
      params: { workspace, trigger: fullname },
      ignoreBlocker: true,
    })
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
    /** Undefined for what is told in a better way: conflicts, issues and unread text. */
    failure: isToldElsewhere(run.error) ? undefined : run.error,
    refused: refused?.of === definition ? refused.issues : undefined,
    /** A save was refused because of text that cannot be read. */
    isStopped,
  }
}

class UnreadText extends Error {
  constructor() {
    super('A field holds text that cannot be saved. Repair the text, or discard it.')
  }
}

function isToldElsewhere(error: Error | null): boolean {
  return error instanceof ChangedElsewhere || error instanceof UnreadText || issuesOf(error).length > 0
}
