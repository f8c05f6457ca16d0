import { type AddressForm, formOf, formOfKind } from '../../../layouts/address/address-form.ts'
import type { Source } from './source.ts'

const chainNames: Record<AddressForm, string> = {
  evm: 'an EVM',
  ens: 'an EVM',
  ss58: 'a Substrate',
  solana: 'a Solana',
}
const hints: Record<AddressForm, string> = {
  evm: 'It begins with 0x and has 42 characters.',
  ens: '',
  ss58: 'It has about 48 letters and digits.',
  solana: 'It has 32 to 44 letters and digits.',
}

/** Why the text is no address of the source's network; undefined if it is one. */
export function addressIssue(text: string, source: Pick<Source, 'kind' | 'title'>): string | undefined {
  const wanted = formOfKind[source.kind]
  if (text === '') return 'Enter an address.'
  const form = formOf(text)
  if (form === wanted) return undefined
  if (form === undefined) return `This is not an address of ${source.title}. ${hints[wanted]}`
  if (form === 'ens' && source.kind === 'evm')
    return 'Enter the address itself here. Names work under Watch an address.'
  return `This looks like an address of ${chainNames[form]} network. Choose such a network, or paste an address of ${source.title}.`
}
