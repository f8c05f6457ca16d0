import { useReducer, useState } from 'react'
import { LinkText } from '../../../components/link-text.tsx'
import { Page } from '../../../components/page.tsx'
import { useSources } from '../../../layouts/address/use-sources.ts'
import { useNames } from '../../../layouts/sentence/use-names.ts'
import { StackNotice } from '../../../layouts/stack-notice.tsx'
import { NetworkGlyph } from '../../../layouts/watch/network-glyph.tsx'
import { definitionOf } from '../model/definition.ts'
import { readWork } from '../model/kept-work.ts'
import { sourceOf } from '../model/spec-kinds.ts'
import { useSubscriptionCount } from '../subscribers/use-subscription-count.ts'
import classes from './builder.module.css'
import { builderStages } from './builder-stages.tsx'
import { BuilderTabs } from './builder-tabs.tsx'
import { MessagePanel } from './preview/message-panel.tsx'
import { PreviewPanel } from './preview/preview-panel.tsx'
import { KeptNotice } from './saving/kept-notice.tsx'
import { SaveButtons, SaveNotices, saveStatus } from './saving/save-bar.tsx'
import { type BuilderState, hasUnsavedWork, initialState, reduce } from './state/builder-state.ts'
import type { Opened } from './state/save-trigger.ts'
import { mergeIssues, useCheck } from './state/use-check.ts'
import { useKeptWork } from './state/use-kept-work.ts'
import { useMessagePreview } from './state/use-message-preview.ts'
import { readOutput, usePreview } from './state/use-preview.ts'
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
