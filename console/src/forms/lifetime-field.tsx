import { Select } from '@mantine/core'

const labels = { 1: '1 day', 7: '7 days', 30: '30 days', 90: '90 days', 365: '1 year' }
type Days = keyof typeof labels
const dayMs = 86_400_000

/** For how many days something is valid; null if it never expires. */
export type Lifetime = Days | null

type LifetimeFieldProps = { offered: readonly Lifetime[]; value: Lifetime; onChange: (days: Lifetime) => void }

export function LifetimeField({ offered, value, onChange }: LifetimeFieldProps) {
  return (
    <Select
      label="Expires after"
      data={offered.map((days) => ({ value: String(days), label: days === null ? 'Never' : labels[days] }))}
      value={String(value)}
      onChange={(chosen) => onChange(offered.find((days) => String(days) === chosen) ?? null)}
      allowDeselect={false}
    />
  )
}

export function expiryOf(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString()
}
