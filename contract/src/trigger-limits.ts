/** The limits of one trigger definition. */
export const triggerLimits = {
  definitionBytes: 256 * 1024,
  scriptBytes: 64 * 1024,
  providers: 20,
} as const

export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length
}
