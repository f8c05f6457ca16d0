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
]
const blanks: Record<Policy['type'], Policy> = {
  filter: { type: 'filter' },
  monitor: { type: 'monitor' },
  throttle: { type: 'throttle', per: '1h' },
  digest: { type: 'digest', every: '1h' },
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
  digest: [['every', 'Interval', '1h']],
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
      {policy.type === 'digest' && (
        <NumberInput
          flex="1 1 120px"
          label="Maximum number of matches"
          min={1}
          max={1000}
          value={policy.max ?? ''}
          onChange={(max) => onChange({ ...policy, max: typeof max === 'number' ? max : undefined })}
        />
      )}
    </Group>
  )
}
