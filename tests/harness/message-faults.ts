/** What is wrong with a text that somebody reads at night; empty if nothing is. */
export function faultsOf(text: string): string[] {
  return faults.filter(([, pattern]) => pattern.test(text)).map(([fault]) => fault)
}

const faults: readonly (readonly [string, RegExp])[] = [
  ['a bare hash', /0x(?:[0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-f])/i],
  ['an integer with more than 15 digits', /(?<![\d.,])\d{16,}/],
  ['a double space', /\S {2,}\S/],
  ['the word undefined', /\bundefined\b|\bNaN\b|\[object /],
  ['an empty place', /\(\s*\)|(?:^|\s)[,.;:](?:\s|$)|\b(?:of|to|from|by|in|with|for|has|is) *(?:[,.;]|$)/m],
  ['a placeholder', /\{\{|\}\}/],
]
