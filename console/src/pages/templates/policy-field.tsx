import { Group, NumberInput, Select, TextInput } from '@mantine/core'
import type { Rule } from './values.ts'

type Policy = NonNullable<Rule['policy']>
type PolicyFieldProps = {
  value: Policy | null
  onChange: (policy: Policy | null) => void
  errorOf: (path: string) => string | undefined
}

const types: { value: Policy['type']; label: string }[] = [
  { value: 'filter', label: 'Every time' },
  { value: 'monitor', label: 'Sustained' },
  { value: 'throttle', label: 'Rate limit' },
  { value: 'digest', label: 'Digest' },
  { value: 'threshold', label: 'Threshold' },
  { value: 'change', label: 'Change' },
  { value: 'count', label: 'Too many' },
  { value: 'absence', label: 'Nothing happened' },
]
const blanks: Record<Policy['type'], Policy> = {
  filter: { type: 'filter' },
  monitor: { type: 'monitor' },
  throttle: { type: 'throttle', per: '1h' },
  digest: { type: 'digest', every: '1h' },
  threshold: { type: 'threshold', value: '' },
  change: { type: 'change', value: '', by: '10%' },
  count: { type: 'count', count: 5, within: '10m' },
  absence: { type: 'absence', within: '10m' },
}
/** Name, label and placeholder of the text fields of each type. Durations look like 30s, 10m or 1d. */
const fields: Record<Policy['type'], [string, string, string][]> = {
  filter: [],
  monitor: [
    ['key', 'Group by', 'owner'],
    ['for', 'Minimum duration', '10m'],
    ['cooldown', 'Cooldown', '1h'],
  ],
  throttle: [
    ['per', 'Period', '1h'],
    ['key', 'Group by', 'owner'],
  ],
  digest: [
    ['every', 'Interval', '1h'],
    ['at', 'Or at (cron)', '0 9 * * *'],
    ['timezone', 'Time zone', 'UTC'],
  ],
  threshold: [
    ['value', 'Value', 'balance'],
    ['above', 'Above', '100'],
    ['below', 'Below', '10'],
    ['until', 'Recovers at', '12'],
    ['for', 'Minimum duration', '10m'],
    ['repeat', 'Repeat every', '1h'],
    ['key', 'Group by', 'owner'],
  ],
  change: [
    ['value', 'Value', 'price'],
    ['by', 'By', '10%'],
    ['direction', 'Direction', 'any'],
    ['within', 'Within', '3h'],
    ['key', 'Group by', 'owner'],
  ],
  count: [
    ['within', 'Within', '10m'],
    ['repeat', 'Repeat every', '1h'],
    ['key', 'Group by', 'owner'],
  ],
  absence: [
    ['within', 'Within', '10m'],
    ['repeat', 'Repeat every', '1h'],
    ['key', 'Group by', 'owner'],
  ],
}

/** Edits the policy of a rule. */
export function PolicyField({ value, onChange, errorOf }: PolicyFieldProps) {
  const policy = value ?? blanks.filter
  return (
    <Group align="flex-start" gap="xs">
      <Select
        flex="2 1 200px"
        label="Policy"
        data={types}
        value={policy.type}
        onChange={(type) => type !== null && onChange(type === 'filter' ? null : blanks[type])}
        error={errorOf('policy')}
        allowDeselect={false}
      />
      {fields[policy.type].map(([name, label, placeholder]) => (
        <TextInput
          key={name}
          flex="1 1 120px"
          label={label}
          placeholder={placeholder}
          value={String(Reflect.get(policy, name) ?? '')}
          onChange={(event) => onChange({ ...policy, [name]: event.currentTarget.value || undefined })}
          error={errorOf(`policy.${name}`)}
        />
      ))}
      {policy.type === 'count' && (
        <NumberInput
          flex="1 1 120px"
          label="Number of matches"
          min={1}
          max={1000}
          value={policy.count}
          onChange={(count) => onChange({ ...policy, count: typeof count === 'number' ? count : 1 })}
          error={errorOf('policy.count')}
        />
      )}
      {policy.type === 'digest' && (
        <NumberInput
          flex="1 1 120px"
          label="Listed matches"
          min={1}
          max={1000}
          value={policy.max ?? ''}
          onChange={(max) => onChange({ ...policy, max: typeof max === 'number' ? max : undefined })}
        />
      )}
    </Group>
  )
}
