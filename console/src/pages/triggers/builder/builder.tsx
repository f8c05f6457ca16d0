import type { Issue } from '@tocsin/contract'
import { useReducer, useState } from 'react'
import { IconFilter, IconMessage, IconProject, IconResource, IconSource } from '../../../components/icons.tsx'
import { LinkText } from '../../../components/links.tsx'
import { Page } from '../../../components/page.tsx'
import type { Stage } from '../../../components/patterns/pipeline.tsx'
import { isObject } from '../../../forms/json.ts'
import { AddressText } from '../../../layouts/address/address-text.tsx'
import { type AddressSource, useSources } from '../../../layouts/address/use-sources.ts'
import { shownValues } from '../../../layouts/pipeline/shown-values.ts'
import { useNames } from '../../../layouts/sentence/use-names.ts'
import { StackNotice } from '../../../layouts/stack-notice.tsx'
import { NetworkGlyph } from '../../../layouts/watch/network-glyph.tsx'
import { joinWords, type Names } from '../../../sentences/parts.ts'
import { networkWords, sourceWords } from '../../../sentences/when-words.ts'
import { type Definition, definitionOf, textOf } from '../model/definition.ts'
import { readWork } from '../model/kept-work.ts'
import { sourceOf } from '../model/spec-kinds.ts'
import { subscriptionWords } from '../subscribers/subscription-words.ts'
import { useSubscriptionCount } from '../subscribers/use-subscription-count.ts'
import classes from './builder.module.css'
import { BuilderTabs } from './builder-tabs.tsx'
import { isNegated } from './preview/condition-words.ts'
import { MessagePanel } from './preview/message-panel.tsx'
import { PreviewPanel } from './preview/preview-panel.tsx'
import { KeptNotice, useKeptWork } from './saving/kept-work.tsx'
import { SaveButtons, SaveNotices, saveStatus } from './saving/save-bar.tsx'
import { type BuilderState, hasUnsavedWork, initialState, reduce } from './state/builder-state.ts'
import { tabPaths } from './state/issue-fields.ts'
import type { Opened } from './state/save-trigger.ts'
import { mergeIssues, useCheck } from './state/use-check.ts'
import { useMessagePreview } from './state/use-message-preview.ts'
import { type Preview, readOutput, usePreview } from './state/use-preview.ts'
import { useSaving } from './state/use-saving.ts'
import { type TestRun, useTestRun } from './state/use-test-run.ts'

/** The builder: the pipeline, whose stages open their forms, and a live preview on a sample item. */
export function BuilderView({ draft: loaded, published }: Opened) {
  const [kept] = useState(() => readWork(loaded.view.fullname))
  const draft = kept?.base ?? loaded
  const [state, dispatch] = useReducer(reduce, draft.view, (trigger) => ({
    ...initialState(definitionOf(trigger)),
    ...(kept && { definition: kept.definition, invalidTexts: kept.invalidTexts }),
  }))
  const builder = { state, dispatch }
  const preview = usePreview(state)
  const messagePreview = useMessagePreview(state, preview)
  const testRun = useTestRun(builder)
  const saving = useSaving(builder, testRun, { draft, published })
  useKeptWork(state, saving.known.draft)
  const checked = useCheck(state)
  const issues = mergeIssues({ state, checked, preview, refused: saving.refused })
  const { fullname, workspace, meta, triggerSpec } = state.definition
  const names = useNames(workspace)
  const source = useSources().find(sourceOf(triggerSpec))
  const counted = useSubscriptionCount(published ? fullname : undefined)
  const isChanged = hasUnsavedWork(state)
  const hasDraft = loaded.view.draft.exists
  const isPublished = published !== undefined
  const hasSample = state.sample !== undefined
  const { definition } = state
  const stages = builderStages({
    definition,
    hasSample,
    preview,
    testRun,
    issues,
    names,
    source,
    subscriptions: published ? counted : 0,
    message: messagePreview.result?.message?.title,
  })
  return (
    <Page
      title={meta.title || fullname}
      crumb={published ? `Edit ${meta.title || fullname}` : undefined}
      glyph={<NetworkGlyph source={source} title={meta.title} size={40} />}
      about={
        <span title={fullname}>{saveStatus({ isChanged, hasDraft, isPublished, tested: testRun.status?.status })}</span>
      }
      actions={<SaveButtons {...{ builder, saving, hasDraft, isPublished }} />}
      breadcrumb={
        published ? (
          <LinkText to="/w/$workspace/triggers/$trigger" params={{ workspace, trigger: fullname }}>
            {published.view.meta.title}
          </LinkText>
        ) : (
          <LinkText to="/w/$workspace/triggers" params={{ workspace }}>
            Triggers
          </LinkText>
        )
      }
    >
      <StackNotice workspace={workspace} kind="trigger" name={fullname} labels={published?.view.labels} isEdited />
      <KeptNotice at={kept?.at} builder={builder} />
      <SaveNotices {...{ builder, saving, isChanged }} />
      <BuilderTabs
        builder={builder}
        issues={issues}
        raw={readOutput(preview.result?.output).raw}
        results={preview.result?.debug.conditions}
        published={published?.view}
        stages={stages}
        about={<SampleFacts state={state} testRun={testRun} />}
        side={
          <div className={classes.side}>
            <MessagePanel preview={messagePreview} />
            <PreviewPanel builder={builder} preview={preview} testRun={testRun} issues={issues} />
          </div>
        }
      />
    </Page>
  )
}

