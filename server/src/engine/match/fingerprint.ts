const prime = 16_777_619

/**
 * Hashes the part of a text between two positions from its last six characters and two of its first. JavaScript's own string hash reads every character of a
 * new string, and all strings of a new block are new: that was the slowest part of a lookup. Two texts may share a
 * fingerprint, so a caller must also compare the texts.
 */
export function fingerprintOf(text: string, from = 0, end = text.length): number {
  let fingerprint = end - from
  for (let at = Math.max(from, end - 6); at < end; at++)
    fingerprint = Math.imul(fingerprint ^ text.charCodeAt(at), prime)
  // Of an address these are digits of the third and the fifth byte.
  if (end - from > 16) {
    fingerprint = Math.imul(fingerprint ^ text.charCodeAt(from + 5), prime)
    fingerprint = Math.imul(fingerprint ^ text.charCodeAt(from + 9), prime)
  }
  return fingerprint
}

export function fingerprintOfBoth(a: number, b: number): number {
  return Math.imul(a, prime) ^ b
}
