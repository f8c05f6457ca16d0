import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { totpCode, totpStep } from '../server/src/domain/accounts/totp.ts'
import { checkedClient, type Harness, harness, type Person, rejects, type Team } from './harness/index.ts'
import { type Mailbox, startMailbox } from './harness/mailbox.ts'
import { makePasskey } from './harness/passkey.ts'
import { makeWallet } from './harness/wallet.ts'

/** A stranger signs up with somebody's address before its owner does, and keeps no way into the account. */
let mail: Mailbox
let house: Harness
let team: Team
beforeAll(async () => {
  mail = await startMailbox()
  house = await harness({ HOST: 'localhost', SMTP_URL: mail.url, MAIL_FROM: 'Tocsin <alerts@tocsin.example>' })
  team = await house.team('acme')
})
beforeEach(() => {
  mail.received.length = 0
  house.clock.advance(3_600_000)
})
afterAll(async () => {
  await house.close()
  await mail.close()
})

const password = 'correct horse battery'
const next = 'another horse entirely'
const signIn = (email: string, password: string) => house.nobody.signIn({ body: { email, password } })
const reset = (token: string, more = {}) => house.nobody.resetPassword({ body: { token, password: next, ...more } })

/** The part that the pattern finds in the first mail to this address that has it. The mail is read once. */
async function readMail(email: string, pattern: RegExp): Promise<string> {
  const find = () => mail.received.findIndex(({ to, text }) => to[0] === email && pattern.test(text))
  await expect.poll(find).toBeGreaterThan(-1)
  const [letter] = mail.received.splice(find(), 1)
  return pattern.exec(letter?.text ?? '')?.[0] ?? ''
}
async function askForLink(email: string): Promise<string> {
  await house.nobody.forgotPassword({ body: { email } })
  return readMail(email, /tcn_reset_\S+/)
}
async function prove(person: Person): Promise<void> {
  await person.requestAddressProof()
  await person.proveAddress({ body: { token: await readMail(person.email, /tcn_email_\S+/) } })
}

/** Everything that opens an account: a token, a wallet, a passkey; and an authenticator app. */
async function plantAll(person: Person) {
  const { token } = await person.createToken({ body: { name: 'kept' } })
  const wallet = makeWallet()
  await person.linkWallet({ body: { ...(await wallet.sign(house)), password } })
  const passkey = makePasskey(house.url)
  const response = passkey.create(await person.createPasskeyOptions({ body: { password } }))
  await person.createPasskey({ body: { name: 'kept', response } })
  const { secret } = await person.createTotp({ body: { password } })
  await person.confirmTotp({ body: { code: totpCode(secret, totpStep(house.clock.now())) } })
  return { token, wallet, passkey }
}

test('the reset that first proves an address leaves the first comer no way in, and no second factor', async () => {
  const stranger = await house.person('victim')
  const { token, wallet, passkey } = await plantAll(stranger)
  await reset(await askForLink(stranger.email))
  // No second factor is asked for: that of the first comer is gone.
  const owner = checkedClient(house.url, (await signIn(stranger.email, next)).token)
  expect(await owner.getSecurity()).toMatchObject({ emailVerified: true, totp: false, passkeys: 0, recoveryCodes: 0 })
  expect(await owner.listIdentities()).toEqual([])
  expect(await owner.listTokens()).toEqual([])
  expect(await owner.listSessions()).toHaveLength(1)
  for (const kept of [token, stranger.token])
    await rejects(checkedClient(house.url, kept).getMe(), { code: 'unauthenticated', status: 401 })
  const response = passkey.get(await house.nobody.createPasskeySignIn())
  await rejects(house.nobody.signInByPasskey({ body: { response } }), { code: 'unauthenticated' })
  const { account } = await house.nobody.signInByWallet({ body: await wallet.sign(house) })
  expect(account.id).not.toBe(stranger.id)
})

