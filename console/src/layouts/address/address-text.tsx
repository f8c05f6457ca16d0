import { Fragment } from 'react'
import { AddressName, NamedAddress } from './address.tsx'
import { splitAddresses } from './address-form.ts'
import type { AddressSource } from './use-sources.ts'

type AddressTextProps = {
  text: string
  source: AddressSource | undefined
  /** Inside a link: names without buttons. */
  isPlain?: boolean
}

/** A text whose addresses are shown by their names. */
export function AddressText({ text, source, isPlain = false }: AddressTextProps) {
  const Shown = isPlain ? AddressName : NamedAddress
  return splitAddresses(text, source?.kind).map(({ text, at, isAddress }) => (
    <Fragment key={at}>{isAddress ? <Shown address={text} source={source} /> : text}</Fragment>
  ))
}
