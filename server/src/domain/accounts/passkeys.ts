import type { PasskeyRow } from '../../store/identity/passkeys.ts'
import type { Store } from '../../store/index.ts'
import { Page, requireAnyMatch } from '../answers.ts'
import type { Context, Handler } from '../handler.ts'
import { invalidPayload, notFound, Refusal } from '../refusal.ts'
import { tellOwner } from './mails/mail-job.ts'
import { requireOwner } from './ownership/require-owner.ts'
import {
  challengeMs,
  findPasskey,
  loadWebAuthn,
  makeAssertionOptions,
  requireRelyingParty,
  takeChallenge,
} from './passkey-checks.ts'
import { accountOf } from './read.ts'
import { startSession } from './sessions.ts'
import { removeUselessCodes, replaceRecoveryCodes } from './totp.ts'

const passkeysMax = 20

export const listPasskeys: Handler<'listPasskeys'> = async ({ account, query, store }) => {
  const { rows, next } = await store.passkeys.list(account.id, { limit: query.limit, after: query.cursor })
  return new Page(rows.map(passkeyView), next)
}

/** The owner is asked for here: only the answer to these options adds a passkey. */
export const createPasskeyOptions: Handler<'createPasskeyOptions'> = async (context) => {
  const { account, body, store, now, settings } = context
  const { rpID } = requireRelyingParty(settings.publicUrl)
  await requireOwner(context, body)
  const { rows } = await store.passkeys.list(account.id, { limit: passkeysMax, after: undefined })
  if (rows.length >= passkeysMax)
    throw new Refusal('limit_reached', undefined, { limit: passkeysMax, used: rows.length })
  const { generateRegistrationOptions } = await loadWebAuthn()
  const options = await generateRegistrationOptions({
    rpName: 'Tocsin',
    rpID,
    userID: new TextEncoder().encode(account.id),
    userName: account.email,
    userDisplayName: account.name,
    timeout: challengeMs,
    excludeCredentials: rows.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  const expiresAt = new Date(now.getTime() + challengeMs)
  await store.challenges.add('passkey setup', options.challenge, { accountId: account.id }, expiresAt)
  return { ...options }
}

export const createPasskey: Handler<'createPasskey'> = async (context) => {
  const { account, body, store, now } = context
  const credential = await requireCredential(context)
  return store.tx(async (store) => {
    const row = await store.passkeys.add({ ...credential, accountId: account.id, name: body.name, at: now })
    if (!row) throw new Refusal('already_exists', 'This passkey is set up already.')
    await tellOwner({ ...context, store }, account.id, 'passkey added')
    return { ...passkeyView(row), ...(await firstRecoveryCodes(store, account.id)) }
  })
}

/** The challenge is used up also by a wrong answer. */
async function requireCredential({ account, body, store, now, settings }: Context<'createPasskey'>) {
  const { rpID, origin } = requireRelyingParty(settings.publicUrl)
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const verified = await verifyRegistrationResponse({
    response: { ...body.response, clientExtensionResults: {} },
    expectedChallenge: async (secret) =>
      (await takeChallenge(store, 'passkey setup', secret, now))?.accountId === account.id,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: false,
  }).catch(() => undefined)
  if (!verified?.verified)
    throw invalidPayload([{ path: 'response', message: 'this passkey could not be checked; start the setup again' }])
  const { id, publicKey, counter } = verified.registrationInfo.credential
  return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter }
}

/** A person who loses the only passkey needs another way in. */
async function firstRecoveryCodes(store: Store, accountId: string): Promise<{ recoveryCodes?: string[] }> {
  const { hasTotp, passkeys } = await store.secondFactors.summarize(accountId)
  return hasTotp || passkeys > 1 ? {} : { recoveryCodes: await replaceRecoveryCodes(store, accountId) }
}

export const savePasskey: Handler<'savePasskey'> = async ({ account, params, body, preconditions, store }) => {
  requireAnyMatch(preconditions)
  const row = await store.passkeys.rename(account.id, params.id, body.name)
  if (!row) throw notFound('You have no such passkey.')
  return passkeyView(row)
}

export const deletePasskey: Handler<'deletePasskey'> = async (context) => {
  const { account, params, body, preconditions, store } = context
  requireAnyMatch(preconditions)
  await requireOwner(context, body)
  await store.tx(async (store) => {
    if (!(await store.passkeys.remove(account.id, params.id))) throw notFound('You have no such passkey.')
    await removeUselessCodes(store, account.id)
  })
  return undefined
}

function passkeyView(row: PasskeyRow) {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    ...(row.last_used_at && { lastUsedAt: row.last_used_at.toISOString() }),
  }
}

/** Names no passkeys: the browser offers those that it has, and nothing shows which accounts exist. */
export const createPasskeySignIn: Handler<'createPasskeySignIn'> = (context) =>
  makeAssertionOptions(context, 'passkey sign-in')

/** A passkey that verified the person is two factors in one: something they have, and a PIN or a biometric. */
export const signInByPasskey: Handler<'signInByPasskey'> = async (context) => {
  const { body, store, now, address, attempts } = context
  const attempt = attempts.begin([{ name: `passkey address ${address}`, freeAttempts: 20 }], now)
  const found = await findPasskey(context, 'passkey sign-in', body.response)
  const account = found && (await store.accounts.find(found.passkey.account_id))
  if (!account) throw new Refusal('unauthenticated', 'This passkey is unknown, or the sign-in took too long.')
  attempt.succeed()
  return startSession(context, accountOf(account))
}
