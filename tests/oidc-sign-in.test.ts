import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IdentityProvider, startIdentityProvider } from './harness/identity-provider.ts'
import { checkedClient, type Harness, harness, type Person, rejects } from './harness/index.ts'
import { type Mailbox, startMailbox } from './harness/mailbox.ts'

/** Sign-in in the browser against a real identity provider on this machine. */
let provider: IdentityProvider
let house: Harness
let mail: Mailbox
let name = 'ann'
const password = 'correct horse battery'
beforeAll(async () => {
  provider = await startIdentityProvider()
  mail = await startMailbox()
  const smtp = { SMTP_URL: mail.url, MAIL_FROM: 'Tocsin <alerts@tocsin.example>' }
  house = await harness({ ...provider.variables, ...smtp, TRUST_PROXY: '1' })
  provider.serve(house.url)
})
afterAll(async () => {
  await house.close()
  await provider.close()
  await mail.close()
})

/** Follows redirects as a browser does: with the cookies of each origin, and by filling in the provider's forms. */
function makeBrowser(ip?: string) {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: string) => {
    const { origin } = new URL(url)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    return jar
  }
  const send = async (url: string, { headers, ...rest }: RequestInit = {}): Promise<Response> => {
    const jar = jarOf(url)
    const cookie = [...jar].map(([key, value]) => `${key}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie, ...(ip && { 'x-forwarded-for': ip }), ...headers },
      ...rest,
    })
    for (const set of response.headers.getSetCookie()) {
      const [key = '', value = ''] = (set.split(';')[0] ?? '').split(/=(.*)/s)
      if (value === '') jar.delete(key)
      else jar.set(key, value)
    }
    return response
  }
  const ask = (url: string, form?: Record<string, string>) =>
    send(url, form && { method: 'POST', body: new URLSearchParams(form) })
  /** Asks the service for a link as the console does; returns the page of the provider. */
  const startLink = async (body: object = { password, next: '/account' }): Promise<string> => {
    const headers = { 'content-type': 'application/json', 'x-csrf-token': jarOf(house.url).get('tocsin_csrf') ?? '' }
    const response = await send(`${house.url}/api/me/identities`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return ((await response.json()) as { url: string }).url
  }
  /** Visits until the address begins with `stop`; returns that address. */
  const walk = async (start: string, stop: string): Promise<string> => {
    let url = start
    for (let step = 0; step < 20; step += 1) {
      if (url.startsWith(stop)) return url
      let response = await ask(url)
      if (response.status === 200) {
        const page = await response.text()
        const action = new URL(/action="([^"]+)"/.exec(page)?.[1] ?? '', url).href
        const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? ''
        response = await ask(action, { prompt, login: name, password: 'any' })
      }
      const location = response.headers.get('location')
      if (location === null) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
      url = new URL(location, url).href
    }
    throw new Error('too many redirects')
  }
  return { ask, walk, jarOf, startLink }
}

const callback = () => `${house.url}/api/auth/oidc/callback`
const signIn = async (browser = makeBrowser(), next = '/w/acme') => {
  const back = await browser.walk(`${house.url}/api/auth/oidc?next=${encodeURIComponent(next)}`, callback())
  return { browser, back, response: await browser.ask(back) }
}

test('a person signs in at the provider and comes back with a session, to the page that they wanted', async () => {
  const { browser, response } = await signIn()
  expect([response.status, response.headers.get('location')]).toEqual([302, '/w/acme'])
  const me = await browser.ask(`${house.url}/api/me`)
  expect(await me.json()).toMatchObject({ email: 'ann@example.org', name: 'Person ann' })
  const again = await signIn()
  const same = await again.browser.ask(`${house.url}/api/me`)
  expect(await same.json()).toMatchObject({ email: 'ann@example.org' })
  expect(await house.nobody.getSignInMethods()).toMatchObject({ oidc: true })
})

test('the request has PKCE, a state and a nonce, and the state is bound to the browser by a cookie', async () => {
  const browser = makeBrowser()
  const response = await browser.ask(`${house.url}/api/auth/oidc`)
  const url = new URL(response.headers.get('location') ?? '')
  const query = Object.fromEntries(url.searchParams)
  expect(query).toMatchObject({ response_type: 'code', code_challenge_method: 'S256', redirect_uri: callback() })
  expect([query.state, query.nonce, query.code_challenge].every((value) => (value ?? '').length > 30)).toBe(true)
  expect(response.headers.getSetCookie()[0]).toMatch(/^tocsin_oidc=.*HttpOnly.*SameSite=Lax/)
})

test('a callback in another browser, a second time, or with another state does not sign in', async () => {
  const { browser, back } = await signIn()
  const victim = makeBrowser()
  for (const answer of [await victim.ask(back), await browser.ask(back)]) {
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
    expect(await answer.text()).toContain('You are not signed in')
  }
  const fresh = makeBrowser()
  const url = new URL(await fresh.walk(`${house.url}/api/auth/oidc`, callback()))
  url.searchParams.set('state', 'another')
  expect((await fresh.ask(url.href)).status).toBe(401)
})

test('an address that the provider has not verified, and a refusal at the provider, do not sign in', async () => {
  provider.isVerified = false
  name = 'unsure'
  const { response } = await signIn()
  provider.isVerified = true
  expect([response.status, await response.text()]).toEqual([401, expect.stringContaining('has not verified')])
  const browser = makeBrowser()
  const start = await browser.ask(`${house.url}/api/auth/oidc`)
  const { state, iss } = {
    state: new URL(start.headers.get('location') ?? '').searchParams.get('state') ?? '',
    iss: '',
  }
  const denied = await browser.ask(`${callback()}?error=access_denied&state=${state}${iss}`)
  expect(denied.status).toBe(401)
})

test('a person takes over the account that a stranger signed up for with their address', async () => {
  name = 'squatted'
  const body = { email: 'squatted@example.org', password: 'correct horse battery', name: 'Squatter' }
  const squatter = checkedClient(house.url, (await house.nobody.signUp({ body })).token)
  const { token } = await squatter.createToken({ body: { name: 'kept' } })
  const { id } = await squatter.getMe()
  const { browser } = await signIn()
  const me = await browser.ask(`${house.url}/api/me`)
  expect(await me.json()).toMatchObject({ id, email: 'squatted@example.org' })
  await rejects(squatter.getMe(), { code: 'unauthenticated', status: 401 })
  await rejects(checkedClient(house.url, token).getMe(), { code: 'unauthenticated' })
  await rejects(house.nobody.signIn({ body }), { code: 'unauthenticated' })
})

test('a link that a session asked for is refused after the session has ended', async () => {
  name = 'hasty'
  const hasty = await house.person('hasty')
  const browser = await browserOf(hasty)
  const back = await browser.walk(await browser.startLink(), callback())
  await hasty.signOut()
  const refused = await browser.ask(back)
  expect([refused.status, await refused.text()]).toEqual([401, expect.stringContaining('signed out')])
})

test('after the sign-in the browser goes to a page of this service only', async () => {
  name = 'eve'
  const { response } = await signIn(makeBrowser(), '//evil.example.org/x')
  expect(response.headers.get('location')).toBe('/')
})

/** A browser with the session of a person. */
async function browserOf(person: Person) {
  const browser = makeBrowser()
  const answer = await fetch(`${house.url}/api/auth/sign-in/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: person.token }),
  })
  for (const set of answer.headers.getSetCookie()) {
    const [key = '', value = ''] = (set.split(';')[0] ?? '').split(/=(.*)/s)
    browser.jarOf(house.url).set(key, value)
  }
  return browser
}
const deleteAccount = async (person: Person) => {
  await person.deleteMe({ body: { password } })
}
const link = async (person: Person) => {
  const browser = await browserOf(person)
  const back = await browser.walk(await browser.startLink(), callback())
  return browser.ask(back)
}

