import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@tocsin/sdk'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkedClient, type Harness, harness, rejects } from './harness/index.ts'
import { run } from './setup/postgres.ts'

/** A real issuer: it serves its keys over HTTP and signs tokens with them. */
let issuer: string
let keys: Server
let house: Harness
let pair: Awaited<ReturnType<typeof generateKeyPair>>

beforeAll(async () => {
  pair = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'ES256' }
  keys = createServer((request, response) => {
    const discovery = { issuer, jwks_uri: `${issuer}/keys` }
    response.end(JSON.stringify(request.url === '/keys' ? { keys: [jwk] } : discovery))
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => keys.once('listening', listening))
  issuer = `http://127.0.0.1:${(keys.address() as AddressInfo).port}`
  house = await harness({ OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'tocsin' })
})
afterAll(async () => {
  await house.close()
  keys.close()
})

type Claims = {
  sub?: string
  email?: string
  email_verified?: boolean | string
  audience?: string
  issuer?: string
  expires?: string
}
const tokenOf = (
  { audience = 'tocsin', issuer: from = issuer, expires = '5m', ...claims }: Claims,
  key = pair.privateKey,
) =>
  new SignJWT({ name: 'Ann', sub: `sub of ${claims.email}`, email_verified: true, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
    .setIssuer(from)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(key)
const me = async (token: string) => createClient({ baseUrl: house.url, token }).getMe()

test('a token of the issuer signs in to the account of its subject, which is created at the first visit', async () => {
  const first = await me(await tokenOf({ sub: 'ann', email: 'ann@example.org' }))
  expect(first).toMatchObject({ email: 'ann@example.org', name: 'Ann' })
  const ann = createClient({ baseUrl: house.url, token: await tokenOf({ sub: 'ann', email: 'ann@example.org' }) })
  expect(await ann.listWorkspaces()).toMatchObject([{ fullname: 'ann', level: 'owner' }])
  expect(await me(await tokenOf({ sub: 'ann', email: 'ann.new@example.org' }))).toEqual(first)
  const visits = await Promise.all(
    [1, 2, 3].map(async () => me(await tokenOf({ sub: 'eve', email: 'eve@example.org' }))),
  )
  expect(new Set(visits.map(({ id }) => id)).size).toBe(1)
})

test('two concurrent first visits of one person with two addresses create one account', async () => {
  const client = new pg.Client({ connectionString: house.databaseUrl })
  await client.connect()
  // No visit can add its link until this transaction ends, so both visits run at the same time.
  await client.query('begin; lock table identities in share mode')
  const visit = async (email: string) => me(await tokenOf({ sub: 'twice', email }))
  const visits = [visit('twice@example.org'), visit('twice.new@example.org')]
  const waiting = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await client.query(waiting)).rows[0].count).toBe(2)
  await client.query('commit')
  const [first, second] = await Promise.all(visits)
  expect(second).toEqual(first)
  expect((await client.query("select id from accounts where email like 'twice%'")).rows).toEqual([{ id: first?.id }])
  await client.end()
})

test('a first visit takes over an account whose address nobody verified, and its first comer has no way in', async () => {
  const squatter = await house.person('squatter')
  const { token } = await squatter.createToken({ body: { name: 'kept' } })
  const visit = async () => me(await tokenOf({ sub: 'squatted', email: squatter.email.toUpperCase() }))
  expect(await visit()).toMatchObject({ id: squatter.id })
  // This process finds tokens that it looked up less than a second ago in its cache.
  house.clock.advance(1_000)
  for (const kept of [squatter.token, token])
    await rejects(checkedClient(house.url, kept).getMe(), { code: 'unauthenticated', status: 401 })
  const body = { email: squatter.email, password: 'correct horse battery' }
  await rejects(house.nobody.signIn({ body }), { code: 'unauthenticated' })
  expect(await visit()).toMatchObject({ id: squatter.id })
})

test('a token with the address of the first administrator does not open that account', async () => {
  const visit = async () => me(await tokenOf({ sub: 'owner', email: 'admin@localhost.localdomain' }))
  const refused = await rejects(visit(), { code: 'unauthenticated', status: 401 })
  expect(refused.message).toMatch(/account of the operator/)
})

test('an address that the provider gives to another person does not open the account of the previous person', async () => {
  const former = await me(await tokenOf({ sub: 'left', email: 'desk@example.org' }))
  const visit = async () => me(await tokenOf({ sub: 'joined', email: 'desk@example.org' }))
  const refused = await rejects(visit(), { code: 'unauthenticated', status: 401 })
  expect(refused.message).toMatch(/another person/)
  expect(await me(await tokenOf({ sub: 'left', email: 'moved@example.org' }))).toEqual(former)
})

test('an account that the provider created before accounts were linked still works', async () => {
  const email = 'early@example.org'
  const { id } = await me(await tokenOf({ sub: 'early', email }))
  await run(house.databaseUrl, `delete from identities where account_id = '${id}'`)
  expect(await me(await tokenOf({ sub: 'early', email }))).toMatchObject({ id })
  await rejects(me(await tokenOf({ sub: 'late', email })), { code: 'unauthenticated' })
})

test('an account of the identity provider has no password', async () => {
  await me(await tokenOf({ email: 'only@example.org' }))
  const signIn = house.nobody.signIn({ body: { email: 'only@example.org', password: 'anything at all' } })
  await rejects(signIn, { code: 'unauthenticated' })
})

test('any other token is refused', async () => {
  const stranger = await generateKeyPair('ES256')
  const email = 'ann@example.org'
  const wrong = [
    await tokenOf({ email, audience: 'other' }),
    await tokenOf({ email, issuer: 'https://evil.example.org' }),
    await tokenOf({ email, expires: '-1m' }),
    await tokenOf({ email, email_verified: false }),
    await tokenOf({ email, email_verified: undefined }),
    await tokenOf({ email, email_verified: 'true' }),
    await tokenOf({ email, sub: '' }),
    await tokenOf({}),
    await tokenOf({ email }, stranger.privateKey),
    `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ email, iss: issuer, aud: 'tocsin' })).toString('base64url')}.x`,
  ]
  for (const token of wrong) await rejects(me(token), { code: 'unauthenticated', status: 401 })
})

test('an issuer that cannot be reached is not mistaken for a wrong token', async () => {
  const away = await harness({ OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_AUDIENCE: 'tocsin' })
  const token = await tokenOf({ email: 'ann@example.org', issuer: 'http://127.0.0.1:9' })
  const call = createClient({ baseUrl: away.url, token, retries: 0 }).getMe()
  await rejects(call, { code: 'upstream_failed', status: 502 })
  await away.close()
})
