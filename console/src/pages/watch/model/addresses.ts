import { chainOf } from '../../../data/chains.ts'
import { chainOfAddress, chainOfName, isAddress } from '../../../layouts/address/address-form.ts'
import { withArticle } from '../../../sentences/parts.ts'
import type { Source } from './source.ts'

/** The address in the URL of an explorer, which people copy as a whole; else the text as it is. */
export function addressIn(text: string): string {
  if (!/^https?:\/\//i.test(text)) return text
  return text.split(/[/?#&=]/).find(chainOfAddress) ?? text
}

/** Why the text is no address of the source's network; undefined if it is one. */
export function addressIssue(text: string, source: Pick<Source, 'kind' | 'title'>): string | undefined {
  if (text === '') return 'Enter an address.'
  if (isAddress(text, source.kind)) return undefined
  if (/^0x[0-9a-f]{64}$/i.test(text))
    return 'This is the hash of a transaction or a block. Paste the address of the contract or the account.'
  const other = chainOfAddress(text) ?? chainOfName(text)
  if (!other) return `This is not an address of ${source.title}. ${chainOf(source.kind)?.address.hint ?? ''}`
  if (other.kind === source.kind) return 'Enter the address itself here. Names work under Watch an address.'
  return `This looks like an address of ${withArticle(`${other.title} network`)}. Choose such a network, or paste an address of ${source.title}.`
}
