import type { AccountRow } from '../../store/identity/accounts.ts'
import type { Identity } from '../../store/identity/identities.ts'
import type { Store } from '../../store/index.ts'
import { Refusal } from '../refusal.ts'
import { addPersonalWorkspace } from './personal-workspace.ts'

/** A person whom the identity provider names, with an address that it has verified. */
export type Vouched = Identity & { email: string; name: string }

/**
 * The account of a person. At the first visit it is made, or an account with the same address is linked, if that
 * address is known to be its owner's. Anybody can sign up with any address, so without that check whoever signs up with
 * a stranger's address would share the account that the stranger's first visit lands in.
 */
export async function findOrLink(store: Store, person: Vouched, now: Date): Promise<AccountRow> {
  return (await store.identities.findAccount(person)) ?? store.tx((store) => link(store, person, now))
}

async function link(store: Store, person: Vouched, now: Date): Promise<AccountRow> {
  const { email, name } = person
  // Of two first visits at once, with one address or two, the second finds the account that the first has linked.
  await store.identities.lock(person)
  const linked = await store.identities.findAccount(person)
  if (linked) return linked
  const made = await store.accounts.add({ email, name, passwordHash: null, isEmailVerified: true, at: now })
  // The row stays locked: two persons with one address are not both linked to it.
  const account = made ?? (await store.accounts.lockByEmail(email))
  if (!account) throw new Refusal('unauthenticated')
  if (made) await addPersonalWorkspace(store, made, now)
  else await requireLinkable(store, account, person.issuer)
  await store.identities.add(person, account.id, now)
  return account
}

async function requireLinkable(store: Store, account: AccountRow, issuer: string): Promise<void> {
  if (account.is_first) throw taken('It is the account of the operator, which only its own token or password opens.')
  if (account.email_verified_at === null)
    throw taken('Nobody has shown that the address belongs to it. Sign in with its password, or ask the operator.')
  if (await store.identities.isLinked(account.id, issuer))
    throw taken('It belongs to another person of your identity provider. Ask the operator.')
}

function taken(why: string): Refusal {
  return new Refusal('unauthenticated', `There is another account with your e-mail address here. ${why}`)
}
