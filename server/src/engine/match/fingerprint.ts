const prime = 16_777_619

/**
 * A number for a text, from its last letters and some of its first. The platform's own hash reads every letter of a text
 * that it never saw before, which all texts of a new block are, and that took longer than all else in a lookup. Texts
 * may share a number: who compares it compares the texts, too.
 */
export function fingerprintOf(text: string, from = 0): number {
  const end = text.length
  let print = end - from
  for (let at = Math.max(from, end - 6); at < end; at++) print = Math.imul(print ^ text.charCodeAt(at), prime)
  // Halves of the second and the fourth byte, where text in hex begins with text.
  if (end - from > 16) {
    print = Math.imul(print ^ text.charCodeAt(from + 5), prime)
    print = Math.imul(print ^ text.charCodeAt(from + 9), prime)
  }
  return print
}

export function fingerprintOfBoth(one: number, other: number): number {
  return Math.imul(one, prime) ^ other
}
