import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkedClient, customSource, type Harness, harness, project, rejects, resource } from './harness/index.ts'
import { type Mailbox, startMailbox } from './harness/mailbox.ts'
import { stopClock } from './harness/stop-clock.ts'

/** What people change about their own account: name, address, password, sessions; and how they leave. */
let mail: Mailbox
let house: Harness
beforeAll(async () => {
  mail = await startMailbox()
  house = await harness({ SMTP_URL: mail.url, MAIL_FROM: 'Tocsin <alerts@tocsin.example>' })
})
beforeEach(() => {
  mail.received.length = 0
  mail.refuse = () => undefined
})
afterAll(async () => {
  await house.close()
  await mail.close()
})

const password = 'correct horse battery'
const next = 'another horse entirely'
const signIn = (email: string, password: string) => house.nobody.signIn({ body: { email, password } })
const session = async (email: string) => checkedClient(house.url, (await signIn(email, password)).token)

describe('name and e-mail address', () => {
  test('the name changes at once, and other fields of the body are ignored', async () => {
    const ann = await house.person('ann')
    const body = { name: ' Ann B. ', email: 'other@example.org', id: 'other' }
    expect(await ann.saveMe({ body })).toMatchObject({ id: ann.id, email: ann.email, name: 'Ann B.' })
    expect(await ann.getMe()).toMatchObject({ name: 'Ann B.' })
    await rejects(ann.saveMe({ body: { name: ' ' } }), { code: 'invalid_payload', status: 400 })
  })

  test('the address changes with the password only, is not verified, and must be free', async () => {
    const [ann, bob] = await Promise.all([house.person('ann'), house.person('bob')])
    const email = `moved-${ann.email}`
    await rejects(ann.changeEmail({ body: { email, password: 'not it at all' } }), { code: 'forbidden', status: 403 })
    await rejects(ann.changeEmail({ body: { email } }), { code: 'forbidden' })
    await rejects(ann.changeEmail({ body: { email: bob.email.toUpperCase(), password } }), { code: 'already_exists' })
    const { rows } = await house.database.query(
      `update accounts set email_verified_at = now() where id = '${ann.id}' returning id`,
    )
    expect(rows).toHaveLength(1)
    expect(await ann.changeEmail({ body: { email, password } })).toMatchObject({ id: ann.id, email })
    const verified = await house.database.query(`select email_verified_at from accounts where id = '${ann.id}'`)
    expect(verified.rows).toEqual([{ email_verified_at: null }])
    expect(await signIn(email, password)).toHaveProperty('token')
    await rejects(signIn(ann.email, password), { code: 'unauthenticated' })
  })

  test('an account that asks by new addresses which mailboxes have an account has to wait', async () => {
    const [ann, bob] = await Promise.all([house.person('ann'), house.person('bob')])
    const move = (email: string) => ann.changeEmail({ body: { email, password } })
    stopClock(house)
    for (let guess = 0; guess < 10; guess += 1) {
      await rejects(move(bob.email), { code: 'already_exists', status: 409 })
      if (guess === 8) await move(`free-${ann.email}`)
    }
    await rejects(move(bob.email), { code: 'rate_limited', status: 429 })
    house.clock.advance(2_000)
    expect(await move(ann.email)).toMatchObject({ email: ann.email })
  })

  test('the first administrator sets a name, an address and a password with the token alone', async () => {
    const admin = checkedClient(house.url, house.service.firstAccount?.token)
    await admin.saveMe({ body: { name: 'Operator' } })
    await admin.changeEmail({ body: { email: 'operator@example.org' } })
    await admin.changePassword({ body: { next } })
    expect(await signIn('operator@example.org', next)).toMatchObject({ account: { name: 'Operator' } })
    await rejects(admin.changePassword({ body: { next: password } }), { code: 'forbidden' })
  })
})

test('without a password, no token changes the account, and a session only in the first five minutes', async () => {
  const ann = await house.person('ann')
  await house.database.query('update accounts set password_hash = null where id = $1', [ann.id])
  const { token } = await ann.createToken({ body: { name: 'all' } })
  const changes = (who: Pick<typeof ann, 'changeEmail' | 'changePassword' | 'deleteMe'>) => [
    () => who.changeEmail({ body: { email: `new-${ann.email}` } }),
    () => who.changePassword({ body: { next } }),
    () => who.deleteMe({ body: {} }),
  ]
  for (const change of changes(checkedClient(house.url, token)))
    await rejects(change(), { code: 'insufficient_scope', status: 403 })
  house.clock.advance(5 * 60_000 + 1)
  for (const change of changes(ann)) {
    const refused = await rejects(change(), { code: 'forbidden', status: 403 })
    expect(refused.message).toContain('Sign out and in again')
  }
  await house.database.query("update tokens set created_at = $2 where account_id = $1 and kind = 'session'", [
    ann.id,
    house.clock.now(),
  ])
  expect(await ann.changeEmail({ body: { email: `new-${ann.email}` } })).toMatchObject({ email: `new-${ann.email}` })
})