test('a signed-in person links the provider, which then signs in to the same account', async () => {
  name = 'linda'
  const linda = await house.person('linda')
  const linked = await link(linda)
  expect([linked.status, linked.headers.get('location'), linked.headers.getSetCookie()]).toEqual([302, '/account', []])
  expect(await linda.listIdentities()).toMatchObject([{ kind: 'oidc', issuer: provider.issuer, subject: 'linda' }])
  const { browser } = await signIn()
  const me = await browser.ask(`${house.url}/api/me`)
  expect(await me.json()).toMatchObject({ id: linda.id, email: linda.email })
  const other = await link(await house.person('other'))
  expect([other.status, await other.text()]).toEqual([409, expect.stringContaining('Nothing was linked')])
})

test('the owner is told by mail of a link to the provider, and of a sign-in there from a new place', async () => {
  name = 'nora'
  const nora = await house.person('nora')
  const subjects = () => mail.received.filter(({ to }) => to[0] === nora.email).map(({ headers }) => headers.subject)
  await link(nora)
  await expect.poll(subjects).toEqual(['A sign-in at your identity provider was linked to your account'])
  await signIn(makeBrowser('203.0.113.9'))
  await expect.poll(() => subjects().at(-1)).toBe('Your account was signed in to from a new place')
  expect(mail.received.at(-1)?.text).toContain('IP address: 203.0.113.9')
})

