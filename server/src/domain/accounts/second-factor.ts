import type { AccountRow } from '../../store/identity/accounts.ts'
import type { Context } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import { type Asking, type Assertion, findPasskey, hasPasskeys, makeAssertionOptions } from './passkey-checks.ts'
import { findTotpStep, recoveryCodeKey } from './totp.ts'

export type SecondFactor = { code?: string | undefined; passkey?: Assertion | undefined }
type Checking = Asking & Pick<Context<'signIn'>, 'attempts'>

/**
 * Call it after the first factor was right, so that only the owner of the account learns which second factors it has.
 * Wrong codes count for the account from everywhere: six digits are few, and only a person with the first factor can
 * make the owner wait.
 */
export async function requireSecondFactor(checking: Checking, account: AccountRow, given: SecondFactor): Promise<void> {
  const { attempts, now } = checking
  const { hasTotp, passkeys, recoveryCodes } = await checking.store.secondFactors.summarize(account.id)
  if (!hasTotp && passkeys === 0) return
  const methods = [
    ...(hasTotp ? ['totp'] : []),
    ...(recoveryCodes > 0 ? ['recovery_code'] : []),
    ...(passkeys > 0 ? ['passkey'] : []),
  ]
  const code = given.code === '' ? undefined : given.code
  if (code === undefined && !given.passkey)
    throw new Refusal('second_factor_required', undefined, { methods, ...(await passkeyOptions(checking, account)) })
  const attempt = attempts.begin([{ name: `codes of ${account.id}`, freeAttempts: 10 }], now)
  const isRight = given.passkey
    ? await isPasskey(checking, account.id, given.passkey)
    : await takeCode(checking, account.id, code ?? '')
  if (!isRight) throw new Refusal('unauthenticated', 'The code is wrong or was used already.', { methods })
  attempt.succeed()
}

async function passkeyOptions(checking: Checking, { id }: AccountRow): Promise<{ passkey?: object }> {
  const { rows } = await checking.store.passkeys.list(id, { limit: 100, after: undefined })
  if (rows.length === 0 || !hasPasskeys(checking.settings.publicUrl)) return {}
  const asked = { accountId: id, passkeyIds: rows.map((row) => row.id) }
  return { passkey: await makeAssertionOptions(checking, 'passkey second factor', asked) }
}

async function isPasskey(checking: Checking, accountId: string, response: Assertion): Promise<boolean> {
  const found = await findPasskey(checking, 'passkey second factor', response)
  return found?.passkey.account_id === accountId && found.challenge.accountId === accountId
}

/** Uses the code up. */
async function takeCode({ store, now }: Checking, accountId: string, code: string): Promise<boolean> {
  const digits = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) return store.secondFactors.takeRecoveryCode(accountId, recoveryCodeKey(code))
  const totp = await store.secondFactors.findTotp(accountId)
  const step = totp?.isConfirmed ? findTotpStep(totp.secret, digits, now) : undefined
  return step !== undefined && store.secondFactors.takeStep(accountId, step)
}
