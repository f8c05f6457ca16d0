import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { totpCode, totpStep } from '../server/src/domain/accounts/totp.ts'
import { checkedClient, type Harness, harness, type Person } from './harness/index.ts'
import { type Mailbox, startMailbox } from './harness/mailbox.ts'
import { makePasskey } from './harness/passkey.ts'
import { makeWallet } from './harness/wallet.ts'

/** The owner of an account is told by mail of each way in that is added, and of each new place where one is used. */
let mail: Mailbox
let house: Harness
beforeAll(async () => {
  mail = await startMailbox()
  house = await harness({ HOST: 'localhost', TRUST_PROXY: '1', SMTP_URL: mail.url, MAIL_FROM: 'alerts@tocsin.example' })
})
beforeEach(() => house.clock.advance(3_600_000))
afterAll(async () => {
  await house.close()
  await mail.close()
})

const password = 'correct horse battery'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
const mailsOf = ({ email }: Person) => mail.received.filter(({ to }) => to[0] === email)
const subjectsOf = (person: Person) => mailsOf(person).map(({ headers }) => headers.subject)
/** Every mail that was asked for before this one has been sent. */
async function subjectsUntil(person: Person, last: string): Promise<unknown[]> {
  await expect.poll(() => subjectsOf(person)).toContain(last)
  return subjectsOf(person)
}

const signIn = (email: string, ip: string, userAgent: string) =>
  fetch(`${house.url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': ip, 'user-agent': userAgent },
    body: JSON.stringify({ email, password }),
  })
const use = (token: string, ip: string) =>
  fetch(`${house.url}/api/me`, { headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': ip } })

test('a token, a wallet, a passkey or an authenticator app that is added is told, without a text that somebody wrote', async () => {
  const ann = await house.person('ann')
  await ann.createToken({ body: { name: 'Click http://evil.example.org' } })
  await ann.linkWallet({ body: { ...(await makeWallet().sign(house)), password } })
  const response = makePasskey(house.url).create(await ann.createPasskeyOptions({ body: { password } }))
  await ann.createPasskey({ body: { name: 'Click http://evil.example.org', response } })
  const { secret } = await ann.createTotp({ body: { password } })
  await ann.confirmTotp({ body: { code: totpCode(secret, totpStep(house.clock.now())) } })
  await expect
    .poll(() => subjectsOf(ann).toSorted())
    .toEqual([
      'A passkey was added to your account',
      'A wallet was linked to your account',
      'An access token was added to your account',
      'An authenticator app was added to your account',
    ])
  for (const { text, html } of mailsOf(ann)) {
    expect(text).toContain(`Service: ${new URL(house.url).host}`)
    expect(text).toContain(`${house.url}/forgot-password`)
    expect(`${text}${html}`).not.toContain('evil')
  }
})

test('a sign-in from a new place is told once; the same network and browser are one place', async () => {
  const ann = await house.person('ann')
  await signIn(ann.email, '203.0.113.9', firefox)
  await expect.poll(() => subjectsOf(ann)).toEqual(['Your account was signed in to from a new place'])
  expect(mailsOf(ann)[0]?.text).toMatch(/IP address: 203\.0\.113\.9\nBrowser or program: Firefox on Linux/)
  await signIn(ann.email, '203.0.113.77', firefox.replaceAll('143', '150'))
  await signIn(ann.email, '203.0.113.9', 'curl/8.5.0')
  await expect.poll(() => subjectsOf(ann)).toHaveLength(2)
  expect(mailsOf(ann)[1]?.text).toContain('Browser or program: curl')
  const { rows } = await house.database.query('select * from account_places where account_id = $1', [ann.id])
  expect(rows).toHaveLength(3)
  expect(JSON.stringify(rows)).not.toMatch(/203\.0|Firefox|curl/)
})

test('a wallet and a passkey that sign in from a new place are told', async () => {
  const ann = await house.person('ann')
  const [wallet, passkey] = [makeWallet(), makePasskey(house.url)]
  await ann.linkWallet({ body: { ...(await wallet.sign(house)), password } })
  const response = passkey.create(await ann.createPasskeyOptions({ body: { password } }))
  const { recoveryCodes = [] } = await ann.createPasskey({ body: { name: 'laptop', response } })
  const enter = async (path: string, ip: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': ip, 'user-agent': firefox }
    const { status } = await fetch(`${house.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(status).toBe(200)
  }
  const told = 'Your account was signed in to from a new place'
  const places = () =>
    mailsOf(ann).flatMap(({ headers, text }) => (headers.subject === told ? [/IP address: (\S+)/.exec(text)?.[1]] : []))
  await enter('/api/auth/wallet', '198.51.100.7', { ...(await wallet.sign(house)), code: recoveryCodes[0] })
  await expect.poll(places).toEqual(['198.51.100.7'])
  const signed = passkey.get(await house.nobody.createPasskeySignIn())
  await enter('/api/auth/passkey', '203.0.113.7', { response: signed })
  await expect.poll(places).toEqual(['198.51.100.7', '203.0.113.7'])
})

test('a token that is used from a new place is told, at most once a day', async () => {
  const ann = await house.person('ann')
  const { token } = await ann.createToken({ body: { name: 'ci' } })
  for (const ip of ['192.0.2.1', '192.0.2.250', '198.51.100.1', '203.0.113.1'])
    expect((await use(token, ip)).status).toBe(200)
  const told = 'An access token of your account was used from a new place'
  expect((await subjectsUntil(ann, told)).filter((each) => each === told)).toHaveLength(1)
  expect(mailsOf(ann).at(-1)?.text).toContain('IP address: 198.51.100.1')
  house.clock.advance(24 * 3_600_000)
  await use(token, '203.0.113.1')
  await use(token, '192.0.2.1')
  await use(token, '100.64.0.1')
  await expect.poll(() => subjectsOf(ann).filter((each) => each === told)).toHaveLength(2)
  expect(mailsOf(ann).at(-1)?.text).toContain('IP address: 100.64.0.1')
})

test('a mailbox gets few of these mails, and an account keeps few places', async () => {
  const ann = await house.person('ann')
  house.clock.stop()
  for (let made = 0; made < 25; made += 1) await ann.createToken({ body: { name: 'many' } })
  for (let at = 0; at < 60; at += 1) await signIn(ann.email, `10.1.${at}.1`, firefox)
  await ann.requestAddressProof()
  await subjectsUntil(ann, 'Confirm your e-mail address')
  expect(subjectsOf(ann).filter((each) => each !== 'Confirm your e-mail address')).toHaveLength(20)
  house.clock.start()
  const { rows } = await house.database.query(
    'select count(*)::int as count from account_places where account_id = $1',
    [ann.id],
  )
  expect(rows).toEqual([{ count: 50 }])
})

test('without a mail server nothing is kept about places', async () => {
  const silent = await harness({ TRUST_PROXY: '1' })
  const ann = await silent.person('ann')
  const { token } = await ann.createToken({ body: { name: 'ci' } })
  await checkedClient(silent.url, token).getMe()
  expect((await silent.database.query('select * from account_places')).rows).toEqual([])
  await silent.close()
})
