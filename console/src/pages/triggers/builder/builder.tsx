import { useReducer } from 'react'
import { LinkText } from '../../../components/link-text.tsx'
import { Page } from '../../../components/page.tsx'
import { StackNotice } from '../../../layouts/stack-notice.tsx'
import { definitionOf } from '../model/definition.ts'
import classes from './builder.module.css'
import { BuilderTabs } from './builder-tabs.tsx'
import { PreviewPanel } from './preview/preview-panel.tsx'
import { SaveBar } from './saving/save-bar.tsx'
import { initialState, reduce } from './state/builder-state.ts'
import type { Opened } from './state/save-trigger.ts'
import { mergeIssues, useCheck } from './state/use-check.ts'
import { readOutput, usePreview } from './state/use-preview.ts'
import { useSaving } from './state/use-saving.ts'
import { useTestRun } from './state/use-test-run.ts'

/** The builder: tabs that edit the definition, and a live preview on a sample item. */
export function BuilderView({ draft, published }: Opened) {
  const [state, dispatch] = useReducer(reduce, draft.view, (trigger) => initialState(definitionOf(trigger)))
  const builder = { state, dispatch }
  const preview = usePreview(state)
  const testRun = useTestRun(builder)
  const saving = useSaving(builder, testRun, { draft, published })
  const checked = useCheck(state)
  const issues = mergeIssues({ state, checked, preview, refused: saving.refused })
  const { fullname, workspace, meta } = state.definition
  return (
    <Page
      title={meta.title || fullname}
      about={<span className="mono">{fullname}</span>}
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
      <SaveBar
        builder={builder}
        testRun={testRun}
        saving={saving}
        hasDraft={draft.view.draft.exists}
        isPublished={!!published}
      />
      <div className={classes.builder}>
        <BuilderTabs
          builder={builder}
          issues={issues}
          raw={readOutput(preview.result?.output).raw}
          published={published?.view}
        />
        <PreviewPanel builder={builder} preview={preview} testRun={testRun} issues={issues} />
      </div>
    </Page>
  )
}
