import { isPublicAddress } from './addresses.ts'
import { type Connect, guardedConnector } from './connect.ts'
import { type Lookup, resolveAnyName, resolvePublicName } from './resolve.ts'

export type DoorOptions = { allowPrivateNetworks: boolean; lookup?: Lookup }

/** Makes connections to public addresses only, unless the operator allows private networks. */
export function guardedConnect({ allowPrivateNetworks, lookup }: DoorOptions): Connect {
  const isAllowed = allowPrivateNetworks ? () => true : isPublicAddress
  return guardedConnector({
    isAllowed,
    lookup: lookup ?? (allowPrivateNetworks ? resolveAnyName : resolvePublicName()),
  })
}
