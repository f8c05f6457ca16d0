import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { totpCode, totpStep } from '../server/src/domain/accounts/totp.ts'
import { checkedClient, type Harness, harness, type Person, rejects } from './harness/index.ts'
import { makePasskey } from './harness/passkey.ts'
import { stopClock } from './harness/stop-clock.ts'
import { makeWallet } from './harness/wallet.ts'

/** Browsers offer passkeys for localhost, not for an IP address. */
let house: Harness
beforeAll(async () => {
  house = await harness({ HOST: 'localhost' })
})
// All tests sign in from one IP address. After an hour its wrong attempts are forgotten.
beforeEach(() => house.clock.advance(3_600_000))
afterAll(() => house.close())

const password = 'correct horse battery'
type SignIn = Parameters<Harness['nobody']['signIn']>[0]['body']
const signIn = ({ email }: Person, more: Partial<SignIn> = {}) =>
  house.nobody.signIn({ body: { email, password, ...more } })

/** Sets up an authenticator app. Each call of `code` returns a code of a later step, because a code works once. */
async function addTotp(person: Person) {
  const { secret, uri } = await person.createTotp({ body: { password } })
  expect(uri).toContain(`secret=${secret}`)
  const code = () => {
    house.clock.advance(30_000)
    return totpCode(secret, totpStep(house.clock.now()))
  }
  const { recoveryCodes } = await person.confirmTotp({ body: { code: code() } })
  return { secret, code, recoveryCodes }
}

async function addPasskey(person: Person, name = 'laptop') {
  const passkey = makePasskey(house.url)
  const response = passkey.create(await person.createPasskeyOptions({ body: { password } }))
  const created = await person.createPasskey({ body: { name, response } })
  return { passkey, created }
}

describe('an authenticator app', () => {
  test('counts only after a code was confirmed; then the password alone does not sign in', async () => {
    const ann = await house.person('ann')
    await ann.createTotp({ body: { password } })
    expect(await signIn(ann)).toHaveProperty('token')
    const { code, recoveryCodes } = await addTotp(ann)
    expect(recoveryCodes).toHaveLength(10)
    expect(await ann.getSecurity()).toMatchObject({ hasPassword: true, totp: true, recoveryCodes: 10 })
    const details = { methods: ['totp', 'recovery_code'] }
    await rejects(signIn(ann), { code: 'second_factor_required', status: 401, details })
    await rejects(signIn(ann, { code: '' }), { code: 'second_factor_required' })
    const { token, account } = await signIn(ann, { code: code() })
    expect(account.id).toBe(ann.id)
    expect(await checkedClient(house.url, token).getMe()).toMatchObject({ id: ann.id })
    await rejects(ann.createTotp({ body: { password } }), { code: 'already_exists', status: 409 })
    await rejects(ann.confirmTotp({ body: { code: code() } }), { code: 'not_found', status: 404 })
  })

  test('a code signs in once, also when two requests send it at the same time', async () => {
    const ann = await house.person('ann')
    const { code } = await addTotp(ann)
    const once = code()
    const outcomes = await Promise.allSettled([signIn(ann, { code: once }), signIn(ann, { code: once })])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refused = await rejects(signIn(ann, { code: once }), { code: 'unauthenticated', status: 401 })
    expect(refused.message).toMatch(/wrong or was used/)
  })

  test('a wrong password gets the same reply as without a second factor', async () => {
    const ann = await house.person('ann')
    const { code } = await addTotp(ann)
    const wrong = signIn(ann, { password: 'not it at all', code: code() })
    const refused = await rejects(wrong, { code: 'unauthenticated' })
    expect([refused.message, refused.details]).toEqual(['The e-mail or the password is wrong.', {}])
  })

  test('guesses of codes are delayed', async () => {
    const ann = await house.person('ann')
    const { recoveryCodes } = await addTotp(ann)
    stopClock(house)
    for (let n = 0; n < 5; n += 1) await rejects(signIn(ann, { code: '000000' }), { code: 'unauthenticated' })
    await rejects(signIn(ann, { code: recoveryCodes[0] ?? '' }), { code: 'rate_limited', status: 429 })
  })

  test('a wrong code does not finish the setup', async () => {
    const ann = await house.person('ann')
    await rejects(ann.confirmTotp({ body: { code: '123456' } }), { code: 'not_found' })
    await ann.createTotp({ body: { password } })
    const issues = [{ path: 'code' }]
    await rejects(ann.confirmTotp({ body: { code: 'abcdef' } }), { code: 'invalid_payload', details: { issues } })
    expect(await signIn(ann)).toHaveProperty('token')
  })

  test('is removed with the password, together with the recovery codes', async () => {
    const ann = await house.person('ann')
    await rejects(ann.deleteTotp({ body: { password } }), { code: 'not_found', status: 404 })
    await addTotp(ann)
    await rejects(ann.deleteTotp({ body: { password: 'not it at all' } }), { code: 'forbidden', status: 403 })
    await rejects(ann.deleteTotp(), { code: 'forbidden' })
    const { status } = await ann.whole.deleteTotp({ body: { password } })
    expect(status).toBe(204)
    expect(await ann.getSecurity()).toMatchObject({ totp: false, recoveryCodes: 0 })
    expect(await signIn(ann)).toHaveProperty('token')
  })

  test('neither store nor log contains its secret or a recovery code in plain text', async () => {
    const ann = await house.person('ann')
    const { secret, recoveryCodes } = await addTotp(ann)
    const { dumpTables } = await import('./harness/dump.ts')
    const everything = `${await dumpTables(house.databaseUrl)}${house.logs.join('')}`
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      expect(everything).not.toContain(text)
  })
})

