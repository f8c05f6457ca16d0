import { randomBytes } from 'node:crypto'
import type { AccountRow } from '../../store/identity/accounts.ts'
import type { Store } from '../../store/index.ts'
import type { Context, Handler } from '../handler.ts'
import { invalidPayload, Refusal } from '../refusal.ts'
import { linkTo } from './ownership/link-identity.ts'
import { requireOwner } from './ownership/require-owner.ts'
import { accountOf } from './read.ts'
import { requireSecondFactor } from './second-factor.ts'
import { startSession } from './sessions.ts'
import { addPersonalWorkspace } from './sign-up.ts'

/**
 * Sign-in with an Ethereum wallet (EIP-4361). The person signs a message that names this service and a nonce of it. The
 * signature must be one of the address itself; contract wallets (EIP-1271) are not supported, because checking theirs needs
 * a node. `ox` is loaded with the first sign-in.
 */

export const walletIssuer = 'eip155'
const nonceMs = 10 * 60_000

export const createWalletMessage: Handler<'createWalletMessage'> = async ({ body, store, now, settings }) => {
  const [Siwe, { checksum }] = await Promise.all([import('ox/Siwe'), import('ox/Address')])
  const { host, origin } = new URL(settings.publicUrl)
  const nonce = randomBytes(16).toString('hex')
  const expirationTime = new Date(now.getTime() + nonceMs)
  const message = Siwe.createMessage({
    address: checksum(hexOf(body.address)),
    chainId: body.chainId,
    domain: host,
    uri: origin,
    statement: 'Sign in to Tocsin.',
    version: '1',
    nonce,
    issuedAt: now,
    expirationTime,
  })
  await store.challenges.add('wallet', nonce, {}, expirationTime)
  return { message, nonce, expiresAt: expirationTime.toISOString() }
}

/** A first visit creates an account if sign-up is on. The nonce is used up last, so a second factor can be sent with it. */
export const signInByWallet: Handler<'signInByWallet'> = async (context) => {
  const { address: callerAddress, attempts, body, store, now } = context
  const attempt = attempts.begin([{ name: `wallet address ${callerAddress}`, freeAttempts: 20 }], now)
  const signed = await readSigned(context, body)
  if (!signed || !(await store.challenges.has('wallet', signed.nonce, now))) throw notSigned()
  const known = await store.identities.findAccount({ issuer: walletIssuer, subject: signed.address })
  const account = known ?? (await createAccount(context, signed.address))
  // Also after a creation: meanwhile the wallet may have been linked to an account that has a second factor.
  await requireSecondFactor(context, account, body)
  if ((await store.challenges.take('wallet', signed.nonce, now)) === undefined) throw notSigned()
  attempt.succeed()
  return startSession(context, accountOf(account))
}

/** Links a wallet to the account of the caller. */
export const linkWallet: Handler<'linkWallet'> = async (context) => {
  const { account, body, store, now } = context
  await requireOwner(context, body)
  const signed = await readSigned(context, body)
  if (!signed || (await store.challenges.take('wallet', signed.nonce, now)) === undefined)
    throw invalidPayload([{ path: 'signature', message: 'this message is not valid any more; sign a new one' }])
  await linkTo(context, { issuer: walletIssuer, subject: signed.address }, account.id, 'wallet linked')
  return undefined
}

function notSigned(): Refusal {
  return new Refusal('unauthenticated', 'This message is not signed by its address, has expired or was used already.')
}

/** The contract requires the prefix of addresses and signatures. */
function hexOf(text: string): `0x${string}` {
  return `0x${text.slice(2)}`
}

/** The library reads on from each `URI: `. A message has one, and its text and its links may have a few more. */
export function isSignInForm(message: string): boolean {
  return message.split('URI: ').length <= 10
}

type Reading = Pick<Context<'signInByWallet'>, 'settings' | 'now'>

/** The address and the nonce of a message for this service that its address signed; undefined for any other. */
async function readSigned({ settings, now }: Reading, { message, signature }: { message: string; signature: string }) {
  const [Siwe, PersonalMessage, Secp256k1, Hex] = await Promise.all([
    import('ox/Siwe'),
    import('ox/PersonalMessage'),
    import('ox/Secp256k1'),
    import('ox/Hex'),
  ])
  const { host, origin } = new URL(settings.publicUrl)
  if (!isSignInForm(message)) return undefined
  const fields = Siwe.parseMessage(message)
  const { address, nonce, uri, version } = fields
  if (!address || !nonce || version !== '1' || !uri || !URL.canParse(uri) || new URL(uri).origin !== origin)
    return undefined
  if (!Siwe.validateMessage({ message: fields, domain: host, time: now })) return undefined
  try {
    const payload = PersonalMessage.getSignPayload(Hex.fromString(message))
    const isSigned = Secp256k1.verify({ address, payload, signature: hexOf(signature) })
    return isSigned ? { address: address.toLowerCase(), nonce } : undefined
  } catch {
    return undefined
  }
}

/** A wallet has no mailbox. An address below `.invalid` never gets mail; the person can set a real one later. */
async function createAccount(
  { settings, store, now }: Context<'signInByWallet'>,
  address: string,
): Promise<AccountRow> {
  if (!settings.signUp)
    throw new Refusal('unauthenticated', 'No account is linked to this wallet. Sign in another way and link it first.')
  return store.tx((store) => addAccount(store, address, now))
}

async function addAccount(store: Store, address: string, now: Date): Promise<AccountRow> {
  const identity = { issuer: walletIssuer, subject: address }
  await store.identities.lock(identity)
  const linked = await store.identities.findAccount(identity)
  if (linked) return linked
  const name = `${address.slice(0, 6)}…${address.slice(-4)}`
  // Random, so that nobody can take it by signing up with it.
  const email = `${address.slice(0, 10)}-${randomBytes(4).toString('hex')}@wallet.invalid`
  const account = await store.accounts.add({ email, name, passwordHash: null, at: now })
  if (!account) throw new Refusal('unavailable', 'The account could not be created. Try again.')
  await addPersonalWorkspace(store, account, now)
  await store.identities.add(identity, account.id, now)
  return account
}
