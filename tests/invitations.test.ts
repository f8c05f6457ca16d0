import { randomBytes } from 'node:crypto'
import { createClient } from '@tocsin/sdk'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkedClient, type Harness, harness, rejects, type Team } from './harness/index.ts'
import { type Mailbox, startMailbox } from './harness/mailbox.ts'
import { stopClock } from './harness/stop-clock.ts'

/** A person joins a workspace with the role and through the link that was mailed to them. */
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

const address = () => `guest-${randomBytes(4).toString('hex')}@example.org`
const inviteIn = () => /\/join\/acme#(\S+)/.exec(mail.received.at(-1)?.text ?? '')?.[1] ?? ''
const send = (body: Parameters<Team['owner']['createInvitation']>[0]['body'], by = team.owner) =>
  by.createInvitation({ fullname: 'acme', body })

/** A person without an account signs up with the address. */
async function signUp(email: string) {
  const body = { email, password: 'correct horse battery', name: 'Guest' }
  const { token, account } = await createClient({ baseUrl: house.url, retries: 0 }).signUp({ body })
  return Object.assign(checkedClient(house.url, token), { id: account.id })
}
const join = (client: Awaited<ReturnType<typeof signUp>>, invite: string) =>
  client.joinWorkspace({ workspace: 'acme', body: { invite } })

test('a person without an account signs up and joins with the role of the invitation', async () => {
  const email = address()
  const sent = await send({ email: email.toUpperCase(), level: 'developer' })
  expect(sent).toMatchObject({ workspace: 'acme', level: 'developer', state: 'pending', invitedBy: { name: 'owner' } })
  const [letter] = mail.received
  expect(letter).toMatchObject({ from: 'alerts@tocsin.example' })
  expect(letter?.text).toContain(`${house.url}/join/acme#`)
  const guest = await signUp(email)
  await join(guest, inviteIn())
  const acl = await team.owner.listAcl({ workspace: 'acme' })
  expect(acl.find(({ user }) => user.id === guest.id)?.level).toBe('developer')
  const all = await team.admin.listInvitations({ fullname: 'acme' })
  expect(all.find(({ id }) => id === sent.id)?.state).toBe('accepted')
  await rejects(join(guest, inviteIn()), { code: 'link_exhausted', status: 410 })
  expect(JSON.stringify([sent, all])).not.toContain(inviteIn())
  expect(house.logs.join('')).not.toContain(inviteIn())
})

test('the link of a mail works for no other address', async () => {
  const email = address()
  await send({ email })
  const eve = await signUp(address())
  await rejects(join(eve, inviteIn()), { code: 'forbidden' })
  await join(await signUp(email), inviteIn())
})

test('an invitation ends at its time, or when it is revoked', async () => {
  const [late, unwanted] = [address(), address()]
  const expiresAt = new Date(house.clock.now().getTime() + 60_000).toISOString()
  expect(await send({ email: late, expiresAt })).toMatchObject({ expiresAt })
  const lateInvite = inviteIn()
  const { id } = await send({ email: unwanted })
  const unwantedInvite = inviteIn()
  await team.admin.deleteInvitation({ fullname: 'acme', id })
  await rejects(join(await signUp(unwanted), unwantedInvite), { code: 'link_revoked' })
  await rejects(team.admin.deleteInvitation({ fullname: 'acme', id }), { code: 'not_found' })
  house.clock.advance(61_000)
  await rejects(join(await signUp(late), lateInvite), { code: 'link_expired' })
  await rejects(send({ email: late, expiresAt }), { code: 'invalid_payload' })
})

test('an invitation ends when the person who sent it may no longer send it', async () => {
  const own = await house.team('shrinking')
  const entryOf = async (id: string) =>
    (await own.owner.listAcl({ workspace: 'shrinking' })).find(({ user }) => user.id === id)?.id ?? ''
  const setLevel = async (id: string, level: 'owner' | 'admin' | 'user') =>
    own.owner.saveAclEntry({ workspace: 'shrinking', entryId: await entryOf(id), body: { level } })
  const invite = async (level: 'owner' | 'user') => {
    const email = address()
    await own.admin.createInvitation({ fullname: 'shrinking', body: { email, level } })
    const token = /#(\S+)/.exec(mail.received.at(-1)?.text ?? '')?.[1] ?? ''
    const guest = await signUp(email)
    return () => guest.joinWorkspace({ workspace: 'shrinking', body: { invite: token } })
  }
  await setLevel(own.admin.id, 'owner')
  const [joinAsOwner, joinAsUser, joinLate] = [await invite('owner'), await invite('user'), await invite('user')]
  await setLevel(own.admin.id, 'admin')
  await rejects(joinAsOwner(), { code: 'link_revoked', status: 410 })
  await joinAsUser()
  await own.owner.deleteAclEntry({ workspace: 'shrinking', entryId: await entryOf(own.admin.id) })
  await rejects(joinLate(), { code: 'link_revoked', status: 410 })
})

test('an invitation raises the role of a member, and never lowers it', async () => {
  const levelOf = async (id: string) =>
    (await team.owner.listAcl({ workspace: 'acme' })).find(({ user }) => user.id === id)?.level
  const guest = await house.person('guest')
  const { invite = '' } = await team.owner.getWorkspace({ fullname: 'acme' })
  await join(guest, invite)
  for (const level of ['developer', 'user'] as const) {
    await send({ email: guest.email, level })
    await join(guest, inviteIn())
    expect(await levelOf(guest.id)).toBe('developer')
  }
  expect(await team.owner.listAudit({ fullname: 'acme', query: { action: 'member.save', limit: 1 } })).toMatchObject([
    { fullname: guest.email, actor: { id: guest.id }, paths: ['level'] },
  ])
})

test('only owners invite owners, and nobody below admin invites', async () => {
  await rejects(send({ email: address(), level: 'owner' }, team.admin), { code: 'forbidden' })
  await rejects(send({ email: address() }, team.developer), { code: 'forbidden' })
  await rejects(send({ email: address() }, team.stranger), { code: 'not_found' })
  await send({ email: address(), level: 'owner' })
  expect(mail.received).toHaveLength(1)
})

test('a mail that cannot be sent leaves no invitation and no entry in the log, and a mailbox gets only a few', async () => {
  const email = address()
  const invitationsAndLog = async () => [
    await team.owner.listInvitations({ fullname: 'acme' }),
    await team.owner.listAudit({ fullname: 'acme' }),
  ]
  const before = await invitationsAndLog()
  stopClock(house)
  mail.refuse = () => new Error('full')
  await rejects(send({ email }), { code: 'upstream_failed', status: 502 })
  mail.refuse = () => undefined
  expect(await invitationsAndLog()).toEqual(before)
  await send({ email })
  await send({ email })
  await rejects(send({ email }), { code: 'rate_limited', status: 429 })
  expect(mail.received).toHaveLength(2)
})

test('the log tells who was invited, by whom, and who joined', async () => {
  const email = address()
  const { id } = await send({ email })
  await team.owner.deleteInvitation({ fullname: 'acme', id })
  const [revoked, created] = await team.owner.listAudit({ fullname: 'acme' })
  expect([created, revoked]).toMatchObject([
    { action: 'invitation.create', fullname: email, paths: ['level', 'expiresAt'] },
    { action: 'invitation.revoke', fullname: email },
  ])
})

test('without an SMTP server there are no invitations', async () => {
  const silent = await harness()
  const { owner } = await silent.team('acme')
  const call = owner.createInvitation({ fullname: 'acme', body: { email: address() } })
  await rejects(call, { code: 'feature_unavailable', status: 404 })
  await silent.close()
})
