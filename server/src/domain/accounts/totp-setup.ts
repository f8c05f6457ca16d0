import type { Store } from '../../store/index.ts'
import { requireAnyMatch } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { invalidPayload, notFound, Refusal } from '../refusal.ts'
import { tellOwner } from './mails/tell-owner.ts'
import { requireOwner } from './ownership/require-owner.ts'
import { newRecoveryCodes, recoveryCodeKey } from './recovery-codes.ts'
import { findTotpStep, newTotpSecret, totpUri } from './totp.ts'

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
