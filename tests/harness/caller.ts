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

/** Signing out ends its session, so it gets a separate one. An account that leaves owns nothing. */
export async function personFor(house: Harness, name: RouteName, person: Person): Promise<Person> {
  if (changesSignIn.includes(name)) return house.person('changes-sign-in')
  if (name === 'deleteMe') {
    const leaver = await house.person('leaver')
    for (const { fullname } of await leaver.listWorkspaces()) await leaver.deleteWorkspace({ fullname })
    return leaver
  }
  if (name !== 'signOut') return person
  const { token } = await house.nobody.signIn({ body: { email: person.email, password: 'correct horse battery' } })
  return Object.assign(checkedClient(house.url, token), { id: person.id, email: person.email, token })
}
