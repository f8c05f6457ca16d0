/** Every `get…` method of a Solana node reads, and so do these. A simulation changes nothing, like `eth_call`. */
const readingMethods: ReadonlySet<string> = new Set(['isBlockhashValid', 'minimumLedgerSlot', 'simulateTransaction'])

export function isSolanaReadingMethod(method: string): boolean {
  return /^get[A-Z]\w*$/.test(method) || readingMethods.has(method)
}