describe('recovery codes', () => {
  test('each signs in once, however it is typed', async () => {
    const ann = await house.person('ann')
    const { recoveryCodes } = await addTotp(ann)
    const [first = '', second = ''] = recoveryCodes
    expect(await signIn(ann, { code: ` ${first.toUpperCase().replaceAll('-', ' ')}` })).toHaveProperty('token')
    await rejects(signIn(ann, { code: first }), { code: 'unauthenticated' })
    expect(await signIn(ann, { code: second })).toHaveProperty('token')
    expect(await ann.getSecurity()).toMatchObject({ recoveryCodes: 8 })
  })

  test('new codes replace the old ones, and need the password and a second factor', async () => {
    const ann = await house.person('ann')
    await rejects(ann.createRecoveryCodes({ body: { password } }), { code: 'not_found', status: 404 })
    const { recoveryCodes: old } = await addTotp(ann)
    await rejects(ann.createRecoveryCodes(), { code: 'forbidden' })
    const { recoveryCodes } = await ann.createRecoveryCodes({ body: { password } })
    await rejects(signIn(ann, { code: old[0] ?? '' }), { code: 'unauthenticated' })
    expect(await signIn(ann, { code: recoveryCodes[0] ?? '' })).toHaveProperty('token')
  })
})

describe('passkeys', () => {
  test('sign in without a password, and the first brings recovery codes', async () => {
    const ann = await house.person('ann')
    const { passkey, created } = await addPasskey(ann)
    expect(created).toMatchObject({ name: 'laptop', recoveryCodes: expect.any(Array) })
    const second = await addPasskey(ann, 'phone')
    expect(second.created).not.toHaveProperty('recoveryCodes')
    const options = await house.nobody.createPasskeySignIn()
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] })
    const { token, account } = await house.nobody.signInByPasskey({ body: { response: passkey.get(options) } })
    expect(account.id).toBe(ann.id)
    expect(await checkedClient(house.url, token).getMe()).toMatchObject({ id: ann.id })
    const listed = await ann.listPasskeys()
    expect(listed.map(({ name }) => name).sort()).toEqual(['laptop', 'phone'])
    expect(listed.find(({ id }) => id === passkey.id)).toHaveProperty('lastUsedAt')
  })

  test('are a second factor: the password alone does not sign in, the options name the passkeys of the account', async () => {
    const ann = await house.person('ann')
    const { passkey, created } = await addPasskey(ann)
    const refused = await rejects(signIn(ann), { code: 'second_factor_required', status: 401 })
    expect(refused.details?.methods).toEqual(['recovery_code', 'passkey'])
    const options = refused.details?.passkey as { challenge: string }
    expect(options).toMatchObject({ allowCredentials: [{ id: passkey.id }] })
    const answer = passkey.get(options, { isVerified: false })
    expect(await signIn(ann, { passkey: answer })).toHaveProperty('token')
    await rejects(signIn(ann, { passkey: answer }), { code: 'unauthenticated' })
    expect(await signIn(ann, { code: created.recoveryCodes?.[0] ?? '' })).toHaveProperty('token')
  })

  test('a challenge works once, for five minutes, and for its own purpose', async () => {
    const ann = await house.person('ann')
    const { passkey } = await addPasskey(ann)
    const enter = (options: { challenge: string }, flags = {}) =>
      house.nobody.signInByPasskey({ body: { response: passkey.get(options, flags) } })
    const used = await house.nobody.createPasskeySignIn()
    await enter(used)
    await rejects(enter(used), { code: 'unauthenticated', status: 401 })
    await rejects(enter({ challenge: 'bWFkZSB1cA' }), { code: 'unauthenticated' })
    await rejects(enter(await ann.createPasskeyOptions({ body: { password } })), { code: 'unauthenticated' })
    await rejects(enter(await house.nobody.createPasskeySignIn(), { isVerified: false }), { code: 'unauthenticated' })
    const late = await house.nobody.createPasskeySignIn()
    house.clock.advance(5 * 60_000)
    await rejects(enter(late), { code: 'unauthenticated' })
  })

  test('a passkey of another site, of another account and an unknown one do not sign in', async () => {
    const [ann, eve] = await Promise.all([house.person('ann'), house.person('eve')])
    await addPasskey(ann)
    const { passkey: eves } = await addPasskey(eve)
    const stranger = makePasskey(house.url)
    const options = await house.nobody.createPasskeySignIn()
    await rejects(house.nobody.signInByPasskey({ body: { response: stranger.get(options) } }), {
      code: 'unauthenticated',
    })
    const refused = await rejects(signIn(ann), { code: 'second_factor_required' })
    const answer = eves.get(refused.details?.passkey as { challenge: string })
    await rejects(signIn(ann, { passkey: answer }), { code: 'unauthenticated' })
    const phishing = makePasskey('http://phishing.localhost:1234')
    const body = { name: 'phished', response: phishing.create(await ann.createPasskeyOptions({ body: { password } })) }
    await rejects(ann.createPasskey({ body }), { code: 'invalid_payload', details: { issues: [{ path: 'response' }] } })
  })

  test('the setup answers only the account that started it', async () => {
    const [ann, eve] = await Promise.all([house.person('ann'), house.person('eve')])
    const passkey = makePasskey(house.url)
    const response = passkey.create(await ann.createPasskeyOptions({ body: { password } }))
    await rejects(eve.createPasskey({ body: { name: 'mine', response } }), { code: 'invalid_payload' })
  })

  test('can be renamed and removed, by their own account only', async () => {
    const [ann, eve] = await Promise.all([house.person('ann'), house.person('eve')])
    const { passkey } = await addPasskey(ann)
    const { id } = passkey
    await rejects(eve.savePasskey({ id, body: { name: 'stolen' } }), { code: 'not_found', status: 404 })
    await rejects(eve.deletePasskey({ id, body: { password } }), { code: 'not_found', status: 404 })
    await rejects(house.nobody.listPasskeys(), { code: 'unauthenticated' })
    expect(await eve.listPasskeys()).toEqual([])
    expect(await ann.savePasskey({ id, body: { name: 'desk' } })).toMatchObject({ id, name: 'desk' })
    await rejects(ann.deletePasskey({ id }), { code: 'forbidden' })
    await ann.deletePasskey({ id, body: { password } })
    expect(await ann.getSecurity()).toMatchObject({ passkeys: 0, recoveryCodes: 0 })
    expect(await signIn(ann)).toHaveProperty('token')
  })
})

