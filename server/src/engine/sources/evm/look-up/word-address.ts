/** The address in a word; undefined if the word is empty or more than an address. */
export function addressIn(word: string | undefined): string | undefined {
  const [, digits] = /^0x0{24}([0-9a-f]{40})$/.exec(word ?? '') ?? []
  return digits === undefined || /^0+$/.test(digits) ? undefined : `0x${digits}`
}
