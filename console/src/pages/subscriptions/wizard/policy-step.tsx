import { NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { ChoiceCards } from '../../../components/choice-cards.tsx'
import { type PolicyDraft, policyTypes } from '../model/policies.ts'
import type { StepProps } from './step-props.ts'

const modes: { value: StepProps['draft']['mode']; label: string }[] = [
  { value: '', label: 'Default of the trigger' },
  { value: 'continuous', label: 'Every time' },
  { value: 'once', label: 'Only once' },
  { value: 'once_per_key', label: 'Once per key' },
]

/** Chooses the policy and the delivery mode. */
export function PolicyStep({ draft, change, errorOf }: StepProps) {
  const { policy, mode, keyPath } = draft
  const set = (part: Partial<PolicyDraft>) => change({ policy: { ...policy, ...part } })
  return (
    <Stack gap="lg">
      <ChoiceCards label="Policy" choices={policyTypes} value={policy.type} onChange={(type) => set({ type })} isList />
      <PolicyFields policy={policy} set={set} errorOf={errorOf} />
      <Select
        label="Delivery"
        data={modes}
        value={mode}
        allowDeselect={false}
        onChange={(next) => next !== null && change({ mode: next })}
      />
      {mode === 'once_per_key' && (
        <TextInput
          label="Key"
          description="A field of the output, such as txHash or token.symbol."
          value={keyPath}
          onChange={(event) => change({ keyPath: event.currentTarget.value })}
          error={errorOf('keyPath')}
        />
      )}
    </Stack>
  )
}

type PolicyFieldsProps = {
  policy: PolicyDraft
  set: (part: Partial<PolicyDraft>) => void
  errorOf: (path: string) => string | undefined
}

function PolicyFields({ policy, set, errorOf }: PolicyFieldsProps) {
  const duration = (name: 'per' | 'every' | 'for' | 'cooldown', label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      value={policy[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value.trim() })}
      error={errorOf(name)}
    />
  )
  const key = (
    <TextInput
      label="Group by"
      description="A field of the output. The policy applies to each value separately. Leave empty for all matches together."
      value={policy.key}
      onChange={(event) => set({ key: event.currentTarget.value })}
      error={errorOf('key')}
    />
  )
  switch (policy.type) {
    case 'filter':
      return null
    case 'throttle':
      return (
        <>
          {duration('per', 'Period', 'A duration, such as 30s, 5m, 1h30m or 1d.')}
          {key}
        </>
      )
    case 'digest':
      return (
        <>
          {duration('every', 'Interval', 'A duration, such as 15m, 1h or 1d.')}
          <NumberInput
            label="Maximum number of matches"
            description="Optional, 1 to 1,000. The digest is sent earlier if it reaches this number."
            min={1}
            max={1000}
            allowDecimal={false}
            value={policy.max ?? ''}
            onChange={(max) => set({ max: typeof max === 'number' ? max : undefined })}
          />
        </>
      )
    case 'monitor':
      return (
        <>
          {duration(
            'for',
            'Minimum duration',
            'How long the condition must last, such as 5m. Leave empty to send immediately.',
          )}
          {duration('cooldown', 'Cooldown', 'The minimum time between two messages, such as 1h.')}
          {key}
        </>
      )
  }
}
