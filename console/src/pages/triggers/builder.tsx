import { useReducer } from 'react'
import { LinkText } from '../../parts/link-text.tsx'
import { Page } from '../../parts/page.tsx'
import classes from './builder.module.css'
import { begin, reduce } from './builder-state.ts'
import { BuilderTabs } from './builder-tabs.tsx'
import { definitionOf } from './definition.ts'
import { PreviewPanel } from './preview-panel.tsx'
import { readOutput } from './read-output.ts'
import { SaveBar } from './save-bar.tsx'
import { mergeIssues, useCheck } from './use-check.ts'
import { usePreview } from './use-preview.ts'
import { type Opened, useSaving } from './use-saving.ts'
import { useTrial } from './use-trial.ts'

/** The parts of a definition on the left; on the right what they do to a sample, while they are typed. */
export function BuilderView({ draft, published }: Opened) {
  const [state, dispatch] = useReducer(reduce, draft.view, (trigger) => begin(definitionOf(trigger)))
  const builder = { state, dispatch }
  const preview = usePreview(state)
  const trial = useTrial(builder)
  const saving = useSaving(builder, trial, { draft, published })
  const checked = useCheck(state)
  const issues = mergeIssues({ state, checked, preview, refused: saving.refused })
  const { fullname, workspace, meta } = state.definition
  return (
    <Page
      title={meta.title || fullname}
      about={<span className="mono">{fullname}</span>}
      above={
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
      <SaveBar
        builder={builder}
        trial={trial}
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
        <PreviewPanel builder={builder} preview={preview} trial={trial} issues={issues} />
      </div>
    </Page>
  )
}
