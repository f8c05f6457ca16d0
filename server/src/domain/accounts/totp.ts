import { createHmac, randomBytes } from 'node:crypto'
import { base32nopad } from '@scure/base'

/** Time-based one-time passwords (RFC 6238): HMAC-SHA-1, six digits, steps of 30 s, as all authenticator apps have them. */

const stepSeconds = 30
const digits = 6
/** Clocks differ, so the codes of one step before and after are accepted too. */
const stepsAround = 1

/** 160 random bits in base32, the length that RFC 4226 recommends. */
export function newTotpSecret(): string {
  return base32nopad.encode(randomBytes(20))
}

export function totpStep(at: Date): number {
  return Math.floor(at.getTime() / 1000 / stepSeconds)
}

export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', base32nopad.decode(secret)).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The time step that a code belongs to; undefined if the code is wrong. */
export function findTotpStep(secret: string, code: string, at: Date): number | undefined {
  const now = totpStep(at)
  const steps = Array.from({ length: 2 * stepsAround + 1 }, (_, index) => now - stepsAround + index)
  return steps.find((step) => totpCode(secret, step) === code)
}

/** The URI that authenticator apps read from a QR code. */
export function totpUri(secret: string, email: string): string {
  const issuer = 'Tocsin'
  const query = new URLSearchParams({
    secret,
    issuer,
    algorithm: 'SHA1',
    digits: String(digits),
    period: String(stepSeconds),
  })
  return `otpauth://totp/${issuer}:${encodeURIComponent(email)}?${query}`
}