describe('a reset of an account whose address is verified', () => {
  test('leaves tokens and second factors, unless it is asked to end the tokens', async () => {
    const ann = await house.person('ann')
    await prove(ann)
    const { token } = await plantAll(ann)
    await reset(await askForLink(ann.email))
    expect(await checkedClient(house.url, token).getMe()).toMatchObject({ id: ann.id })
    await rejects(signIn(ann.email, next), { code: 'second_factor_required' })
    await rejects(ann.getMe(), { code: 'unauthenticated' })
    await reset(await askForLink(ann.email), { endTokens: true })
    await rejects(checkedClient(house.url, token).getMe(), { code: 'unauthenticated' })
    await rejects(signIn(ann.email, next), { code: 'second_factor_required' })
  })

  test('the operator keeps the tokens, because nobody signed up with the address', async () => {
    const { email = '', token } = house.service.firstAccount ?? {}
    await reset(await askForLink(email))
    expect(await checkedClient(house.url, token).getSecurity()).toMatchObject({ emailVerified: true })
  })

  test('a link proves the address that it was mailed to, and no other', async () => {
    const eve = await house.person('eve')
    const link = `tcn_reset_${randomBytes(8).toString('hex')}`
    const now = house.clock.now()
    await eve.changeEmail({ body: { email: `other-${eve.email}`, password } })
    // The job that mails the link read the address before it changed, and stored the link afterwards.
    await house.service.store.passwordResets.add(eve, link, new Date(now.getTime() + 60_000), now)
    await rejects(reset(link), { code: 'invalid_payload', details: { issues: [{ path: 'token' }] } })
    expect(await eve.getSecurity()).toMatchObject({ emailVerified: false })
  })
})

describe('a mailed link shows that an address is one’s own', () => {
  test('once, for a day, and for the account that asked for it', async () => {
    const [ann, eve] = await Promise.all([house.person('ann'), house.person('eve')])
    await ann.requestAddressProof()
    const link = await readMail(ann.email, /tcn_email_\S+/)
    const issues = [{ path: 'token' }]
    await rejects(ann.proveAddress({ body: { token: 'made-up' } }), { code: 'invalid_payload', details: { issues } })
    await rejects(eve.proveAddress({ body: { token: link } }), { code: 'invalid_payload', details: { issues } })
    expect(await eve.getSecurity()).toMatchObject({ emailVerified: false })
    await prove(ann)
    expect(await ann.getSecurity()).toMatchObject({ emailVerified: true })
    await ann.requestAddressProof()
    await eve.requestAddressProof()
    const late = await readMail(eve.email, /tcn_email_\S+/)
    expect(mail.received.filter(({ to }) => to[0] === ann.email)).toEqual([])
    house.clock.advance(24 * 3_600_000)
    await rejects(eve.proveAddress({ body: { token: late } }), { code: 'invalid_payload' })
  })

  test('not after the address has changed', async () => {
    const ann = await house.person('ann')
    await ann.requestAddressProof()
    const link = await readMail(ann.email, /tcn_email_\S+/)
    await ann.changeEmail({ body: { email: `moved-${ann.email}`, password } })
    await rejects(ann.proveAddress({ body: { token: link } }), { code: 'invalid_payload' })
  })
})

describe('an invitation by e-mail', () => {
  const invite = async (email: string) => {
    await team.owner.createInvitation({ fullname: 'acme', body: { email, level: 'admin' } })
    return readMail(email, /(?<=\/join\/acme#)\S+/)
  }

  test('needs a verified address if the account has a way in besides its password', async () => {
    const stranger = await house.person('victim')
    const { token } = await stranger.createToken({ body: { name: 'kept' } })
    const link = await invite(stranger.email)
    const join = (client: Pick<Person, 'joinWorkspace'>) =>
      client.joinWorkspace({ workspace: 'acme', body: { invite: link } })
    await rejects(join(stranger), { code: 'email_not_verified', status: 403 })
    await rejects(join(checkedClient(house.url, token)), { code: 'email_not_verified' })
    await prove(stranger)
    await join(stranger)
  })

  test('verifies the address of an account that only its password opens', async () => {
    const guest = await house.person('guest')
    const body = { invite: await invite(guest.email) }
    await guest.joinWorkspace({ workspace: 'acme', body })
    expect(await guest.getSecurity()).toMatchObject({ emailVerified: true })
  })
})
