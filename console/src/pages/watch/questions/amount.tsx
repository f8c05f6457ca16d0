import { NumberInput } from '@mantine/core'

type AmountProps = {
  label: string
  description?: string
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

/** A decimal number of any size, with grouped thousands. The value is its text, so no digit is lost. */
export function Amount({ value, onChange, ...props }: AmountProps) {
  return (
    <NumberInput
      {...props}
      size="md"
      maw={280}
      value={value}
      onValueChange={(values) => onChange(values.value)}
      thousandSeparator=","
      allowNegative={false}
      hideControls
      inputMode="decimal"
    />
  )
}
