import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { Conditions } from '@tocsin/contract'
import { useState } from 'react'
import { CodeEditor } from '../../../editor/code-editor.tsx'
import { issuesIn } from '../../../forms/issues-in.ts'
import { fieldsOf } from '../../../forms/value-form/read-fields.ts'
import { conditionsOf, type Rows, rowsOf } from '../model/conditions.ts'
import { asCondition } from '../model/draft.ts'
import { ConditionRows } from './condition-rows.tsx'
import type { StepProps } from './step-props.ts'
import { triggerOf } from './steps.ts'

/** Edits the conditions of the subscription, as rows or as JSON. */
export function FiltersStep({ draft, change, projectData, errorOf }: StepProps) {
  const initialRows = rowsOf(draft.conditions)
  const [view, setView] = useState<'rows' | 'json'>(initialRows && !draft.invalidConditions ? 'rows' : 'json')
  const [rows, setRows] = useState<Rows>(initialRows ?? { join: 'all', rows: [] })
  const fields = fieldsOf(triggerOf(draft, projectData)?.filtersSchema ?? {})
  const isSimple = rowsOf(draft.conditions) !== undefined && !draft.invalidConditions
  const changeView = (next: 'rows' | 'json') => {
    const read = rowsOf(draft.conditions)
    if (next === 'rows' && !read) return
    if (next === 'rows' && read) setRows(read)
    setView(next)
  }
  const changeRows = (next: Rows) => {
    setRows(next)
    change({ conditions: conditionsOf(next, (param) => fields.find(({ name }) => name === param)?.kind) })
  }
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <Text size="sm">Without filters, every match creates an alert.</Text>
        <SegmentedControl
          size="xs"
          aria-label="View of filters"
          value={view}
          onChange={changeView}
          data={[
            { value: 'rows', label: 'Rows', disabled: !isSimple },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </Group>
      {view === 'rows' ? (
        <ConditionRows fields={fields} value={rows} onChange={changeRows} error={errorOf('conditions')} />
      ) : (
        <RawConditions draft={draft} change={change} error={errorOf('conditions')} />
      )}
    </Stack>
  )
}

type RawProps = Pick<StepProps, 'draft' | 'change'> & { error: string | undefined }

function RawConditions({ draft: { conditions, invalidConditions }, change, error }: RawProps) {
  const written = conditions === null ? '' : JSON.stringify(conditions, null, 2)
  const [text, setText] = useState(invalidConditions?.text ?? written)
  const read = (next: string) => {
    setText(next)
    const { problem, conditions } = parse(next)
    if (problem !== undefined) change({ invalidConditions: { text: next, problem } })
    else change({ conditions, invalidConditions: undefined })
  }
  return (
    <>
      <CodeEditor
        label="Conditions"
        description="{all: […]}, {any: […]}, {not: …}, {param, op, value} or {param, contains: …}."
        language="json"
        value={text}
        onChange={read}
        minHeight={160}
        error={invalidConditions?.problem ?? error}
      />
      {invalidConditions && <Text size="sm">Correct or delete the text to continue.</Text>}
    </>
  )
}

function parse(text: string): { conditions: StepProps['draft']['conditions']; problem?: string } {
  if (text.trim() === '') return { conditions: null }
  let sent: unknown
  try {
    sent = JSON.parse(text)
  } catch {
    return { conditions: null, problem: 'Invalid JSON' }
  }
  const read = Conditions.safeParse(sent)
  if (read.success) return { conditions: asCondition(read.data) }
  const [issue] = issuesIn(Conditions, sent)
  return { conditions: null, problem: issue ? `${issue.path} ${issue.message}`.trim() : 'Invalid conditions' }
}
