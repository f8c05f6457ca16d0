import { hashSignature } from './keccak.ts'

/** The four bytes that name a function in the input of a call. */
export function selectorOf(signature: string): string {
  return hashSignature(signature).slice(0, 10)
}

export function isSelector(text: string): boolean {
  return /^0x[0-9a-f]{8}$/i.test(text)
}
