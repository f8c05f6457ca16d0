import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Harness, harness, project, rejects, resource, subscription, type Team, trigger } from './harness/index.ts'
import { type Mailbox, startMailbox } from './harness/mailbox.ts'
import { run } from './setup/postgres.ts'

/** An address gets no alerts by e-mail before its owner opened the confirmation link. */
let mail: Mailbox
let house: Harness
let team: Team
beforeAll(async () => {
  mail = await startMailbox()
  house = await harness({ SMTP_URL: mail.url, MAIL_FROM: 'Tocsin <alerts@tocsin.example>' })
  team = await house.team('acme')
})
beforeEach(() => {
  mail.received.length = 0
  mail.refuse = () => undefined
})
afterAll(async () => {
  await house.close()
  await mail.close()
})

const save = (fullname: string, to: string, by = team.owner) =>
  by.saveResource({ fullname, body: resource(fullname, { blueprint: 'common.delivery.email', data: { to } }) })
const linkIn = (index = 0) =>
  /https?:\/\/\S+\/api\/confirm-email\/\S+/.exec(mail.received[index]?.text ?? '')?.[0] ?? ''
const tokenIn = (index = 0) => linkIn(index).split('/').at(-1) ?? ''
const waiting = expect.stringContaining('open the link in the e-mail')

test('a resource is not ready until the button on the linked page is pressed; opening the link changes nothing', async () => {
  const saved = await save('acme.mail', 'Ann@example.org')
  expect(saved).toMatchObject({ ready: false, remark: waiting, data: { to: 'Ann@example.org' } })
  expect(mail.received).toMatchObject([{ to: ['Ann@example.org'], from: 'alerts@tocsin.example' }])
  expect(mail.received[0]?.text).toContain('"acme"')
  expect(linkIn()).toContain(`${house.url}/api/confirm-email/`)
  expect(linkIn()).not.toContain('example.org')
  const page = await fetch(linkIn())
  const action = /action="([^"]+)"/.exec(await page.text())?.[1] ?? ''
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(await team.user.getResource({ fullname: 'acme.mail' })).toMatchObject({ ready: false, remark: waiting })
  const pressed = await fetch(new URL(action, linkIn()), { method: 'POST', body: new URLSearchParams() })
  expect([pressed.status, await pressed.text()]).toEqual([200, expect.stringContaining('Confirmed')])
  expect(await team.user.getResource({ fullname: 'acme.mail' })).toMatchObject({ ready: true, remark: null })
  expect(house.logs.join('')).not.toContain(tokenIn())
})

test('a test of a subscription sends nothing to an address that is not confirmed', async () => {
  await team.owner.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  await team.owner.saveTrigger({ fullname: 'acme.p.t', body: trigger('acme.p.t') })
  await save('acme.unasked', 'unasked@example.org')
  const { id } = await team.owner.createSubscription({
    body: subscription('acme.p.t', { resources: ['acme.unasked'] }),
  })
  const { deliveries } = await team.owner.testSubscription({ id, body: { deliver: true } })
  expect(deliveries).toMatchObject([{ ok: false, error: expect.stringContaining('not ready') }])
  expect(mail.received).toHaveLength(1)
})

test('a confirmed address stays confirmed, a new address needs a new confirmation, and an old link confirms only its own address', async () => {
  await save('acme.moves', 'first@example.org')
  await house.nobody.confirmEmail({ token: tokenIn() })
  expect(await save('acme.moves', 'First@example.org')).toMatchObject({ ready: true, remark: null })
  expect(mail.received).toHaveLength(1)
  expect(await save('acme.moves', 'second@example.org')).toMatchObject({ ready: false, remark: waiting })
  await rejects(house.nobody.confirmEmail({ token: tokenIn() }), { code: 'not_found', status: 404 })
  await save('acme.moves', 'second@example.org')
  expect(mail.received.map(({ to }) => to[0])).toEqual([
    'first@example.org',
    'second@example.org',
    'second@example.org',
  ])
  await house.nobody.confirmEmail({ token: tokenIn(1) })
  expect(await team.user.getResource({ fullname: 'acme.moves' })).toMatchObject({ ready: true, remark: null })
})

