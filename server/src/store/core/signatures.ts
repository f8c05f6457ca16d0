import { timingSafeEqual } from 'node:crypto'
import type { Base } from './base.ts'

type Purpose = 'unsubscribe' | 'confirm e-mail' | 'telegram webhook'

/** No table: tokens that prove themselves by the service's key, so that links in messages need no rows. */
export function signaturesTable({ box }: Base) {
  return {
    sign(purpose: Purpose, text: string): string {
      return `${text}.${box.sign(purpose, text)}`
    },
    /** The proof by itself: a secret that every process of the service knows and nobody has to keep. */
    secret(purpose: Purpose, text: string): string {
      return box.sign(purpose, text)
    },
    /** What was signed; undefined when it was not signed here, or for something else. */
    open(purpose: Purpose, token: string): string | undefined {
      const at = token.lastIndexOf('.')
      const text = token.slice(0, Math.max(0, at))
      const [given, expected] = [token.slice(at + 1), box.sign(purpose, text)].map((part) => Buffer.from(part))
      if (!given || !expected || at < 1 || given.length !== expected.length) return undefined
      return timingSafeEqual(given, expected) ? text : undefined
    },
  }
}
