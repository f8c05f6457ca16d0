import type { RouteName } from '@tocsin/contract'
import { checkedClient, type Harness, type Person } from './index.ts'

/** These routes change how the caller signs in, so each call has an account of its own. */
const changesSignIn: readonly RouteName[] = [
  'changePassword',
  'proveAddress',
  'confirmTotp',
  'deleteTotp',
  'createRecoveryCodes',
  'createPasskey',
  'savePasskey',
  'deletePasskey',
  'linkWallet',
  'deleteIdentity',
]

/** Signing out ends its session, so it gets a separate one. */
export async function personFor(house: Harness, name: RouteName, person: Person): Promise<Person> {
  if (changesSignIn.includes(name)) return house.person('changes-sign-in')
  if (name === 'deleteMe') return house.person('leaver')
  if (name !== 'signOut') return person
  const { token } = await house.nobody.signIn({ body: { email: person.email, password: 'correct horse battery' } })
  return Object.assign(checkedClient(house.url, token), { id: person.id, email: person.email, token })
}
