import type { Issue } from '@tocsin/contract'
import { useState } from 'react'
import { issuesOf } from '../../../components/describe-error.ts'
import { useChange } from '../../../data/changes.ts'
import { useApiList } from '../../../data/lists.ts'
import type { Entity } from '../../../data/queries.ts'
import { type KeptValues, useKeptValues } from '../../../forms/use-kept-values.ts'
import { type Draft, payloadOf } from '../model/draft.ts'
import { nextBlock } from '../model/start.ts'
import type { Subscription } from '../model/subscription.ts'
import { defaultTopics } from './alerts-field.tsx'
import {
  checkStep,
  type DraftChange,
  hasPastBlocks,
  isOfOptions,
  type ProjectData,
  type StepName,
  stepOfIssue,
  steps,
  valuesFor,
} from './steps.ts'

/** The state of the wizard: step, draft and issues. */
export function useWizard(workspace: string, initial: Draft, editing: Entity<Subscription> | undefined) {
  const subject = editing?.view.id ?? `${workspace} ${initial.project} ${initial.trigger}`
  // The wizard preselects a template or a trigger, which is no change of the user.
  const [isUntouched, setUntouched] = useState(true)
  const kept = useKeptValues(initial, { keep: { name: `subscription ${subject}`, isUntouched } })
  const { values: draft, setValues: setDraft } = kept
  const [step, setStep] = useState<StepName>('what')
  const [issues, setIssues] = useState<Issue[]>([])
  const [failure, setFailure] = useState<unknown>()
  const [saved, setSaved] = useState<Subscription>()
  const { save, isSaving } = useSave(workspace, saved, editing)
  const projectData = useProjectData(draft.project)
  const at = steps.findIndex(({ name }) => name === step)
  preselect(draft, projectData, setDraft)
  const go = (name: StepName | undefined) => {
    setIssues([])
    setFailure(undefined)
    if (name) setStep(name)
  }
  const finish = async () => {
    try {
      const start = hasPastBlocks(draft, projectData) ? draft.start : nextBlock
      const whole = { ...draft, start, values: valuesFor(draft, projectData) }
      setSaved(await kept.runSave(() => save(whole)))
      go('review')
    } catch (error) {
      const found = issuesOf(error)
      if (found[0]) setStep(stepOfIssue(found[0].path))
      setIssues(found)
      setFailure(error)
    }
  }
  const next = () => {
    const found = checkStep(step, draft, projectData)
    setIssues(found)
    if (found.length > 0) return
    if (step === 'where') void finish()
    else go(steps[at + 1]?.name)
  }
  return {
    ...{ draft, projectData, at, step, failure, saved, isSaving, go, next, kept },
    /** An option has an issue, so the options must be open. */
    hasOptionIssue: issues.some(isOfOptions),
    canStartEarlier: !editing && hasPastBlocks(draft, projectData),
    back: () => go(steps[Math.max(0, at - 1)]?.name),
    change: (part: DraftChange) => {
      setDraft((before) => ({ ...before, ...(typeof part === 'function' ? part(before) : part) }))
      setUntouched(false)
      setIssues([])
    },
    errorOf: (path: string) =>
      issues.find(
        (issue) => issue.path === path || issue.path.startsWith(`${path}.`) || issue.path.split('.').at(-1) === path,
      )?.message,
  }
}

/** Preselects the first template of the project, or the first trigger if there is no template. */
function preselect(draft: Draft, projectData: ProjectData, setDraft: KeptValues<Draft>['setValues']): void {
  if (draft.project === '' || projectData.isLoading || draft.template !== '' || draft.trigger !== '') return
  const [template] = projectData.templates
  const [trigger] = projectData.triggers
  if (template)
    setDraft((draft) => ({ ...draft, kind: 'template', template: template.id, topics: defaultTopics(template) }))
  else if (trigger) setDraft((draft) => ({ ...draft, kind: 'trigger', trigger: trigger.fullname }))
}

function useProjectData(project: string): ProjectData {
  const enabled = project !== ''
  const templates = useApiList('listTemplates', { fullname: project }, { enabled })
  const triggers = useApiList('listTriggers', { query: { project } }, { enabled })
  return {
    templates: templates.items,
    triggers: triggers.items,
    isLoading: templates.isLoading || triggers.isLoading,
    error: templates.error ?? triggers.error,
  }
}

/**
 * Saves the subscription. A new one is paused, and the user activates it in the last step. A save cannot change where a
 * subscription begins, so a new one whose start changed is created again.
 */
function useSave(workspace: string, saved: Subscription | undefined, editing: Entity<Subscription> | undefined) {
  const create = useChange('createSubscription')
  const remove = useChange('deleteSubscription')
  const update = useChange('saveSubscription')
  const [createdWith, setCreatedWith] = useState<Draft['start']>()
  const createOne = async ({ start }: Draft, body: ReturnType<typeof payloadOf>) => {
    const created = await create.mutateAsync({ body })
    setCreatedWith(start)
    return created
  }
  const save = async (draft: Draft): Promise<Subscription> => {
    const existing = saved ?? editing?.view
    const body = payloadOf(draft, workspace, existing)
    if (!existing) return createOne(draft, body)
    if (saved && !editing && JSON.stringify(draft.start) !== JSON.stringify(createdWith)) {
      const next = await createOne(draft, payloadOf(draft, workspace, undefined))
      await remove.mutateAsync({ id: saved.id })
      return next
    }
    const isFirst = saved === undefined && editing?.tag !== undefined
    return update.mutateAsync({ id: existing.id, body, ...(isFirst && { ifMatch: editing.tag }) })
  }
  return { save, isSaving: create.isPending || remove.isPending || update.isPending }
}
