import { type Client, createClient } from '@tocsin/sdk'
import { addressList, customSource, project, resource, subscription, template, trigger } from '../harness/records.ts'

/** A workspace that holds what the examples of the contract name, and the tokens of the attackers who are its admins. */
export type Victims = { tokens: string[] } & Record<'template' | 'subscription' | 'address', string>

export const typedTrigger = 'acme.p.moved'
/** Several, because one account has a share of each limit only, which would end the attacks. */
const attackers = 6
const password = 'correct horse battery staple'

export async function prepareVictims(
  url: string,
  client: Client,
  nodes: Record<'evm' | 'solana', string>,
): Promise<Victims> {
  const { invite } = await client.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  for (const fullname of ['acme.p', 'acme.monitors'])
    await client.saveProject({ fullname, body: project(fullname, { visibility: 'private_link' }) })
  for (const kind of ['evm', 'solana'] as const) {
    const fullname = kind === 'evm' ? 'acme.s' : 'acme.solana'
    await client.saveCustomSource({ fullname, body: customSource(fullname, { kind, endpoints: [nodes[kind]] }) })
  }
  for (const fullname of [typedTrigger, 'acme.p.planned', 'acme.monitors.large-transfers'])
    await client.saveTrigger({ fullname, body: trigger(fullname) })
  const data = { url: 'http://127.0.0.1:9/hook', secret: 's' }
  for (const fullname of ['acme.r', 'acme.ops-webhook'])
    await client.saveResource({ fullname, body: resource(fullname, { data }) })
  await client.saveAddressList({ fullname: 'acme.list', body: addressList('acme.list') })
  const made = await client.createTemplate({ fullname: 'acme.p', body: template('acme.p') })
  const subscribed = await client.createSubscription({ body: subscription(typedTrigger) })
  const address = await client.createAddress({ body: { type: 'plain', address: 'an-address', alias: 'alias' } })
  const tokens: string[] = []
  for (let at = 0; at < attackers; at++) tokens.push(await joinAsAdmin(url, client, `attacker${at}`, invite ?? ''))
  return { tokens, template: made.id, subscription: subscribed.id, address: address.id }
}

/** The token is no session, because an attack may well end the sessions of its account. */
async function joinAsAdmin(url: string, owner: Client, name: string, invite: string): Promise<string> {
  const nobody = createClient({ baseUrl: url })
  const { token } = await nobody.signUp({ body: { email: `${name}@example.org`, password, name } })
  const attacker = createClient({ baseUrl: url, token })
  await attacker.joinWorkspace({ workspace: 'acme', body: { invite } })
  const { id } = await attacker.getMe()
  const entry = (await owner.listAcl({ workspace: 'acme' })).find(({ user }) => user.id === id)
  await owner.saveAclEntry({ workspace: 'acme', entryId: entry?.id ?? '', body: { level: 'admin' } })
  return (await attacker.createToken({ body: { name: 'attacks' } })).token
}
