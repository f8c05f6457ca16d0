import { CopyButton } from '../../components/copy-button.tsx'
import classes from './address.module.css'
import { shortAddress } from './address-form.ts'
import { ExplorerAnchor } from './explorer-anchor.tsx'
import { useAddressName } from './use-address-name.ts'
import type { AddressSource } from './use-sources.ts'

type AddressProps = {
  address: string
  name?: string | undefined
  source: AddressSource | undefined
}

const buttonSize = 24

/** An address by its name, else shortened, with a copy button and a link to the explorer of its network. */
export function Address({ address, name, source }: AddressProps) {
  const shown = name ?? shortAddress(address)
  return (
    <span className={classes.address}>
      <span className={name === undefined ? `${classes.name} mono` : classes.name} title={address}>
        {shown}
      </span>
      <CopyButton value={address} what={`address ${shown}`} size={buttonSize} />
      <ExplorerAnchor address={address} name={shown} source={source} size={buttonSize} />
    </span>
  )
}

/** An address by its name on a source that the user can read. */
export function NamedAddress({ address, source }: Omit<AddressProps, 'name'>) {
  return <Address address={address} source={source} name={useAddressName(source?.fullname, address)} />
}

/** Only the name, or the short address. For texts inside a link. */
export function AddressName({ address, source }: Omit<AddressProps, 'name'>) {
  return useAddressName(source?.fullname, address) ?? shortAddress(address)
}
