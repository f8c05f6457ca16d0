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

/** The address in the URL of an explorer, which people copy as a whole; else the text as it is. */
export function addressIn(text: string): string {
  if (!/^https?:\/\//i.test(text)) return text
  return text.split(/[/?#&=]/).find((part) => ['evm', 'solana', 'ss58'].includes(formOf(part) ?? '')) ?? text
}

/** Why the text is no address of the source's network; undefined if it is one. */
export function addressIssue(text: string, source: Pick<Source, 'kind' | 'title'>): string | undefined {
  const wanted = formOfKind[source.kind]
  if (text === '') return 'Enter an address.'
  const form = formOf(text)
  if (form === wanted) return undefined
  if (/^0x[0-9a-f]{64}$/i.test(text))
    return 'This is the hash of a transaction or a block. Paste the address of the contract or the account.'
  if (form === undefined) return `This is not an address of ${source.title}. ${hints[wanted]}`
  if (form === 'ens' && source.kind === 'evm')
    return 'Enter the address itself here. Names work under Watch an address.'
  return `This looks like an address of ${chainNames[form]} network. Choose such a network, or paste an address of ${source.title}.`
}
