import { randomUUID } from 'node:crypto'
import type { Scope } from '@tocsin/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkedClient, type Harness, harness, type Person, rejects } from './harness/index.ts'

/** What an Idempotency-Key is bound to, and what of its replies is kept. */

let house: Harness
let ann: Person
/** A project of Ann. */
let kept: string
beforeAll(async () => {
  house = await harness()
  ann = await house.person('ann')
  const [{ fullname: workspace } = { fullname: '' }] = await ann.listWorkspaces()
  kept = `${workspace}.kept`
  await ann.saveProject({
    fullname: kept,
    body: { fullname: kept, name: 'kept', workspace, public: false, meta: { title: 'Kept', description: 'Kept' } },
  })
})
afterAll(() => house.close())

async function withToken(body: { scopes?: Scope[]; workspace?: string; expiresAt?: string }) {
  const { token } = await ann.createToken({ body: { name: 'limited', ...body } })
  return checkedClient(house.url, token)
}

test('a token with fewer scopes never gets the kept reply of a session', async () => {
  const call = { idempotencyKey: randomUUID(), body: { name: 'all scopes' } }
  const created = await ann.createToken(call)
  const limited = await withToken({ scopes: ['read', 'admin'] })
  await rejects(limited.createToken(call), { code: 'insufficient_scope', status: 403 })
  expect(await ann.createToken(call)).toEqual(created)
  expect((await ann.listTokens()).filter(({ name }) => name === 'all scopes')).toHaveLength(1)
})

test('a token that expires never gets the kept reply of a session', async () => {
  const call = { idempotencyKey: randomUUID(), body: { name: 'for ever' } }
  await ann.createToken(call)
  const brief = await withToken({ expiresAt: new Date(house.clock.now().getTime() + 3_600_000).toISOString() })
  await rejects(brief.createToken(call), { code: 'insufficient_scope' })
})

test('a token that is bound to a workspace never gets the kept reply of a session', async () => {
  const other = `other-${randomUUID().slice(0, 8)}`
  await ann.saveWorkspace({ fullname: other, body: { fullname: other } })
  const call = { idempotencyKey: randomUUID(), body: { project: kept, source: 'common.ethereum', abi: 'event A()' } }
  await ann.importEvm(call)
  await rejects((await withToken({ workspace: other })).importEvm(call), { code: 'insufficient_scope' })
})

test('another session with the same rights gets the kept reply', async () => {
  const call = { idempotencyKey: randomUUID(), body: { name: 'shared' } }
  const created = await ann.createToken(call)
  const { token } = await house.nobody.signIn({ body: { email: ann.email, password: 'correct horse battery' } })
  expect(await checkedClient(house.url, token).createToken(call)).toEqual(created)
})

test('the same key with another body is refused and does nothing, also while the first call runs', async () => {
  const idempotencyKey = randomUUID()
  const create = (name: string) => ann.createToken({ idempotencyKey, body: { name } })
  const created = await create('first')
  await rejects(create('second'), { code: 'idempotency_mismatch', status: 409 })
  expect(await create('first')).toEqual(created)
  expect((await ann.listTokens()).map(({ name }) => name)).not.toContain('second')

  const { idempotencyKeys } = house.service.store
  const now = house.clock.now()
  const request = { accountId: ann.id, scope: 'importEvm {}', key: 'runs', content: 'another request' }
  await idempotencyKeys.claimUntil(request, { id: 'call', until: new Date(now.getTime() + 60_000) }, now)
  await rejects(readAbi('runs', 1), { code: 'idempotency_mismatch' })
})

/** Each event has about 3 kB, and is named twice in the reply. */
const readAbi = (idempotencyKey: string, events: number) => {
  const inputs = Array.from({ length: 12 }, (_, at) => ({ type: 'uint256', name: `parameter${at}${'x'.repeat(200)}` }))
  const abi = Array.from({ length: events }, (_, at) => ({ type: 'event', name: `E${at}`, inputs }))
  return ann.importEvm({ idempotencyKey, body: { project: kept, source: 'common.ethereum', abi } })
}

test('a reply above 256 KiB is not kept: the repeat is refused, and runs nothing', async () => {
  const { events } = await readAbi('large', 100)
  expect(JSON.stringify(events).length).toBeGreaterThan(256 * 1024)
  await rejects(readAbi('large', 100), { code: 'reply_not_kept', status: 409 })
  house.clock.advance(2 * 60_000)
  await rejects(readAbi('large', 100), { code: 'reply_not_kept' })
  expect(await readAbi('small', 1)).toEqual(await readAbi('small', 1))
})

test('the replies of an account have 64 MiB, and its keys a number', async () => {
  const bob = await house.person('bob')
  const create = (idempotencyKey: string, name: string) => bob.createToken({ idempotencyKey, body: { name } })
  const fill = (rows: number, size: number) =>
    house.database.query(
      `insert into idempotency_keys (account_id, scope, key, status, size, created_at)
       select $1, 'filled ' || $2, 'key ' || n, 200, $3, $4 from generate_series(1, $2::int) n`,
      [bob.id, rows, size, house.clock.now()],
    )
  await create('before', 'before')
  await fill(1, 64 * 1024 * 1024)
  await create('over', 'over')
  await rejects(create('over', 'over'), { code: 'reply_not_kept' })
  expect((await bob.listTokens()).filter(({ name }) => name === 'over')).toHaveLength(1)
  await fill(19_998, 0)
  await rejects(create('too many', 'too many'), { code: 'limit_reached', status: 403 })
  expect(await create('before', 'before')).toMatchObject({ name: 'before' })
  house.clock.advance(25 * 3_600_000)
  await house.service.store.idempotencyKeys.sweep(new Date(house.clock.now().getTime() - 24 * 3_600_000))
  expect(await create('too many', 'too many')).toMatchObject({ name: 'too many' })
})
