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
type Part = { key: 'source' | 'rawSource' | 'humanSource'; label: string; description: string; minHeight: number }

const rawPart: Part = {
  key: 'rawSource',
  label: 'Raw transform',
  description: 'Return the raw output. Return null to send no alert. Leave empty to use the item itself.',
  minHeight: 140,
}
const humanPart: Part = {
  key: 'humanSource',
  label: 'Display values',
  description: 'The script can also use raw. Leave empty to use the raw output.',
  minHeight: 72,
}
const wholePart: Part = {
  key: 'source',
  label: 'Transform',
  description: 'Return {raw, human}, or {outputs: [{raw, human}, …]} to send several alerts.',
  minHeight: 180,
}
const partsOf: Record<Form, Part[]> = { split: [rawPart, humanPart], whole: [wholePart] }
const issuePaths = {
  rawSource: /^transform\.rawSource/,
  humanSource: /^transform\.humanSource/,
  source: /^transform(\.source)?$/,
}

/** The scripts that make the output. */
export function TransformScripts({ builder, issues, raw }: TabProps) {
  const { state, dispatch } = builder
  const { transform } = state.definition
  const form: Form = transform && 'source' in transform ? 'whole' : 'split'
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed">
        JavaScript: an expression, or a body with return. Scripts can use source, inputs, providers and helpers. Type a
        dot to see the values of the sample. Press Escape, then Tab to leave an editor.
      </Text>
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
      {partsOf[form].map((part) => (
        <PartEditor
          key={part.key}
          part={part}
          state={state}
          issues={issues}
          raw={raw}
          change={(text) =>
            dispatch({ type: 'change', part: { transform: makeTransform(form, { ...transform, [part.key]: text }) } })
          }
        />
      ))}
    </Stack>
  )
}

type PartEditorProps = {
  part: Part
  state: Builder['state']
  issues: Issue[]
  raw: unknown
  change: (text: string) => void
}

function PartEditor({ part: { key, ...texts }, state, issues, raw, change }: PartEditorProps) {
  const { sample, inputs, providersData, definition } = state
  const complete = useMemo(
    () => completeFrom({ source: sample, inputs, providers: providersData, ...(key === 'humanSource' && { raw }) }),
    [sample, inputs, providersData, raw, key],
  )
  const marks = useMemo(() => marksOf(issues, issuePaths[key]), [issues, key])
  return (
    <CodeEditor
      {...texts}
      language="javascript"
      value={textOf(definition.transform?.[key])}
      onChange={change}
      complete={complete}
      marks={marks}
    />
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
