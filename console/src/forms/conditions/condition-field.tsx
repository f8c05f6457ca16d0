import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { useState } from 'react'
import type { InvalidTextSlot } from '../invalid-text.tsx'
import { isObject } from '../json.ts'
import { JsonField } from '../json-field.tsx'
import type { ConditionForm } from './condition-form.ts'
import { ConditionGroup } from './condition-group.tsx'
import type { ConditionPart } from './condition-groups.ts'
import { conditionOf, rootGroupOf } from './condition-groups.ts'

type ConditionFieldProps = Omit<ConditionForm, 'issues'> & {
  about: string
  value: ConditionPart | null | undefined
  /** Undefined means no conditions. */
  onChange: (conditions: ConditionPart | undefined) => void
  issues: Issue[]
  /** Stores JSON text that cannot be parsed. */
  invalidText: InvalidTextSlot
}

const path = 'conditions'

/** Edits conditions as rows and groups, or as JSON. */
export function ConditionField({ about, value, onChange, invalidText, ...form }: ConditionFieldProps) {
  const [chosen, setChosen] = useState(invalidText.current ? 'json' : 'rows')
  const view = invalidText.current ? 'json' : chosen
  const group = rootGroupOf(value, path)
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{about}</Text>
        <SegmentedControl
          size="xs"
          aria-label={`View of ${form.noun}s`}
          value={view}
          onChange={setChosen}
          data={[
            { value: 'rows', label: 'Rows', disabled: invalidText.current !== undefined },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </Group>
      {view === 'rows' ? (
        <ConditionGroup
          group={group}
          path={path}
          onChange={(join, parts) => onChange(conditionOf(join, parts))}
          form={form}
        />
      ) : (
        <JsonField
          label="Conditions"
          description="{all: […]}, {any: […]}, {not: …}, {param, op, value} or {param, contains: …}. Leave empty for no conditions."
          value={value ?? undefined}
          onChange={(conditions) => onChange(isObject(conditions) ? conditions : undefined)}
          accepts={isObject}
          refusal="Conditions are an object."
          invalidText={invalidText}
          error={form.issues[0]?.message}
          minHeight={160}
        />
      )}
    </Stack>
  )
}
