import { JsonView, type JsonViewProps } from '../../components/json-view.tsx'
import { NamedAddress } from './address.tsx'
import { isAddress } from './address-form.ts'
import type { AddressSource } from './use-sources.ts'

/** JSON whose addresses are shown by their names. The copy button copies the JSON itself. */
export function AddressJson({
  source,
  ...view
}: Omit<JsonViewProps, 'showText'> & { source: AddressSource | undefined }) {
  return (
    <JsonView
      {...view}
      showText={(text, key) =>
        isAddress(text, source?.kind) && !isHash(key) ? <NamedAddress address={text} source={source} /> : undefined
      }
    />
  )
}

/** Hashes of Solana have the form of its addresses. */
function isHash(key: string): boolean {
  return /hash$/i.test(key)
}
