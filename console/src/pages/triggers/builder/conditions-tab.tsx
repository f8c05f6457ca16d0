import { Stack } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { useMemo } from 'react'
import { ConditionField } from '../../../forms/conditions/condition-field.tsx'
import { conditionNames } from '../model/item-fields.ts'
import { type Builder, invalidTextIn } from './state/builder-state.ts'

/** The conditions of the trigger, as rows or as JSON. */
export function ConditionsTab({ builder, issues }: { builder: Builder; issues: Issue[] }) {
  const { state, dispatch } = builder
  const { definition, sample, providersData } = state
  const fields = useMemo(
    () => conditionNames({ definition, sample, providersData }),
    [definition, sample, providersData],
  )
  return (
    <Stack gap="md">
      <ConditionField
        about="The trigger fires only if these conditions and the activation script hold. Without conditions, only the script decides."
        noun="condition"
        fields={fields}
        placeholder="source.params.value"
        hasTokens
        value={definition.conditions}
        onChange={(conditions) => dispatch({ type: 'change', part: { conditions } })}
        issues={issues.filter(({ path }) => path.startsWith('conditions'))}
        invalidText={invalidTextIn(builder, 'conditions', 'Conditions (Conditions tab)')}
      />
    </Stack>
  )
}
