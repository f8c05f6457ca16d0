import type { AccountRow } from '../../../store/identity/accounts.ts'
import type { Identity } from '../../../store/identity/identities.ts'
import type { Store } from '../../../store/index.ts'
import { Refusal } from '../../refusal.ts'
import { type Telling, tellOwner } from '../mails/mail-job.ts'
import { requireKept } from '../sessions.ts'
import { addPersonalWorkspace } from '../sign-up.ts'

/** A person as the identity provider describes them, with an e-mail address that the provider has verified. */
export type Vouched = Identity & { email: string; name: string }

/**
 * Finds the account of a person. The first visit creates an account, or links the account with the same address. If nobody
 * had verified that address, a stranger may have signed up with it: then the person takes the account over, and all that
 * was set up before opens it no more.
 */
export async function findOrLink(telling: Telling, person: Vouched): Promise<AccountRow> {
  const { store } = telling
  const known = await store.identities.findAccount(person)
  return known ?? store.tx((store) => link({ ...telling, store }, person))
}

async function link(telling: Telling, person: Vouched): Promise<AccountRow> {
  const { store, now } = telling
  const { email, name } = person
  // The lock makes two first visits at once follow each other: the second finds the account that the first linked.
  await store.identities.lock(person)
  const linked = await store.identities.findAccount(person)
  if (linked) return linked
  const made = await store.accounts.add({ email, name, passwordHash: null, isEmailVerified: true, at: now })
  // The lock on the row keeps two persons with the same address from both being linked to it.
  const account = made ?? (await store.accounts.lockByEmail(email))
  if (!account) throw new Refusal('unauthenticated')
  if (made) await addPersonalWorkspace(store, made, now)
  else if (mayTakeOver(account)) await takeOver(store, account, now)
  else await requireLinkable(store, account, person.issuer)
  await store.identities.add(person, account.id, now)
  if (!made) await tellOwner(telling, account.id, 'identity linked')
  return account
}

/** The operator chose the address of the first account, so no stranger signed up with it. */
function mayTakeOver(account: AccountRow): boolean {
  return account.email_verified_at === null && !account.is_first
}

async function takeOver(store: Store, { id }: AccountRow, now: Date): Promise<void> {
  await store.accounts.removeWaysIn(id)
  await store.accounts.setPassword(id, null, now)
  await store.accounts.setVerified(id, now)
}

/** Links an identity to the account of a person who is signed in. They may delete it while they visit their provider. */
export async function linkTo(
  telling: Telling,
  identity: Identity,
  accountId: string,
  event: 'wallet linked' | 'identity linked',
): Promise<void> {
  await telling.store.tx(async (store) => {
    await store.identities.lock(identity)
    await requireKept(store, accountId)
    const owner = await store.identities.findAccount(identity)
    if (owner && owner.id !== accountId)
      throw new Refusal('already_exists', 'Another account is linked to this sign-in.')
    if (owner) return
    await store.identities.add(identity, accountId, telling.now)
    await tellOwner({ ...telling, store }, accountId, event)
  })
}

async function requireLinkable(store: Store, account: AccountRow, issuer: string): Promise<void> {
  if (account.is_first) throw taken('It is the account of the operator, which only its own token or password opens.')
  if (await store.identities.isLinked(account.id, issuer))
    throw taken('It belongs to another person of your identity provider. Ask the operator.')
}

function taken(why: string): Refusal {
  return new Refusal('unauthenticated', `Another account has your e-mail address. ${why}`)
}
