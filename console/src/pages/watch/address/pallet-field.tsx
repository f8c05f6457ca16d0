import { Autocomplete } from '@mantine/core'
import { useApiList } from '../../../data/lists.ts'
import type { Source } from '../model/source.ts'

type PalletFieldProps = {
  source: Source
  value: string
  onChange: (text: string) => void
  error: string | undefined
}

/** A pallet of the chain, or an account. */
export function PalletField({ source, value, onChange, error }: PalletFieldProps) {
  const pallets = useApiList('listSubstratePallets', { query: { source: source.fullname } })
  return (
    <Autocomplete
      size="md"
      label="Pallet or account"
      placeholder="Balances"
      data={pallets.items.map(({ name }) => name)}
      value={value}
      onChange={(text) => onChange(text.trim())}
      error={error ?? (pallets.error ? 'The pallets of this network cannot be read. Check the source.' : undefined)}
      required
    />
  )
}