test('a link expires, confirms only its own resource, and does not enable a resource that was switched off', async () => {
  const { id } = await save('acme.strict', 'strict@example.org')
  const token = tokenIn()
  const [text = '', mac = ''] = [token.slice(0, token.lastIndexOf('.')), token.slice(token.lastIndexOf('.') + 1)]
  const unsubscribe = house.service.store.signatures.sign('unsubscribe', text)
  for (const wrong of [text, `${text}.${'A'.repeat(mac.length)}`, unsubscribe, 'x'])
    await rejects(house.nobody.confirmEmail({ token: wrong }), { code: 'not_found', status: 404 })
  house.clock.advance(3 * 24 * 3_600_000)
  await rejects(house.nobody.confirmEmail({ token }), { code: 'link_expired', status: 410 })
  const page = await fetch(`${linkIn()}/page`, { method: 'POST', body: new URLSearchParams() })
  expect([page.status, await page.text()]).toEqual([410, expect.stringContaining('has expired')])
  await save('acme.strict', 'strict@example.org')
  await house.nobody.confirmEmail({ token: tokenIn(1) })
  await house.service.store.resources.switchOff(id, 'There is no such mailbox', house.clock.now())
  await house.nobody.confirmEmail({ token: tokenIn(1) })
  expect(await team.user.getResource({ fullname: 'acme.strict' })).toMatchObject({ ready: false })
})

test('the caller’s own address needs no confirmation once it is verified, and only then', async () => {
  expect(await save('acme.own', team.admin.email, team.admin)).toMatchObject({ ready: false, remark: waiting })
  await run(house.databaseUrl, `update accounts set email_verified_at = now() where id = '${team.admin.id}'`)
  expect(await save('acme.own', team.admin.email.toUpperCase(), team.admin)).toMatchObject({
    ready: true,
    remark: null,
  })
  expect(await save('acme.others', team.admin.email, team.owner)).toMatchObject({ ready: false, remark: waiting })
})

test('a mail that cannot be sent is reported, and an address gets few mails even if it is saved often', async () => {
  mail.refuse = () => new Error('No')
  const notSent = expect.stringContaining('could not be sent')
  expect(await save('acme.refused', 'refused@example.org')).toMatchObject({ ready: false, remark: notSent })
  mail.refuse = () => undefined
  const remarks = []
  for (let n = 0; n < 6; n += 1) remarks.push((await save(`acme.many-${n}`, 'many@example.org')).remark)
  expect(mail.received).toHaveLength(3)
  expect(remarks.at(-1)).toContain('too many confirmation e-mails')
})

test('a resource from before confirmations stays ready', async () => {
  const { id } = await save('acme.early', 'early@example.org')
  await run(
    house.databaseUrl,
    `update resources set ready = true, remark = null, confirmed_at = now() where id = '${id}'`,
  )
  expect(await save('acme.early', 'early@example.org')).toMatchObject({ ready: true, remark: null })
})

test('a stack sends the confirmation after its apply: a plan, a refused apply and an apply without changes send none', async () => {
  const payload = resource('acme.planned', { blueprint: 'common.delivery.email', data: { to: 'planned@example.org' } })
  const body = { stack: 'mails', entities: [{ kind: 'resource' as const, payload }] }
  const { planHash } = await team.owner.planStack({ fullname: 'acme', body })
  const apply = (expectedPlanHash: string) =>
    team.owner.applyStack({ fullname: 'acme', body: { ...body, expectedPlanHash } })
  await rejects(apply('another'), { code: 'plan_changed' })
  expect(mail.received).toEqual([])
  await apply(planHash)
  expect(mail.received).toMatchObject([{ to: ['planned@example.org'] }])
  await apply((await team.owner.planStack({ fullname: 'acme', body })).planHash)
  expect(mail.received).toHaveLength(1)
  await team.owner.confirmEmail({ token: tokenIn() })
  expect(await team.user.getResource({ fullname: 'acme.planned' })).toMatchObject({ ready: true, remark: null })
})
