import { createHmac, randomBytes } from 'node:crypto'
import { base32nopad } from '@scure/base'
import type { Store } from '../../store/index.ts'
import { requireAnyMatch } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { invalidPayload, notFound, Refusal } from '../refusal.ts'
import { tellOwner } from './mails/mail-job.ts'
import { requireOwner } from './ownership/require-owner.ts'

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

/** The owner is asked for here, and only they learn the secret. It counts as a second factor only after a code of it was entered, so that a failed setup locks nobody out. */
export const createTotp: Handler<'createTotp'> = async (context) => {
  const { account, body, store, now } = context
  await requireOwner(context, body)
  const secret = newTotpSecret()
  if (!(await store.secondFactors.addTotp(account.id, secret, now)))
    throw new Refusal('already_exists', 'An authenticator app is set up already. Remove it first.')
  return { secret, uri: totpUri(secret, account.email) }
}

export const confirmTotp: Handler<'confirmTotp'> = async (context) => {
  const { account, body, store, now, attempts } = context
  const attempt = attempts.begin([{ name: `codes of ${account.id}`, freeAttempts: 5 }], now)
  const totp = await store.secondFactors.findTotp(account.id)
  if (!totp || totp.isConfirmed) throw notFound('There is no authenticator app to confirm. Start the setup again.')
  if (findTotpStep(totp.secret, body.code.replaceAll(/\s/g, ''), now) === undefined)
    throw invalidPayload([{ path: 'code', message: 'this code is wrong; check the clock of your device' }])
  attempt.succeed()
  return store.tx(async (store) => {
    if (!(await store.secondFactors.confirmTotp(account.id, now))) throw notFound()
    await tellOwner({ ...context, store }, account.id, 'authenticator app added')
    return { recoveryCodes: await replaceRecoveryCodes(store, account.id) }
  })
}

/** Without a second factor there is nothing to recover, so the recovery codes go too. */
export const deleteTotp: Handler<'deleteTotp'> = async (context) => {
  const { account, body, preconditions, store } = context
  requireAnyMatch(preconditions)
  await requireOwner(context, body)
  await store.tx(async (store) => {
    if (!(await store.secondFactors.removeTotp(account.id))) throw notFound('No authenticator app is set up.')
    await removeUselessCodes(store, account.id)
  })
  return undefined
}

/** The codes before are no longer valid. */
export const createRecoveryCodes: Handler<'createRecoveryCodes'> = async (context) => {
  const { account, body, store } = context
  await requireOwner(context, body)
  return store.tx(async (store) => {
    const { hasTotp, passkeys } = await store.secondFactors.summarize(account.id)
    if (!hasTotp && passkeys === 0) throw notFound('Set up an authenticator app or a passkey first.')
    return { recoveryCodes: await replaceRecoveryCodes(store, account.id) }
  })
}

export async function replaceRecoveryCodes(store: Store, accountId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await store.secondFactors.replaceRecoveryCodes(accountId, codes.map(recoveryCodeKey))
  return codes
}

export async function removeUselessCodes(store: Store, accountId: string): Promise<void> {
  const { hasTotp, passkeys } = await store.secondFactors.summarize(accountId)
  if (!hasTotp && passkeys === 0) await store.secondFactors.replaceRecoveryCodes(accountId, [])
}

const codeCount = 10

/** Ten codes of 80 random bits, such as `abcd-efgh-ijkl-mnop`. So many bits cannot be guessed, also not from a hash. */
function newRecoveryCodes(): string[] {
  return Array.from({ length: codeCount }, () => {
    const letters = base32nopad.encode(randomBytes(10)).toLowerCase()
    return letters.match(/.{4}/g)?.join('-') ?? letters
  })
}

/** The same text for every way to type a code: with spaces, without hyphens, in capitals. */
export function recoveryCodeKey(code: string): string {
  return code.toLowerCase().replaceAll(/[\s-]/g, '')
}