describe('a new password', () => {
  test('ends all other sessions and the mailed links; this session and the tokens stay', async () => {
    const ann = await house.person('ann')
    const other = await session(ann.email)
    const { token } = await ann.createToken({ body: { name: 'ci' } })
    const link = await askForLink(ann.email)
    await ann.changePassword({ body: { current: password, next } })
    expect(await ann.getMe()).toMatchObject({ id: ann.id })
    expect(await checkedClient(house.url, token).getMe()).toMatchObject({ id: ann.id })
    await rejects(other.getMe(), { code: 'unauthenticated' })
    await rejects(reset(link, 'a third horse altogether'), { code: 'invalid_payload' })
    await rejects(signIn(ann.email, password), { code: 'unauthenticated' })
    expect(await signIn(ann.email, next)).toHaveProperty('token')
  })

  test.each([
    ['short', '7 signs', 'at least 8 characters'],
    ['common', 'P@ssw0rd123!', 'common'],
  ])('that is %s is refused with the name of the field', async (_what, weak, message) => {
    const ann = await house.person('ann')
    const refused = ann.changePassword({ body: { current: password, next: weak } })
    const issue = { path: 'next', message: expect.stringContaining(message) }
    await rejects(refused, { code: 'invalid_payload', details: { issues: [issue] } })
  })

  test('needs the current one, and guesses are delayed', async () => {
    const ann = await house.person('ann')
    const guess = () => ann.changePassword({ body: { current: 'a wild guess', next } })
    stopClock(house)
    for (let n = 0; n < 5; n += 1) await rejects(guess(), { code: 'forbidden', status: 403 })
    await rejects(guess(), { code: 'rate_limited', status: 429 })
    await rejects(ann.deleteMe({ body: { password: 'a wild guess' } }), { code: 'rate_limited' })
    expect(await signIn(ann.email, password)).toHaveProperty('token')
  })
})

