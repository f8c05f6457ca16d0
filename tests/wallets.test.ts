import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { totpCode, totpStep } from '../server/src/domain/accounts/totp.ts'
import { checkedClient, type Harness, harness, rejects } from './harness/index.ts'
import { stopClock } from './harness/stop-clock.ts'
import { makeWallet } from './harness/wallet.ts'

/** Sign-in with a wallet (EIP-4361), with keys made here. */
let house: Harness
beforeAll(async () => {
  house = await harness()
})
// All tests sign in from one IP address. After an hour its wrong attempts are forgotten.
beforeEach(() => house.clock.advance(3_600_000))
afterAll(() => house.close())

type Signed = Awaited<ReturnType<ReturnType<typeof makeWallet>['signText']>>
const enter = (body: Signed & { code?: string }) => house.nobody.signInByWallet({ body })

test('the first sign-in creates an account with a workspace, the next ones open it', async () => {
  const wallet = makeWallet()
  const { message } = await house.nobody.createWalletMessage({ body: { address: wallet.address.toLowerCase() } })
  expect(message).toContain(
    `${new URL(house.url).host} wants you to sign in with your Ethereum account:\n${wallet.address}`,
  )
  const first = await enter(await wallet.signText(message))
  expect(first.account.email).toMatch(/@wallet\.invalid$/)
  const person = checkedClient(house.url, first.token)
  expect(await person.listWorkspaces()).toMatchObject([{ level: 'owner' }])
  expect(await person.listIdentities()).toMatchObject([{ kind: 'wallet', subject: wallet.address.toLowerCase() }])
  const again = await enter(await wallet.sign(house))
  expect(again.account.id).toBe(first.account.id)
})

test('a nonce works once and for ten minutes, and must be one of this service', async () => {
  const wallet = makeWallet()
  const signed = await wallet.sign(house)
  const outcomes = await Promise.allSettled([enter(signed), enter(signed)])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await rejects(enter(signed), { code: 'unauthenticated', status: 401 })
  const late = await wallet.sign(house)
  house.clock.advance(10 * 60_000)
  await rejects(enter(late), { code: 'unauthenticated' })
  const { message } = await house.nobody.createWalletMessage({ body: { address: wallet.address } })
  await rejects(enter(await wallet.signText(message.replace(/Nonce: \w+/, 'Nonce: madeup12345'))), {
    code: 'unauthenticated',
  })
})

test('a message of another site, of another address, that has expired or was changed does not sign in', async () => {
  const [wallet, other] = [makeWallet(), makeWallet()]
  const fresh = async () => (await house.nobody.createWalletMessage({ body: { address: wallet.address } })).message
  const { host } = new URL(house.url)
  const wrong = [
    await wallet.signText((await fresh()).replace(host, 'evil.example.org')),
    await wallet.signText((await fresh()).replace(`URI: http://${host}`, 'URI: http://evil.example.org')),
    await wallet.signText((await fresh()).replace(/Expiration Time: .*/, 'Expiration Time: 2020-01-01T00:00:00.000Z')),
    await other.signText(await fresh()),
    { ...(await wallet.sign(house)), message: await fresh() },
    { ...(await wallet.sign(house)), signature: `0x${'00'.repeat(65)}` as const },
    await wallet.signText('hello'),
  ]
  for (const signed of wrong) await rejects(enter(signed), { code: 'unauthenticated', status: 401 })
  const short = { message: await fresh(), signature: '0x00' }
  await rejects(house.nobody.signInByWallet({ body: short }), { code: 'invalid_payload' })
})

test('a replayed message counts as a guess', async () => {
  const wallet = makeWallet()
  const signed = await wallet.sign(house)
  await enter(signed)
  stopClock(house)
  for (let n = 0; n < 20; n += 1) await rejects(enter(signed), { code: 'unauthenticated', status: 401 })
  const fresh = await wallet.sign(house)
  await rejects(enter(fresh), { code: 'rate_limited', status: 429 })
  house.clock.advance(2_000)
  expect(await enter(fresh)).toHaveProperty('token')
})

test('a wallet that is linked to an account signs in to it, and asks for its second factor', async () => {
  const [ann, eve] = await Promise.all([house.person('ann'), house.person('eve')])
  const wallet = makeWallet()
  await ann.linkWallet({ body: { ...(await wallet.sign(house)), password } })
  await rejects(eve.linkWallet({ body: { ...(await wallet.sign(house)), password } }), {
    code: 'already_exists',
    status: 409,
  })
  expect((await enter(await wallet.sign(house))).account.id).toBe(ann.id)
  const { secret } = await ann.createTotp({ body: { password } })
  await ann.confirmTotp({ body: { code: totpCode(secret, totpStep(house.clock.now())) } })
  const signed = await wallet.sign(house)
  await rejects(enter(signed), { code: 'second_factor_required', status: 401 })
  house.clock.advance(30_000)
  const code = totpCode(secret, totpStep(house.clock.now()))
  expect((await enter({ ...signed, code })).account.id).toBe(ann.id)
})

test('a linked wallet is removed with the password; the only way to sign in stays', async () => {
  const ann = await house.person('ann')
  const wallet = makeWallet()
  await ann.linkWallet({ body: { ...(await wallet.sign(house)), password } })
  const [identity] = await ann.listIdentities()
  const eve = await house.person('eve')
  await rejects(eve.deleteIdentity({ id: identity?.id ?? '', body: { password } }), { code: 'not_found' })
  await rejects(ann.deleteIdentity({ id: identity?.id ?? '' }), { code: 'forbidden' })
  await ann.deleteIdentity({ id: identity?.id ?? '', body: { password } })
  expect(await ann.listIdentities()).toEqual([])
  const { token } = await enter(await wallet.sign(house))
  const alone = checkedClient(house.url, token)
  const [only] = await alone.listIdentities()
  await rejects(alone.deleteIdentity({ id: only?.id ?? '' }), { code: 'forbidden', status: 403 })
})

const password = 'correct horse battery'