/** Which item lights the pipeline. */
function SampleFacts({ state, testRun }: { state: BuilderState; testRun: TestRun }) {
  if (!state.sample) return 'No sample yet. Test on the latest match to light the stages.'
  return testRun.result ? `Sample: ${testRun.result.description}` : 'Sample of the trigger'
}

type StageFacts = {
  definition: Definition
  hasSample: boolean
  preview: Preview
  testRun: TestRun
  issues: Issue[]
  names: Names
  source: AddressSource | undefined
  /** Active subscriptions of the published version; undefined while their number is not known. */
  subscriptions: number | undefined
  /** The title of the rendered message. */
  message: string | undefined
}

/** The pipeline of the builder: what the sample gave at each stage. */
function builderStages(facts: StageFacts): Stage[] {
  return [sourceStage(facts), conditionStage(facts), dataStage(facts), messageStage(facts), destinationStage(facts)]
}

function sourceStage({ definition, hasSample, issues, names, source }: StageFacts): Stage {
  return {
    name: 'Source',
    icon: IconSource,
    state: stateOf(issues, 'Source', hasSample),
    value: <AddressText text={sourceWords(definition, names)} source={source} isPlain />,
    about: networkWords(definition, names) || undefined,
  }
}

function conditionStage({ definition, preview: { result }, issues, testRun }: StageFacts): Stage {
  const { conditions, activation } = definition
  const isEmpty = !activation && (!isObject(conditions) || Object.keys(conditions).length === 0)
  const parts = result?.debug.conditions ?? []
  const held = parts.filter((part) => part.held !== null && part.held !== isNegated(part.path)).length
  const verdict = result?.debug.activated === false ? 'Does not match' : 'Passes'
  return {
    name: 'Condition',
    icon: IconFilter,
    state: stateOf(issues, 'Condition', result !== undefined),
    durationMs: timed(testRun, /^activation/),
    value: isEmpty ? 'Fires every time' : result ? verdict : 'Not run',
    about: parts.length > 0 ? partWords(held, parts) : activation ? 'By its script' : undefined,
  }
}

function partWords(held: number, parts: readonly { issue?: string | undefined }[]): string {
  const hopeless = parts.filter(({ issue }) => issue !== undefined).length
  return `${held} of ${parts.length} parts are true${hopeless > 0 ? `, ${hopeless} can probably never be` : ''}`
}

function dataStage({ definition, preview: { result }, issues, testRun, source }: StageFacts): Stage {
  const calls = Object.entries(testRun.result?.debug.providers ?? {})
  const failed = calls.find(([, { ok, skipped }]) => !ok && !skipped)
  const ids = definition.providers.map(({ id }) => textOf(id))
  const { raw, human } = readOutput(result?.output)
  const fetched = calls.reduce((sum, [, { durationMs }]) => sum + durationMs, 0)
  const scripts = timed(testRun, /^transform/)
  return {
    name: 'Data',
    icon: IconProject,
    state: failed ? 'error' : stateOf(issues, 'Data', result?.output !== undefined && result.output !== null),
    durationMs: scripts === undefined && calls.length === 0 ? undefined : fetched + (scripts ?? 0),
    value: <AddressText text={shownValues(human) ?? shownValues(raw) ?? 'No output yet'} source={source} isPlain />,
    about: failed ? `${failed[0]}: ${failed[1].error ?? 'failed'}` : joinWords(ids) || 'Of the item itself',
  }
}

function messageStage({ definition, issues, message }: StageFacts): Stage {
  const title = message ?? (textOf(definition.defaults?.title) || definition.meta.title)
  return {
    name: 'Message',
    icon: IconMessage,
    state: stateOf(issues, 'Message', message !== undefined),
    value: `“${title}”`,
    about: definition.defaults?.short || definition.defaults?.long ? 'Title and text' : 'Only a title',
  }
}

function destinationStage({ subscriptions }: StageFacts): Stage {
  return {
    name: 'Destinations',
    icon: IconResource,
    state: 'idle',
    value: subscriptionWords(subscriptions),
    about: 'A draft sends nothing',
  }
}

function stateOf(issues: Issue[], stage: string, hasRun: boolean): Stage['state'] {
  const owns = tabPaths.find(([tab]) => tab === stage)?.[1]
  if (owns && issues.some(({ path }) => owns.test(path))) return 'error'
  return hasRun ? 'passed' : 'idle'
}

/** The time of the scripts in the last test. */
function timed({ result }: TestRun, scripts: RegExp): number | undefined {
  const times = Object.entries(result?.debug.timings ?? {}).filter(([path]) => scripts.test(path))
  return times.length === 0 ? undefined : times.reduce((sum, [, ms]) => sum + ms, 0)
}
