import { Stack } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { useMemo } from 'react'
import { CodeEditor } from '../../../editor/code-editor.tsx'
import { ConditionField } from '../../../forms/conditions/condition-field.tsx'
import type { RowResult } from '../../../forms/conditions/condition-form.ts'
import { useItemToken } from '../../../forms/conditions/use-item-token.ts'
import { textOf } from '../model/definition.ts'
import { conditionNames } from '../model/item-fields.ts'
import { completeFrom } from './script-help/complete.ts'
import { marksOf } from './script-help/marks.ts'
import { type Builder, invalidTextIn } from './state/builder-state.ts'

type ConditionTabProps = { builder: Builder; issues: Issue[]; results: readonly RowResult[] | undefined }

/** When the trigger fires: conditions as rows or as JSON, and a script. */
export function ConditionTab({ builder, issues, results }: ConditionTabProps) {
  const { state, dispatch } = builder
  const { definition, sample, providersData } = state
  const fields = useMemo(
    () => conditionNames({ definition, sample, providersData }),
    [definition, sample, providersData],
  )
  const { triggerSpec, conditions } = definition
  const token = useItemToken({ triggerSpec, fields, conditions })
  return (
    <Stack gap="md">
      <ConditionField
        about="The trigger fires only if these conditions and the activation script hold. Without conditions, only the script decides."
        noun="condition"
        fields={fields}
        placeholder="source.params.value"
        hasTokens
        token={token}
        value={definition.conditions}
        onChange={(conditions) => dispatch({ type: 'change', part: { conditions } })}
        issues={issues.filter(({ path }) => path.startsWith('conditions'))}
        results={results}
        invalidText={invalidTextIn(builder, 'conditions', 'Conditions (Condition tab)')}
      />
      <ActivationScript builder={builder} issues={issues} />
    </Stack>
  )
}

/** The script that decides whether an item fires, for what conditions cannot say. */
function ActivationScript({ builder, issues }: { builder: Builder; issues: Issue[] }) {
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
