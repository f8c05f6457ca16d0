import { NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { ChoiceCards } from '../../../components/choice-cards.tsx'
import { type PolicyDraft, policyTypes } from '../model/policies.ts'
import type { StepProps } from './step-props.ts'

const modes: { value: StepProps['draft']['mode']; label: string }[] = [
  { value: '', label: 'Default of the trigger' },
  { value: 'continuous', label: 'Every time' },
  { value: 'once', label: 'Only once' },
  { value: 'once_per_key', label: 'Once for each value' },
]

/** When a match becomes a message, and how often. */
export function PolicyStep({ draft, change, errorOf }: StepProps) {
  const { policy, mode, keyPath } = draft
  const set = (part: Partial<PolicyDraft>) => change({ policy: { ...policy, ...part } })
  return (
    <Stack gap="lg">
      <ChoiceCards
        label="When do you want a message?"
        choices={policyTypes}
        value={policy.type}
        onChange={(type) => set({ type })}
        isList
      />
      <PolicyFields policy={policy} set={set} errorOf={errorOf} />
      <Select
        label="How many times?"
        data={modes}
        value={mode}
        allowDeselect={false}
        onChange={(next) => next !== null && change({ mode: next })}
      />
      {mode === 'once_per_key' && (
        <TextInput
          label="Field that identifies a value"
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
      description="A field of the output. Leave it empty to count all matches together."
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
          {duration('per', 'At most one in', 'Such as 30s, 5m, 1h30m or 1d.')}
          {key}
        </>
      )
    case 'digest':
      return (
        <>
          {duration('every', 'One message every', 'Such as 15m, 1h or 1d.')}
          <NumberInput
            label="Or after this many matches"
            description="Optional, 1 to 1,000."
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
          {duration('for', 'Condition holds for', 'Such as 5m; empty means at once.')}
          {duration('cooldown', 'Cooldown', 'Such as 1h; after that a new message is possible.')}
          {key}
        </>
      )
  }
}