describe('a change of second factors and sign-ins', () => {
  const wallet = makeWallet()
  type Proof = Parameters<Person['createTotp']>[0]
  const changes: [string, (person: Person, proof: NonNullable<NonNullable<Proof>['body']>) => Promise<unknown>][] = [
    ['an authenticator app', (person, body) => person.createTotp({ body })],
    ['a passkey', (person, body) => person.createPasskeyOptions({ body })],
    ['a wallet', async (person, proof) => person.linkWallet({ body: { ...(await wallet.sign(house)), ...proof } })],
    ['no passkey', (person, body) => person.deletePasskey({ id: 'none', body })],
    ['no wallet', (person, body) => person.deleteIdentity({ id: 'none', body })],
    ['no authenticator app', (person, body) => person.deleteTotp({ body })],
    ['new recovery codes', (person, body) => person.createRecoveryCodes({ body })],
  ]

  test.each(changes)('needs the password: %s', async (_, change) => {
    const ann = await house.person('ann')
    await rejects(change(ann, {}), { code: 'forbidden', status: 403 })
    await rejects(change(ann, { password: 'not it at all' }), { code: 'forbidden' })
    // With the password, what is not there is not found.
    expect(await change(ann, { password }).catch((error: { code: string }) => error.code)).not.toBe('forbidden')
  })

  test.each(changes)('takes a passkey of the account in place of the password: %s', async (_, change) => {
    const [ann, eve] = [await house.person('ann'), await house.person('eve')]
    const { passkey } = await addPasskey(ann)
    const { passkey: eves } = await addPasskey(eve)
    const answer = async (key: typeof passkey, flags = {}) => ({
      passkey: key.get(await house.nobody.createPasskeySignIn(), flags),
    })
    await rejects(change(ann, await answer(eves)), { code: 'forbidden', status: 403 })
    await rejects(change(ann, await answer(passkey, { isVerified: false })), { code: 'forbidden' })
    const proof = await answer(passkey)
    expect(await change(ann, proof).catch((error: { code: string }) => error.code)).not.toBe('forbidden')
    // It works once.
    await rejects(change(ann, proof), { code: 'forbidden' })
  })

  test('needs a sign-in in the last five minutes if the account has no password', async () => {
    const ann = await house.person('ann')
    const { passkey } = await addPasskey(ann)
    await house.database.query('update accounts set password_hash = null where id = $1', [ann.id])
    await ann.createTotp()
    house.clock.advance(5 * 60_000 + 1)
    for (const [, change] of changes) {
      const refused = await rejects(change(ann, {}), { code: 'forbidden', status: 403 })
      expect(refused.message).toContain('Sign out and in again')
      // There is no password that could be right.
      await rejects(change(ann, { password }), { code: 'forbidden' })
    }
    const response = passkey.get(await house.nobody.createPasskeySignIn())
    const { token } = await house.nobody.signInByPasskey({ body: { response } })
    await checkedClient(house.url, token).createTotp()
  })

  test('guesses of the password are delayed', async () => {
    const ann = await house.person('ann')
    stopClock(house)
    for (let n = 0; n < 5; n += 1)
      await rejects(ann.createTotp({ body: { password: 'a wild guess' } }), { code: 'forbidden' })
    await rejects(ann.createTotp({ body: { password } }), { code: 'rate_limited', status: 429 })
  })
})
