import { SegmentedControl, Stack, Text } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { useMemo } from 'react'
import { CodeEditor } from '../../../editor/code-editor.tsx'
import { type Fields, textOf } from '../model/definition.ts'
import { completeFrom } from './script-help/complete.ts'
import { marksOf } from './script-help/marks.ts'
import type { Builder } from './state/builder-state.ts'

type TabProps = { builder: Builder; issues: Issue[]; raw: unknown }
type Form = 'split' | 'whole'

export function ScriptsTab({ builder, issues, raw }: TabProps) {
  const { state, dispatch } = builder
  const { sample, inputs, providersData, definition } = state
  const complete = useMemo(
    () => completeFrom({ source: sample, inputs, providers: providersData }),
    [sample, inputs, providersData],
  )
  const completeHuman = useMemo(
    () => completeFrom({ source: sample, inputs, providers: providersData, raw }),
    [sample, inputs, providersData, raw],
  )
  const { activation, transform } = definition
  const form: Form = transform && 'source' in transform ? 'whole' : 'split'
  const put = (part: Fields) =>
    dispatch({ type: 'change', part: { transform: makeTransform(form, { ...transform, ...part }) } })
  const marks = useMemo(
    () => ({
      activation: marksOf(issues, /^activation/),
      raw: marksOf(issues, /^transform\.rawSource/),
      human: marksOf(issues, /^transform\.humanSource/),
      whole: marksOf(issues, /^transform(\.source)?$/),
    }),
    [issues],
  )
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed">
        JavaScript: an expression, or a body with return. Scripts can use source, inputs, providers and helpers. Type a
        dot to see the values of the sample. Press Escape, then Tab to leave an editor.
      </Text>
      <CodeEditor
        label="Activation"
        description="The trigger fires only if this returns true and the conditions hold. Leave empty to fire on every item."
        language="javascript"
        value={textOf(activation?.source)}
        onChange={(source) =>
          dispatch({
            type: 'change',
            part: { activation: source.trim() === '' ? null : { language: 'javascript', source } },
          })
        }
        complete={complete}
        marks={marks.activation}
        minHeight={56}
      />
      <SegmentedControl
        aria-label="Form of the transform"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        data={[
          { value: 'split', label: 'Raw and display values' },
          { value: 'whole', label: 'One script' },
        ]}
        value={form}
        onChange={(next) => dispatch({ type: 'change', part: { transform: convertTransform(next, transform) } })}
      />
      {form === 'whole' ? (
        <CodeEditor
          label="Transform"
          description="Return {raw, human}, or {outputs: [{raw, human}, …]} to send several alerts."
          language="javascript"
          value={textOf(transform?.source)}
          onChange={(source) => put({ source })}
          complete={complete}
          marks={marks.whole}
          minHeight={180}
        />
      ) : (
        <>
          <CodeEditor
            label="Raw transform"
            description="Return the raw output. Return null to send no alert. Leave empty to use the item itself."
            language="javascript"
            value={textOf(transform?.rawSource)}
            onChange={(rawSource) => put({ rawSource })}
            complete={complete}
            marks={marks.raw}
            minHeight={140}
          />
          <CodeEditor
            label="Display values"
            description="The script can also use raw. Leave empty to use the raw output."
            language="javascript"
            value={textOf(transform?.humanSource)}
            onChange={(humanSource) => put({ humanSource })}
            complete={completeHuman}
            marks={marks.human}
            minHeight={72}
          />
        </>
      )}
    </Stack>
  )
}

/** Builds the transform without empty scripts; null if all are empty. */
function makeTransform(form: Form, { source, rawSource, humanSource }: Fields): Fields | null {
  const language = 'javascript'
  if (form === 'whole') return { language, source: textOf(source) }
  const scripts = Object.entries({ rawSource, humanSource }).filter(([, script]) => textOf(script).trim() !== '')
  return scripts.length === 0 ? null : { language, ...Object.fromEntries(scripts) }
}

function convertTransform(form: string, transform: Fields | null): Fields | null {
  if (form === 'whole') return makeTransform('whole', { source: transform?.rawSource })
  return makeTransform('split', { rawSource: transform?.source })
}