test('a link whose account is deleted during the visit to the provider is refused, and nothing is linked', async () => {
  name = 'leaver'
  const leaver = await house.person('leaver')
  const browser = await browserOf(leaver)
  const back = await browser.walk(await browser.startLink(), callback())
  await deleteAccount(leaver)
  const refused = await browser.ask(back)
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []])
  expect(await refused.text()).toMatch(/You are not signed in.*This account was deleted.*href="\/sign-in"/)
  // The provider now signs in to a new account.
  const me = await (await signIn()).browser.ask(`${house.url}/api/me`)
  expect(await me.json()).toMatchObject({ email: 'leaver@example.org', id: expect.not.stringMatching(leaver.id) })
})

test('a sign-in whose account is deleted at the same moment is refused', async () => {
  name = 'linda'
  const browser = makeBrowser()
  const back = await browser.walk(`${house.url}/api/auth/oidc`, callback())
  const client = new pg.Client({ connectionString: house.databaseUrl })
  await client.connect()
  const linked = `select account_id from identities where subject = 'linda'`
  await client.query(`begin; delete from accounts where id in (${linked})`)
  const answer = browser.ask(back)
  const waiting = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await client.query(waiting)).rows[0].count).toBe(1)
  await client.query('commit')
  await client.end()
  const refused = await answer
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []])
  expect(await refused.text()).toMatch(/You are not signed in.*This account was deleted/)
})

test('nobody starts a link without the password, or with a token; without a password the sign-in must be fresh', async () => {
  await rejects(house.nobody.linkIdentity({ body: { password } }), { code: 'unauthenticated', status: 401 })
  const ann = await house.person('ann')
  await rejects(ann.linkIdentity({ body: { password: 'not it at all' } }), { code: 'forbidden', status: 403 })
  await rejects(ann.linkIdentity(), { code: 'forbidden' })
  const { token } = await ann.createToken({ body: { name: 'all' } })
  const refused = { code: 'insufficient_scope', status: 403 } as const
  await rejects(checkedClient(house.url, token).linkIdentity({ body: { password } }), refused)
  // The address of a link is not enough: it needs the cookie of the browser that asked for it.
  name = 'ann-elsewhere'
  const { url } = await ann.linkIdentity({ body: { password, next: '/account' } })
  const stranger = makeBrowser()
  const back = await stranger.walk(url, callback())
  expect((await stranger.ask(back)).status).toBe(401)
  expect(await ann.listIdentities()).toEqual([])
  // An account of the provider has no password.
  name = 'fresh'
  const { browser } = await signIn()
  expect(await browser.startLink({ next: '//evil.example.org' })).toContain(provider.issuer)
  house.clock.advance(5 * 60_000 + 1)
  expect(await browser.startLink({})).toBeUndefined()
})

test('without a client the pages say so, and an issuer that is away is 502', async () => {
  const none = await harness({ OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_AUDIENCE: 'tocsin' })
  expect((await fetch(`${none.url}/api/auth/oidc`, { redirect: 'manual' })).status).toBe(404)
  expect(await none.nobody.getSignInMethods()).toMatchObject({ oidc: false })
  await none.close()
  const away = await harness({ OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'tocsin' })
  expect((await fetch(`${away.url}/api/auth/oidc`, { redirect: 'manual' })).status).toBe(502)
  await away.close()
})
