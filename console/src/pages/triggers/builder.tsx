import { useReducer, useState } from 'react'
import type { Entity } from '../../data/queries.ts'
import { LinkText } from '../../parts/link-text.tsx'
import { Page } from '../../parts/page.tsx'
import classes from './builder.module.css'
import { begin, reduce } from './builder-state.ts'
import { BuilderTabs } from './builder-tabs.tsx'
import { definitionOf, type Trigger } from './definition.ts'
import { PreviewPanel } from './preview-panel.tsx'
import { readOutput } from './read-output.ts'
import { SaveBar } from './save-bar.tsx'
import { usePreview } from './use-preview.ts'
import { useTrial } from './use-trial.ts'

type BuilderViewProps = { draft: Trigger; published: Entity<Trigger> | undefined }

/** The parts of a definition on the left; on the right what they do to a sample, while they are typed. */
export function BuilderView({ draft, published }: BuilderViewProps) {
  const [state, dispatch] = useReducer(reduce, draft, (trigger) => begin(definitionOf(trigger)))
  // A save must not overwrite what somebody else published since the builder was opened.
  const [tag] = useState(published?.tag)
  const builder = { state, dispatch }
  const preview = usePreview(state)
  const trial = useTrial(builder)
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
      <SaveBar builder={builder} trial={trial} hasDraft={draft.draft.exists} tag={tag} isPublished={!!published} />
      <div className={classes.builder}>
        <BuilderTabs
          builder={builder}
          issues={preview.issues}
          raw={readOutput(preview.result?.output).raw}
          published={published?.view}
        />
        <PreviewPanel builder={builder} preview={preview} trial={trial} />
      </div>
    </Page>
  )
}
