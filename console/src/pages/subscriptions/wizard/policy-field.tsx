import { NumberInput, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { Finality } from '@tocsin/contract'
import { ChoiceCards } from '../../../components/choice-cards.tsx'
import { describePolicy, type PolicyDraft, policyTypes } from '../../../layouts/policy/policy-draft.ts'
import { PolicyInputs } from '../../../layouts/policy/policy-inputs.tsx'
import { PolicyPreview } from '../../../layouts/policy/policy-preview.tsx'
import { describeWait } from '../../../sentences/policy-words.ts'
import { describeStart, type StartDraft } from '../model/start.ts'
import type { StepProps } from './steps.ts'

const modes: { value: StepProps['draft']['mode']; label: string }[] = [
  { value: '', label: 'Default of the trigger' },
  { value: 'continuous', label: 'Every time' },
  { value: 'once', label: 'Only once' },
  { value: 'once_per_key', label: 'Once per key' },
]

/** Chooses the policy, the delivery mode, the finality and the start, and says what will happen. */
export function PolicyFields({ draft, change, errorOf, canStartEarlier, savedId }: StepProps) {
  const { policy, mode, keyPath } = draft
  const set = (next: PolicyDraft) => change({ policy: next })
  return (
    <Stack gap="lg">
      <ChoiceCards
        label="Policy"
        choices={policyTypes}
        value={policy.type}
        onChange={(type) => set({ ...policy, type })}
        isList
      />
      <PolicyInputs draft={policy} onChange={set} errorOf={errorOf} />
      {savedId !== undefined && <PolicyPreview id={savedId} draft={policy} />}
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
      <FinalityField
        finality={draft.finality}
        onChange={(finality) => change({ finality })}
        error={errorOf('delivery.finality')}
      />
      {canStartEarlier && <StartFields start={draft.start} onChange={(start) => change({ start })} errorOf={errorOf} />}
      <div role="status">
        {describePlan(draft, canStartEarlier).map((sentence) => (
          <Text key={sentence}>{sentence}</Text>
        ))}
      </div>
    </Stack>
  )
}

/** What will happen, in sentences. */
function describePlan({ policy, finality, start }: StepProps['draft'], canStartEarlier: boolean): string[] {
  const wait = describeWait(finality)
  return [
    `${describePolicy(policy)}.`,
    ...(wait === undefined ? [] : [wait]),
    ...(canStartEarlier ? [describeStart(start)] : []),
  ]
}

const finalityChoices = [
  { value: '', label: 'Default of the trigger' },
  { value: 'seen', label: 'As soon as the block is seen' },
  { value: 'safe', label: 'When the block is safe' },
  { value: 'finalized', label: 'When the block is final' },
  { value: 'confirmations', label: 'After a number of blocks' },
] as const

type FinalityFieldProps = {
  finality: Finality | undefined
  onChange: (finality: Finality | undefined) => void
  error: string | undefined
}

/** How final the block of an alert must be before the alert is sent. */
function FinalityField({ finality, onChange, error }: FinalityFieldProps) {
  const confirmations = typeof finality === 'object' ? finality.confirmations : undefined
  return (
    <>
      <Select
        label="Send"
        description="If the block goes away before, the alert is not sent."
        data={finalityChoices}
        value={typeof finality === 'object' ? 'confirmations' : (finality ?? '')}
        allowDeselect={false}
        onChange={(chosen) => onChange(finalityOf(chosen))}
        error={confirmations === undefined ? error : undefined}
      />
      {confirmations !== undefined && (
        <NumberInput
          label="Blocks"
          description="How many blocks must follow the block of the alert, 1 to 1,000."
          min={1}
          max={1000}
          allowDecimal={false}
          value={confirmations}
          onChange={(count) => onChange({ confirmations: Number(count) || 1 })}
          error={error}
        />
      )}
    </>
  )
}

function finalityOf(chosen: string | null): Finality | undefined {
  if (chosen === 'confirmations') return { confirmations: 12 }
  return chosen === 'seen' || chosen === 'safe' || chosen === 'finalized' ? chosen : undefined
}

const startChoices: { value: StartDraft['from']; label: string }[] = [
  { value: 'next', label: 'With the next block' },
  { value: 'block', label: 'From a block' },
  { value: 'time', label: 'From a time' },
]

type StartFieldsProps = {
  start: StartDraft
  onChange: (start: StartDraft) => void
  errorOf: (path: string) => string | undefined
}

/** Where a new subscription begins. */
function StartFields({ start, onChange, errorOf }: StartFieldsProps) {
  const put = (part: Partial<StartDraft>) => onChange({ ...start, ...part })
  return (
    <>
      <Select
        label="Begin"
        description="A subscription can first run over past blocks of its source."
        data={startChoices}
        value={start.from}
        allowDeselect={false}
        onChange={(from) => from !== null && put({ from })}
        error={start.from === 'next' ? errorOf('from') : undefined}
      />
      {start.from === 'block' && (
        <NumberInput
          label="First block"
          min={0}
          allowDecimal={false}
          value={start.block ?? ''}
          onChange={(block) => put({ block: typeof block === 'number' ? block : undefined })}
          error={errorOf('from')}
        />
      )}
      {start.from === 'time' && (
        <TextInput
          label="First time"
          description="In your time zone."
          type="datetime-local"
          value={start.time}
          onChange={(event) => put({ time: event.currentTarget.value })}
          error={errorOf('from')}
        />
      )}
      {start.from !== 'next' && (
        <Switch
          label="Send the alerts of past blocks"
          description="If off, they are listed in the app only."
          checked={start.delivers}
          onChange={(event) => put({ delivers: event.currentTarget.checked })}
        />
      )}
    </>
  )
}
