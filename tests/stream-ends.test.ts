import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  checkedClient,
  customSource,
  type Harness,
  harness,
  type Person,
  project,
  rejects,
  type Team,
  trigger,
} from './harness/index.ts'

/** A stream ends soon after its caller may no longer read it: the service looks every two seconds. */
let house: Harness
let team: Team
beforeAll(async () => {
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  team = await house.team('acme')
})
// All tests sign in from one IP address.
beforeEach(() => house.clock.advance(3_600_000))
afterAll(() => house.close())

const password = 'correct horse battery'
const next = 'another horse entirely'
type Open = { isOver(): boolean; over: Promise<void>; close(): void }

/** A stream of this token. It is open when its first bytes have arrived. */
async function open(token: string, path = '/api/stream', more: RequestInit = {}): Promise<Open> {
  const left = new AbortController()
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`${house.url}${path}`, { headers, signal: left.signal, ...more })
  expect(response.status).toBe(200)
  const reader = response.body?.getReader()
  await reader?.read()
  let isOver = false
  const readAll = async () => {
    while (!(await reader?.read())?.done);
  }
  const over = readAll().finally(() => {
    isOver = true
  })
  over.catch(() => undefined)
  return { isOver: () => isOver, over, close: () => left.abort() }
}
async function session(person: Person): Promise<string> {
  return (await house.nobody.signIn({ body: { email: person.email, password } })).token
}
const client = (token: string) => checkedClient(house.url, token)

describe.concurrent('a stream ends', () => {
  test.each<[string, (person: Person, token: string) => Promise<unknown>]>([
    ['its session signs out', (_, token) => client(token).signOut()],
    [
      'its session is ended from another one',
      async (person, token) => {
        const own = (await client(token).listSessions()).find(({ current }) => current)
        await person.deleteSession({ id: own?.id ?? '' })
      },
    ],
    [
      'the password changes in another session',
      (person) => person.changePassword({ body: { current: password, next } }),
    ],
    ['the account is deleted', (person) => person.deleteMe({ body: { password } })],
    [
      'another process ends the session',
      (person) => house.database.query('delete from tokens where account_id = $1', [person.id]),
    ],
  ])('when %s', async (_, act) => {
    const person = await house.person('reader')
    const token = await session(person)
    const stream = await open(token)
    await act(person, token)
    await stream.over
    await rejects(client(token).getMe(), { code: 'unauthenticated' })
  })

  test('when its token is revoked; the streams of other tokens and sessions go on', async () => {
    const person = await house.person('reader')
    const { id, token } = await person.createToken({ body: { name: 'one' } })
    const other = await person.createToken({ body: { name: 'other', scopes: ['read'] } })
    const [stream, kept, own] = [await open(token), await open(other.token), await open(person.token)]
    await person.deleteToken({ id })
    await stream.over
    expect([kept.isOver(), own.isOver()]).toEqual([false, false])
    for (const each of [kept, own]) each.close()
  })

  test('when its token expires', async () => {
    const person = await house.person('reader')
    const expiresAt = new Date(house.clock.now().getTime() + 1_800_000).toISOString()
    const stream = await open((await person.createToken({ body: { name: 'brief', expiresAt } })).token)
    house.clock.advance(1_800_000)
    await stream.over
  })

  test('when the password changes, but not in the session that changed it', async () => {
    const person = await house.person('reader')
    const [own, other] = [await open(person.token), await open(await session(person))]
    await person.changePassword({ body: { current: password, next } })
    await other.over
    expect(own.isOver()).toBe(false)
    own.close()
  })

  test('when its caller leaves the workspace that it is for; a stream of the whole account goes on', async () => {
    const [all, named] = [await open(team.user.token), await open(team.user.token, '/api/stream?workspace=acme')]
    const owners = await open(team.owner.token, '/api/stream?workspace=acme')
    const acl = await team.owner.listAcl({ workspace: 'acme' })
    const entryId = acl.find(({ user }) => user.id === team.user.id)?.id ?? ''
    await team.owner.deleteAclEntry({ workspace: 'acme', entryId })
    await named.over
    expect([all.isOver(), owners.isOver()]).toEqual([false, false])
    for (const each of [all, owners]) each.close()
  })

  test('when the caller of a token that is bound to a workspace leaves it', async () => {
    const { token } = await team.admin.createToken({ body: { name: 'bound', workspace: 'acme' } })
    const stream = await open(token)
    const acl = await team.owner.listAcl({ workspace: 'acme' })
    const entryId = acl.find(({ user }) => user.id === team.admin.id)?.id ?? ''
    await team.owner.deleteAclEntry({ workspace: 'acme', entryId })
    await stream.over
  })

  test('also while the backtest that it follows waits for a node', async () => {
    const silent = createServer(() => undefined)
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const { developer, owner } = team
    const [source, fullname] = ['acme.silent', 'acme.p.t']
    await owner.saveCustomSource({ fullname: source, body: customSource(source, { endpoints: [endpoint] }) })
    await owner.saveProject({ fullname: 'acme.p', body: project('acme.p') })
    const triggerSpec = { type: 'evm_block', dataSource: source, every: 1 } as const
    await owner.saveTrigger({ fullname, body: trigger(fullname, { triggerSpec }) })
    const body = JSON.stringify({ fullname, lastBlocks: 2 })
    const token = await session(developer)
    const [signedOut, left] = await Promise.all(
      [token, developer.token].map((each) => open(each, '/api/triggers/backtest', { method: 'POST', body })),
    )
    await client(token).signOut()
    await signedOut?.over
    const acl = await owner.listAcl({ workspace: 'acme' })
    const entryId = acl.find(({ user }) => user.id === developer.id)?.id ?? ''
    await owner.deleteAclEntry({ workspace: 'acme', entryId })
    await left?.over
    silent.closeAllConnections()
    silent.close()
  })
})
