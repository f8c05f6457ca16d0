import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkedClient, type Harness, harness, rejects } from './harness/index.ts'
import { stopClock } from './harness/stop-clock.ts'

let house: Harness
beforeAll(async () => {
  house = await harness()
})
afterAll(() => house.close())

const password = 'correct horse battery'

describe('sign-up', () => {
  test('creates an account and its personal workspace, and nothing else', async () => {
    const ann = await house.person('ann')
    expect(await ann.getMe()).toMatchObject({ id: ann.id, email: ann.email, name: 'ann' })
    const fullname = ann.email.split('@')[0]
    expect(await ann.listWorkspaces()).toMatchObject([{ fullname, level: 'owner' }])
    expect(await ann.listTokens()).toEqual([])
  })

  test.each([
    ['Ann.Smith+alerts@example.org', 'ann-smith-alerts'],
    ['api@example.org', 'api-2'],
    ['_@example.org', 'personal'],
    [`${'x'.repeat(60)}@example.org`, 'x'.repeat(56)],
  ])('the personal workspace of %s is %s', async (email, fullname) => {
    const { token } = await house.nobody.signUp({ body: { email, password, name: 'Somebody' } })
    expect(await checkedClient(house.url, token).listWorkspaces()).toMatchObject([{ fullname, level: 'owner' }])
  })

  test('a name that is taken gets a number, also when many sign up at once', async () => {
    const tokens = await Promise.all(
      ['a.org', 'b.org', 'c.org', 'd.org'].map(async (host) => {
        const { token } = await house.nobody.signUp({ body: { email: `taken@${host}`, password, name: 'T' } })
        return token
      }),
    )
    const lists = await Promise.all(tokens.map((token) => checkedClient(house.url, token).listWorkspaces()))
    expect(lists.flatMap((list) => list.map(({ fullname }) => fullname)).sort()).toEqual([
      'taken',
      'taken-2',
      'taken-3',
      'taken-4',
    ])
  })

  test('one e-mail address has one account, in any spelling', async () => {
    const bob = await house.person('bob')
    const again = { email: bob.email.toUpperCase(), password, name: 'Bob' }
    await rejects(house.nobody.signUp({ body: again }), { code: 'already_exists', status: 409 })
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() => house.nobody.signUp({ body: { email: 'race@example.org', password, name: 'R' } })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test.each([
    ['a short password', { email: 'x@example.org', password: '7 signs', name: 'X' }, 'password'],
    ['a common password', { email: 'x@example.org', password: 'P@ssw0rd123!', name: 'X' }, 'password'],
    [
      'its own address as password',
      { email: 'x.known@example.org', password: 'x.known@EXAMPLE.org', name: 'X' },
      'password',
    ],
    ['no mailbox', { email: 'nonsense', password, name: 'X' }, 'email'],
    ['no name', { email: 'x@example.org', password, name: ' ' }, 'name'],
  ])('%s is refused with the name of the field', async (_what, body, path) => {
    const error = await rejects(house.nobody.signUp({ body }), { code: 'invalid_payload', status: 400 })
    expect(error.details?.issues).toMatchObject([{ path }])
  })

  test('can be turned off', async () => {
    const closed = await harness({ SIGN_UP: 'off' })
    const signUp = closed.nobody.signUp({ body: { email: 'x@example.org', password, name: 'X' } })
    await rejects(signUp, { code: 'forbidden', status: 403 })
    await closed.close()
  })
})

describe('sign-in and sign-out', () => {
  test('the right password returns a token, and signing out revokes it at once', async () => {
    const ann = await house.person('ann')
    const { token, account } = await house.nobody.signIn({ body: { email: ann.email, password } })
    expect(account.id).toBe(ann.id)
    const session = checkedClient(house.url, token)
    expect(await session.getMe()).toMatchObject({ id: ann.id })
    await session.signOut()
    await rejects(session.getMe(), { code: 'unauthenticated', status: 401 })
    expect(await ann.getMe()).toMatchObject({ id: ann.id })
  })

  test('signing out with a personal token does not revoke the token', async () => {
    const ann = await house.person('ann')
    const { token } = await ann.createToken({ body: { name: 'only one' } })
    const script = checkedClient(house.url, token)
    expect(await script.signOut()).toEqual({ ok: true })
    expect(await script.getMe()).toMatchObject({ id: ann.id })
  })

  test('a wrong password and an unknown e-mail address get the same reply', async () => {
    const ann = await house.person('ann')
    const wrong = await rejects(house.nobody.signIn({ body: { email: ann.email, password: 'not it at all' } }), {
      code: 'unauthenticated',
    })
    const unknown = await rejects(house.nobody.signIn({ body: { email: 'who@example.org', password } }), {
      code: 'unauthenticated',
    })
    expect(unknown.message).toBe(wrong.message)
  })

  test('guesses from one address are delayed, also concurrent ones and the right password, until time has passed', async () => {
    const slow = await harness({ TRUST_PROXY: '1' })
    const ann = await slow.person('ann')
    const guess = () => slow.nobody.signIn({ body: { email: ann.email, password: 'a wild guess' } })
    stopClock(slow)
    const guesses = await Promise.allSettled(Array.from({ length: 12 }, guess))
    const codes = guesses.map((each) => (each.status === 'rejected' ? each.reason.code : 'ok')).sort()
    expect(codes).toEqual([...Array(7).fill('rate_limited'), ...Array(5).fill('unauthenticated')])
    await rejects(guess(), { code: 'rate_limited', status: 429 })
    await rejects(slow.nobody.signIn({ body: { email: ann.email, password } }), { code: 'rate_limited' })
    const elsewhere = await fetch(`${slow.url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
      body: JSON.stringify({ email: ann.email, password }),
    })
    expect(elsewhere.status).toBe(200)
    slow.clock.advance(2_000)
    await rejects(guess(), { code: 'unauthenticated' })
    slow.clock.advance(3_600_000)
    expect(await slow.nobody.signIn({ body: { email: ann.email, password } })).toHaveProperty('token')
    await slow.close()
  })

  test('an address that asks by sign-up which mailboxes have an account has to wait; others and later sign-ups do not', async () => {
    const slow = await harness({ TRUST_PROXY: '1' })
    const ann = await slow.person('ann')
    const signUp = (email: string) => slow.nobody.signUp({ body: { email, password, name: 'Eve' } })
    stopClock(slow)
    for (let guess = 0; guess < 100; guess += 1) {
      await rejects(signUp(ann.email), { code: 'already_exists' })
      // A free address in between does not start the count again.
      if (guess === 98) await signUp('between@example.org')
    }
    await rejects(signUp(ann.email), { code: 'rate_limited', status: 429 })
    await rejects(signUp('free@example.org'), { code: 'rate_limited', status: 429 })
    slow.clock.advance(2_000)
    expect(await signUp('free@example.org')).toHaveProperty('token')
    await slow.close()
  })

  test('a session expires', async () => {
    const short = await harness({ SESSION_DAYS: '1' })
    const ann = await short.person('ann')
    short.clock.advance(23 * 3_600_000)
    expect(await ann.getMe()).toMatchObject({ id: ann.id })
    short.clock.advance(2 * 3_600_000)
    await rejects(ann.getMe(), { code: 'unauthenticated' })
    await short.close()
  })
})

describe('personal tokens', () => {
  test('are shown once, listed without the secret, record their last use and can be revoked', async () => {
    const ann = await house.person('ann')
    const created = await ann.createToken({ body: { name: 'ci' } })
    expect(created.expiresAt).toBeNull()
    expect(created.token).toMatch(/^tcn_personal_[\w-]{43}$/)
    const ci = checkedClient(house.url, created.token)
    expect((await ann.listTokens())[0]).not.toHaveProperty('lastUsedAt')
    await ci.getMe()
    const [listed] = await ann.listTokens()
    expect(listed).toMatchObject({ id: created.id, name: 'ci' })
    expect(listed).toHaveProperty('lastUsedAt')
    expect(JSON.stringify(listed)).not.toContain(created.token)
    await ann.deleteToken({ id: created.id })
    await rejects(ci.getMe(), { code: 'unauthenticated' })
    await rejects(ann.deleteToken({ id: created.id }), { code: 'not_found' })
  })

  test('expire', async () => {
    const timed = await harness()
    const ann = await timed.person('ann')
    const expiresAt = new Date(timed.clock.now().getTime() + 60_000).toISOString()
    const { token, ...view } = await ann.createToken({ body: { name: 'brief', expiresAt } })
    expect(view.expiresAt).toBe(expiresAt)
    timed.clock.advance(61_000)
    await rejects(checkedClient(timed.url, token).getMe(), { code: 'unauthenticated' })
    const past = ann.createToken({ body: { name: 'past', expiresAt } })
    await rejects(past, { code: 'invalid_payload', details: { issues: [{ path: 'expiresAt' }] } })
    const zoneless = ann.createToken({ body: { name: 'vague', expiresAt: '2126-01-01T00:00:00' } })
    const message = 'must be an ISO date-time with a zone, such as 2026-01-31T12:00:00Z'
    await rejects(zoneless, { code: 'invalid_payload', details: { issues: [{ path: 'expiresAt', message }] } })
    await timed.close()
  })

  test('cannot be seen or revoked by other accounts', async () => {
    const [ann, eve] = await Promise.all([house.person('ann'), house.person('eve')])
    const { id } = await ann.createToken({ body: { name: 'mine' } })
    expect(await eve.listTokens()).toEqual([])
    await rejects(eve.deleteToken({ id }), { code: 'not_found', status: 404 })
    await rejects(house.nobody.deleteToken({ id }), { code: 'unauthenticated' })
    await rejects(ann.createToken({ body: { name: '' } }), { code: 'invalid_payload' })
  })

  test('neither store nor log contains a token in plain text, and the store contains no password', async () => {
    const ann = await house.person('ann')
    const { token } = await ann.createToken({ body: { name: 'secret' } })
    const { dumpTables } = await import('./harness/dump.ts')
    const everything = await dumpTables(house.databaseUrl)
    for (const secret of [token, ann.token, password]) expect(everything).not.toContain(secret)
    expect(house.logs.join('')).not.toContain(token)
  })
})

describe('the console’s cookie', () => {
  const signIn = async (email: string) => {
    const response = await fetch(`${house.url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    const cookies = response.headers.getSetCookie()
    const value = (name: string) => cookies.find((cookie) => cookie.startsWith(`${name}=`))?.split(/[=;]/)[1] ?? ''
    return { cookies, session: value('tocsin_session'), csrf: value('tocsin_csrf') }
  }

  test('is HTTP-only and same-site, and is enough to read', async () => {
    const ann = await house.person('ann')
    const { cookies, session } = await signIn(ann.email)
    expect(cookies[0]).toMatch(/HttpOnly; Path=\/; SameSite=Strict/)
    const me = await fetch(`${house.url}/api/me`, { headers: { cookie: `tocsin_session=${session}` } })
    expect(await me.json()).toMatchObject({ id: ann.id })
  })

  test('is enough to write only together with the CSRF token', async () => {
    const ann = await house.person('ann')
    const { session, csrf } = await signIn(ann.email)
    const create = (headers: Record<string, string>) =>
      fetch(`${house.url}/api/me/tokens`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: `tocsin_session=${session}`, ...headers },
        body: JSON.stringify({ name: 'x' }),
      })
    expect((await create({})).status).toBe(403)
    expect((await create({ 'x-csrf-token': 'wrong' })).status).toBe(403)
    expect((await create({ 'x-csrf-token': csrf })).status).toBe(200)
  })

  test('is also issued for a personal token, and ends when the token is revoked', async () => {
    const ann = await house.person('ann')
    const { id, token } = await ann.createToken({ body: { name: 'laptop' } })
    const { headers } = await house.nobody.whole.signInByToken({ body: { token } })
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const status = async () => (await fetch(`${house.url}/api/me`, { headers: { cookie } })).status
    expect(await status()).toBe(200)
    await ann.deleteToken({ id })
    expect(await status()).toBe(401)
    await rejects(house.nobody.signInByToken({ body: { token } }), { code: 'unauthenticated' })
  })

  test('carries a token of the operator with characters that cookies do not allow', async () => {
    const token = 'a;token=with"signs"and=more-than-32-of-them'
    const own = await harness({ ADMIN_TOKEN: token })
    const { headers } = await own.nobody.whole.signInByToken({ body: { token } })
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect((await fetch(`${own.url}/api/me`, { headers: { cookie } })).status).toBe(200)
    await own.close()
  })
})

test('the first start on an empty store creates one account with a token, and later starts change nothing', async () => {
  const variables = {
    ADMIN_EMAIL: 'boss@example.org',
    ADMIN_PASSWORD: 'a long enough one',
    ADMIN_TOKEN: 'x'.repeat(40),
  }
  const first = await harness(variables)
  expect(first.service.firstAccount).toEqual({ email: 'boss@example.org' })
  const boss = checkedClient(first.url, 'x'.repeat(40))
  expect(await boss.getMe()).toMatchObject({ email: 'boss@example.org' })
  expect(await boss.listWorkspaces()).toMatchObject([{ level: 'owner' }])
  const signedIn = await first.nobody.signIn({ body: { email: 'boss@example.org', password: 'a long enough one' } })
  expect(signedIn).toHaveProperty('token')
  await first.service.announced()
  await first.restart()
  expect(first.service.firstAccount).toBeUndefined()
  expect(await checkedClient(first.url, 'x'.repeat(40)).listWorkspaces()).toHaveLength(1)
  await first.close()
})

test('the operator can choose the first account and a short token', async () => {
  const own = await harness({ ADMIN_EMAIL: 'admin@localhost', ADMIN_PASSWORD: 'password', ADMIN_TOKEN: 'dev-token' })
  expect(await checkedClient(own.url, 'dev-token').getMe()).toMatchObject({ email: 'admin@localhost' })
  expect(await own.nobody.signIn({ body: { email: 'admin@localhost', password: 'password' } })).toHaveProperty('token')
  await own.close()
})

test('a first start that is killed before it printed the token prints it at the next one', async () => {
  const first = await harness()
  const made = first.service.firstAccount
  expect(made?.token).toMatch(/^tcn_personal_/)
  await first.restart()
  expect(first.service.firstAccount).toEqual(made)
  expect(await checkedClient(first.url, made?.token).getMe()).toMatchObject({ email: made?.email })
  await first.close()
})
