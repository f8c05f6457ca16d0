import { base32nopad } from '@scure/base'
import { expect, test } from 'vitest'
import { findTotpStep, newTotpSecret, totpCode, totpStep, totpUri } from './totp.ts'

/** The secret and the last six digits of the test vectors of RFC 6238, appendix B. */
const secret = base32nopad.encode(Buffer.from('12345678901234567890'))

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %i s the code is the one of RFC 6238', (seconds, code) => {
  expect(totpCode(secret, totpStep(new Date(seconds * 1000)))).toBe(code)
})

test('a code is valid in its step and in the steps beside it', () => {
  const at = (step: number) => new Date(step * 30_000)
  const code = totpCode(secret, 1000)
  expect([998, 999, 1000, 1001, 1002].map((step) => findTotpStep(secret, code, at(step)))).toEqual([
    undefined,
    1000,
    1000,
    1000,
    undefined,
  ])
})

test('a secret has 160 bits, and its URI has what apps need', () => {
  const made = newTotpSecret()
  expect(base32nopad.decode(made)).toHaveLength(20)
  const uri = new URL(totpUri(made, 'ann+x@example.org'))
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Tocsin:ann+x@example.org',
  ])
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret: made,
    issuer: 'Tocsin',
    digits: '6',
    period: '30',
  })
})
