import type { Issue } from '@tocsin/contract'
import { useMemo } from 'react'
import { CodeEditor } from '../../../editor/code-editor.tsx'
import { textOf } from '../model/definition.ts'
import { completeFrom } from './script-help/complete.ts'
import { marksOf } from './script-help/marks.ts'
import type { Builder } from './state/builder-state.ts'

/** The script that decides whether an item fires, for what conditions cannot say. */
export function ActivationScript({ builder, issues }: { builder: Builder; issues: Issue[] }) {
  const { state, dispatch } = builder
  const { sample, inputs, providersData, definition } = state
  const complete = useMemo(
    () => completeFrom({ source: sample, inputs, providers: providersData }),
    [sample, inputs, providersData],
  )
  const marks = useMemo(() => marksOf(issues, /^activation/), [issues])
  return (
    <CodeEditor
      label="Activation"
      description="JavaScript. The trigger fires only if this returns true and the conditions hold. Leave empty to use only the conditions."
      language="javascript"
      value={textOf(definition.activation?.source)}
      onChange={(source) =>
        dispatch({
          type: 'change',
          part: { activation: source.trim() === '' ? null : { language: 'javascript', source } },
        })
      }
      complete={complete}
      marks={marks}
      minHeight={56}
    />
  )
}
