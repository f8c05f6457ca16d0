import type { Source } from './source.ts'

/** What a pasted text is, as far as its form tells. */
export type AddressForm = 'evm' | 'ss58' | 'solana' | 'ens'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

export function formOf(text: string): AddressForm | undefined {
  if (/^0x[0-9a-f]{40}$/i.test(text)) return 'evm'
  if (/^[^\s.]+(\.[^\s.]+)*\.eth$/i.test(text)) return 'ens'
  const bytes = base58Length(text)
  if (bytes === 32) return 'solana'
  // A prefix of one or two bytes, 32 bytes of the account, and two of the checksum.
  return bytes === 35 || bytes === 36 ? 'ss58' : undefined
}

const formOfKind: Record<Source['kind'], AddressForm> = { evm: 'evm', substrate: 'ss58', solana: 'solana' }
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

/** `0x1234…abcd` */
export function shortAddress(address: string): string {
  return address.length <= 13 ? address : `${address.slice(0, address.startsWith('0x') ? 6 : 4)}…${address.slice(-4)}`
}

/** The number of bytes that a base58 text stands for; undefined if it is no base58. */
function base58Length(text: string): number | undefined {
  if (text.length < 32 || text.length > 50) return undefined
  let value = 0n
  for (const letter of text) {
    const digit = alphabet.indexOf(letter)
    if (digit === -1) return undefined
    value = value * 58n + BigInt(digit)
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return zeros + (value === 0n ? 0 : Math.ceil(value.toString(16).length / 2))
}