describe('a forgotten password', () => {
  test('a mailed link sets a new one once, ends all sessions and other links', async () => {
    const ann = await house.person('ann')
    const [first, second] = [await askForLink(ann.email.toUpperCase()), await askForLink(ann.email)]
    const letter = mail.received.find(({ text }) => text.includes(first))
    expect(letter).toMatchObject({ to: [ann.email] })
    expect(letter?.text).toContain(`${house.url}/reset-password#${first}`)
    await rejects(reset(first, 'P@ssw0rd123!'), {
      code: 'invalid_payload',
      details: { issues: [{ path: 'password' }] },
    })
    await reset(first, next)
    for (const used of [first, second, 'made-up'])
      await rejects(reset(used, password), { code: 'invalid_payload', details: { issues: [{ path: 'token' }] } })
    await rejects(ann.getMe(), { code: 'unauthenticated' })
    await rejects(signIn(ann.email, password), { code: 'unauthenticated' })
    expect(await signIn(ann.email, next)).toHaveProperty('token')
    const { dumpTables } = await import('./harness/dump.ts')
    expect(await dumpTables(house.databaseUrl)).not.toContain(second)
    expect(house.logs.join('')).not.toContain(first)
  })

  test('of two requests with one link at the same time, one sets the password', async () => {
    const ann = await house.person('ann')
    const link = await askForLink(ann.email)
    const outcomes = await Promise.allSettled([reset(link, next), reset(link, password)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('a link expires after 30 minutes', async () => {
    const ann = await house.person('ann')
    const link = await askForLink(ann.email)
    house.clock.advance(30 * 60_000)
    await rejects(reset(link, next), { code: 'invalid_payload' })
  })

  test('guesses of links are delayed', async () => {
    // After an hour the wrong links of the tests before are forgotten.
    house.clock.advance(3_600_000)
    const ann = await house.person('ann')
    const link = await askForLink(ann.email)
    stopClock(house)
    for (let n = 0; n < 20; n += 1) await rejects(reset(`tcn_reset_${n}`, next), { code: 'invalid_payload' })
    await rejects(reset(link, next), { code: 'rate_limited', status: 429 })
    house.clock.advance(2_000)
    await reset(link, next)
  })

  test('a mailbox without an account gets the same reply and no mail', async () => {
    const ann = await house.person('ann')
    const unknown = await forgot('who@example.org')
    const known = await forgot(ann.email)
    const shown = (response: Response) => [response.status, Object.fromEntries(response.headers)]
    const {
      'x-request-id': _one,
      ratelimit: _rate,
      'ratelimit-remaining': _left,
      date: _date,
      ...same
    } = Object(shown(unknown)[1])
    expect(shown(known)).toEqual([204, expect.objectContaining(same)])
    expect(unknown.status).toBe(204)
    await expect.poll(() => linksTo(ann.email)).toHaveLength(1)
    expect(linksTo('who@example.org')).toEqual([])
    await rejects(house.nobody.forgotPassword({ body: { email: '' } }), { code: 'invalid_payload' })
  })

  test('a mailbox gets few mails, and the caller does not learn it', async () => {
    const ann = await house.person('ann')
    stopClock(house)
    for (let n = 0; n < 6; n += 1) expect((await forgot(ann.email)).status).toBe(204)
    await expect.poll(() => linksTo(ann.email)).toHaveLength(3)
    const bob = await house.person('bob')
    await askForLink(bob.email)
    expect(linksTo(ann.email)).toHaveLength(3)
  })

  test('a mail that the server refuses is sent again, with a link that works', async () => {
    const ann = await house.person('ann')
    let refusals = 1
    mail.refuse = () => (refusals-- > 0 ? new Error('Later') : undefined)
    await reset(await askForLink(ann.email), next)
    expect(await signIn(ann.email, next)).toHaveProperty('token')
    const { rows } = await house.database.query(
      'select count(*)::int as count from password_resets where account_id = $1',
      [ann.id],
    )
    expect(rows).toEqual([{ count: 0 }])
  })
})

describe('sessions', () => {
  test('are listed with where they were started, and can be ended one by one', async () => {
    const ann = await house.person('ann')
    const response = await fetch(`${house.url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'A Browser/1.0' },
      body: JSON.stringify({ email: ann.email, password }),
    })
    const other = checkedClient(house.url, ((await response.json()) as { token: string }).token)
    await ann.createToken({ body: { name: 'no session' } })
    const sessions = await ann.listSessions()
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
    const listed = sessions.find(({ current }) => !current)
    expect(listed).toMatchObject({ ip: '127.0.0.1', userAgent: 'A Browser/1.0', current: false })
    expect(Object.keys(listed ?? {}).sort()).toEqual(['createdAt', 'current', 'id', 'ip', 'lastUsedAt', 'userAgent'])
    const { status } = await ann.whole.deleteSession({ id: listed?.id ?? '' })
    expect(status).toBe(204)
    await rejects(other.getMe(), { code: 'unauthenticated' })
    await rejects(ann.deleteSession({ id: listed?.id ?? '' }), { code: 'not_found', status: 404 })
  })

  test('of other accounts, and personal tokens, cannot be ended as sessions', async () => {
    const [ann, eve] = await Promise.all([house.person('ann'), house.person('eve')])
    const [own] = await ann.listSessions()
    const { id } = await ann.createToken({ body: { name: 'ci' } })
    await rejects(eve.deleteSession({ id: own?.id ?? '' }), { code: 'not_found' })
    await rejects(ann.deleteSession({ id }), { code: 'not_found' })
    await rejects(ann.deleteToken({ id: own?.id ?? '' }), { code: 'not_found' })
    await rejects(house.nobody.listSessions(), { code: 'unauthenticated' })
  })
})

describe('leaving', () => {
  test('is refused while the account is the only owner of a workspace', async () => {
    const ann = await house.person('ann')
    const own = ann.email.split('@')[0] ?? ''
    await rejects(ann.deleteMe({ body: { password: 'not it at all' } }), { code: 'forbidden', status: 403 })
    const refused = (...workspaces: string[]) =>
      rejects(ann.deleteMe({ body: { password } }), { code: 'last_owner', status: 409, details: { workspaces } })
    await ann.saveProject({ fullname: `${own}.p`, body: project(`${own}.p`) })
    await refused(own)
    await ann.deleteProject({ fullname: `${own}.p` })
    const source = `${own}.node`
    await ann.saveCustomSource({ fullname: source, body: customSource(source) })
    await refused(own)
    await ann.deleteCustomSource({ fullname: source })
    // A workspace with other members is theirs too, also if it is empty.
    const guest = await house.person('guest')
    const { invite = '' } = await ann.getWorkspace({ fullname: own })
    await guest.joinWorkspace({ workspace: own, body: { invite } })
    await refused(own)
    expect(await ann.getMe()).toMatchObject({ id: ann.id })
  })

  test('takes workspaces along that nobody else needs, with their destinations, and frees their names', async () => {
    const [ann, eve] = [await house.person('ann'), await house.person('eve')]
    const own = ann.email.split('@')[0] ?? ''
    await ann.saveWorkspace({ fullname: 'left-empty', body: { fullname: 'left-empty' } })
    await ann.saveResource({ fullname: 'left-empty.hook', body: resource('left-empty.hook') })
    await eve.saveProject({ fullname: `${eve.email.split('@')[0]}.p`, body: project(`${eve.email.split('@')[0]}.p`) })
    const offer = { fullname: `${eve.email.split('@')[0]}.p`, body: { targetWorkspace: 'left-empty' } }
    await eve.createTransferRequest(offer)
    const { status } = await ann.whole.deleteMe({ body: { password } })
    expect(status).toBe(204)
    expect(await eve.listTransferRequests({ query: {} })).toMatchObject([{ status: 'failed' }])
    for (const fullname of [own, 'left-empty'])
      expect(await eve.saveWorkspace({ fullname, body: { fullname, createOnly: true } })).toMatchObject({ fullname })
    await rejects(eve.getResource({ fullname: 'left-empty.hook' }), { code: 'not_found' })
  })

  test('deletes the account and its tokens, cancels its offers, leaves an entry in the log, and frees the mailbox', async () => {
    const team = await house.team('leaving')
    const [acl] = [await team.owner.listAcl({ workspace: 'leaving' })]
    const entryId = acl.find(({ user }) => user.id === team.admin.id)?.id ?? ''
    await team.owner.saveAclEntry({ workspace: 'leaving', entryId, body: { level: 'owner' } })
    await team.admin.saveProject({ fullname: 'leaving.p', body: project('leaving.p') })
    const target = await house.person('target')
    await target.saveWorkspace({ fullname: 'leaving-to', body: { fullname: 'leaving-to' } })
    const offer = { fullname: 'leaving.p', body: { targetWorkspace: 'leaving-to' } }
    await team.admin.createTransferRequest(offer)
    const { token } = await team.admin.createToken({ body: { name: 'ci' } })
    const { status, headers } = await team.admin.whole.deleteMe({ body: { password } })
    expect([status, headers.getSetCookie()[0]]).toEqual([204, expect.stringContaining('Max-Age=0')])
    await rejects(team.admin.getMe(), { code: 'unauthenticated' })
    await rejects(checkedClient(house.url, token).getMe(), { code: 'unauthenticated' })
    expect(await team.owner.listTransferRequests({ query: { workspace: 'leaving' } })).toMatchObject([
      { status: 'cancelled' },
    ])
    const [left] = await team.owner.listAudit({ fullname: 'leaving', query: { limit: 1 } })
    expect(left).toMatchObject({ action: 'member.remove', fullname: team.admin.email, actor: { id: team.admin.id } })
    const again = { email: team.admin.email, password, name: 'Again' }
    expect(await house.nobody.signUp({ body: again })).toHaveProperty('token')
  })
})

function forgot(email: string): Promise<Response> {
  return fetch(`${house.url}/api/auth/forgot`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
}

function reset(token: string, password: string) {
  return house.nobody.resetPassword({ body: { token, password } })
}

/** Asks for a link and returns the token in the next mail. */
async function askForLink(email: string): Promise<string> {
  const before = linksTo(email).length
  await house.nobody.forgotPassword({ body: { email } })
  await expect.poll(() => linksTo(email).length).toBeGreaterThan(before)
  return linksTo(email)[before] ?? ''
}

/** The letters of other tests and notices may come in between. */
function linksTo(email: string): string[] {
  const letters = mail.received.filter(({ to }) => to[0]?.toLowerCase() === email.toLowerCase())
  return letters.flatMap(({ text }) => /#(tcn_reset_\S+)/.exec(text)?.[1] ?? [])
}
