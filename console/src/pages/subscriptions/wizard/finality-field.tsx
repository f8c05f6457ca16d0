import { NumberInput, Select } from '@mantine/core'
import type { Finality } from '@tocsin/contract'

const choices = [
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
export function FinalityField({ finality, onChange, error }: FinalityFieldProps) {
  const confirmations = typeof finality === 'object' ? finality.confirmations : undefined
  return (
    <>
      <Select
        label="Send"
        description="If the block goes away before, the alert is not sent."
        data={choices}
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
