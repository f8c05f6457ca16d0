import { timingSafeEqual } from 'node:crypto'
import type { Base } from './base.ts'

type Purpose = 'unsubscribe' | 'confirm e-mail' | 'telegram webhook' | 'stack plan'

/** Signs tokens with the service's key, so that links in messages need no rows. It has no table. */
export function signaturesTable({ box }: Base) {
  return {
    sign(purpose: Purpose, text: string): string {
      return `${text}.${box.sign(purpose, text)}`
    },
    /** A secret that every process of the service can derive, so nothing has to store it. */
    deriveSecret(purpose: Purpose, text: string): string {
      return box.sign(purpose, text)
    },
    /** The signed text. Undefined when the signature is not from this service or is for another purpose. */
    open(purpose: Purpose, token: string): string | undefined {
      const at = token.lastIndexOf('.')
      const text = token.slice(0, Math.max(0, at))
      const [given, expected] = [token.slice(at + 1), box.sign(purpose, text)].map((part) => Buffer.from(part))
      if (!given || !expected || at < 1 || given.length !== expected.length) return undefined
      return timingSafeEqual(given, expected) ? text : undefined
    },
  }
}
